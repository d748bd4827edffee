/* SPDX-License-Identifier: Apache-2.0 */
/* element.h - single elements of a tensor of any type, as numbers that can be held against each other.
 *
 * Index i counts elements in row-major order; of complex tensors their real and imaginary parts, one after the other. Tensors of
 * strings, and of types that are loaded and named only, have none (element_count 0). */
#ifndef DELEGAUGE_ELEMENT_H
#define DELEGAUGE_ELEMENT_H

#include "lib/tensor/tensor.h"

/* FLOAT16, BFLOAT16, FLOAT32, FLOAT64 and complex types. */
bool element_is_float(enum tensor_type type);

/* How many there are: of complex tensors twice as many as the shape says. */
size_t element_count(const struct tensor *t);

/* Of a float type; exact in double. */
double element_float(const struct tensor *t, size_t i);

/* Of any other type, in two's complement, so that unsigned 64-bit numbers are the one type that may come out wrong: as their
 * negative twin, with which they share all differences. */
int64_t element_int(const struct tensor *t, size_t i);

/* The real number that a quantized element stands for: scale * (q - zero point) of its channel. t->quant.n is above 0. */
double element_real(const struct tensor *t, size_t i);

/* |a - b|, exact up to 2^64 but for the rounding to double. */
double element_int_distance(int64_t a, int64_t b);

/* How many numbers of their float type lie between element i of two tensors of one type, one of both ends counted: the distance in
 * units in the last place. 0 and -0 are one number; infinities are the neighbours of the largest finite ones. Neither is NaN. */
double element_ulps(const struct tensor *a, const struct tensor *b, size_t i);

#endif
