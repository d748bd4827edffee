/* SPDX-License-Identifier: Apache-2.0 */
/* rng.h - seeded random content for tensors: the same bytes on every platform for the same seed.
 *
 * splitmix64 in integers, and only exact floating-point steps after it. Source: Steele, Lea, Flood, "Fast splittable pseudorandom
 * number generators", OOPSLA 2014. For test content, not for operators (kernels_cpu/common/philox.h) and not for secrets. */
#pragma once

#include "lib/tensor/tensor.h"

struct rng {
    uint64_t state;
};

/* Return a generator for stream `stream` of `seed`: streams of one seed are unrelated, so each input tensor of each run takes one.
 */
struct rng rng_seed(uint64_t seed, uint64_t stream);

/* Return the next 64 random bits. */
uint64_t rng_next(struct rng *r);

/* Return a uniform number in [0, 1), a multiple of 2^-53. */
double rng_uniform(struct rng *r);

/* Return a uniform integer in 0 .. n - 1, without bias; n == 0 means 2^64. */
uint64_t rng_below(struct rng *r, uint64_t n);

/* Return a Gaussian number with mean 0.5 and standard deviation 1/3, a sum of twelve uniform numbers; redraw until in [0, 1). */
double rng_gauss(struct rng *r);

/* The distribution of floating-point content; integers are always uniform. */
enum rng_shape { RNG_UNIFORM, RNG_GAUSS };

/* Bounds of random values, both inclusive: lo and hi for floating-point types, int_lo and int_hi for integers. */
struct rng_range {
    double lo, hi;
    int64_t int_lo, int_hi;
};

/* Store the default range of TFLite's benchmark_model (uniform) or inference_diff (Gaussian) for a type; 16-bit integers get all
 * values of the type (uniform: but one), as 8-bit integers do. Return false for types without numbers. */
bool rng_default_range(enum tensor_type type, enum rng_shape shape, struct rng_range *out);

/* Store the smallest and largest value of an integer type (0 and 1 for BOOL; UINT64 ends at 2^63 - 1). Return false for other
 * types. */
bool rng_type_limits(enum tensor_type type, int64_t *lo, int64_t *hi);

/* Fill the tensor's data with random values. Fails with ST_UNSUPPORTED for types without numbers. */
enum status rng_fill(struct rng *r, const struct tensor *t, enum rng_shape shape, const struct rng_range *range, struct err *err);
