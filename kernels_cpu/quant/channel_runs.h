/* SPDX-License-Identifier: Apache-2.0 */
/* channel_runs.h - the walk over a quantized tensor by runs of elements that share a scale and a zero point.
 *
 * A tensor quantized as a whole (n = 1) is one run. Per channel, the channel of an element is its index in dimension quant.dim, so
 * that runs are as long as the dimensions after it; they are cut at QUANT_CHUNK. A filter [8,3,3,2] with a scale for each index of
 * dimension 0 has runs of 18, one [1,3,3,8] with a scale for each of dimension 3 runs of 1.
 *
 * CPU_FAST's QUANTIZE and DEQUANTIZE, and NumericVerify, walk so: within a run the arithmetic is that of one scale, and the loop
 * vectorises; runs are one element long if the last dimension is the quantized one. CPU_REFERENCE asks channel_of of each element
 * instead. Indices count elements of the tensor, sub-byte types too (packed_int.h). */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_CHANNEL_RUNS_H
#define DELEGAUGE_KERNELS_CPU_QUANT_CHANNEL_RUNS_H

#include "lib/graph/kernel.h"

/* Elements of a chunk in which values pass through a buffer on the stack, as int32: 1 KiB. Even, so that chunks of 4- and 2-bit
 * types that begin at a whole byte end at one. */
#define QUANT_CHUNK 256

/* A kernel's function for one run: elements [at, at + count) have entry `channel` of the tensor's scales and zero points; 0 < count
 * <= QUANT_CHUNK. Called in ascending order, from as many threads as call channel_runs. */
typedef void (*channel_run)(const struct node *n, size_t at, size_t count, uint32_t channel);

/* Fails unless t is quantized, per tensor or with one scale for each index of a dimension that it has: ST_BAD_MODEL, or
 * ST_UNSUPPORTED if it is quantized by blocks. */
enum status channel_runs_check(const struct tensor *t, struct err *err);

/* Return the zero point of that entry, channel < quant.n; 0 if the file has none. */
static inline int32_t channel_zero(const struct tensor *t, uint32_t channel)
{
    return t->quant.zero_point ? (int32_t)t->quant.zero_point[channel] : 0;
}

/* The entry of the scales and zero points that element i of t, which has passed the check, has: its index in the quantized
 * dimension, or 0. */
static inline uint32_t channel_of(const struct tensor *t, size_t i)
{
    size_t inner = 1;

    for (int32_t d = t->quant.dim + 1; t->quant.n > 1 && d < t->rank; d++)
        inner *= (size_t)t->dim[d];
    return (uint32_t)(i / inner % t->quant.n);
}

/* Covers elements [begin, end) of t, which has passed the check and is not empty, by calls of `run` with `n`. */
void channel_runs(const struct node *n, const struct tensor *t, size_t begin, size_t end, channel_run run);

#endif
