/* SPDX-License-Identifier: Apache-2.0 */
/* channel_runs.h - iterates over a quantized tensor by runs of elements that share a scale and a zero point.
 *
 * A tensor quantized as a whole (n = 1) is one run. Per channel, the channel of an element is its index in dimension quant.dim, so
 * runs are as long as the dimensions after it; they are cut at QUANT_CHUNK. A filter [8,3,3,2] with a scale per index of dimension
 * 0 has runs of 18, a filter [1,3,3,8] with a scale per index of dimension 3 runs of 1.
 *
 * Within a run the arithmetic has one scale, so the loops of CPU_FAST's QUANTIZE and DEQUANTIZE, and of NumericVerify, vectorise;
 * if the last dimension is the quantized one, runs are one element long. CPU_REFERENCE calls channel_of for each element instead.
 * Indices count elements of the tensor, sub-byte types too (packed_int.h). */
#pragma once

#include "lib/graph/kernel.h"

/* Most elements of a run; values pass through an int32 buffer of as many elements, 1 KiB, on the stack. Even, so that chunks of 4-
 * and 2-bit types that begin at a whole byte end at one. */
#define QUANT_CHUNK 256

/* Process one run: elements [at, at + count) have entry `channel` of the tensor's scales and zero points; 0 < count <= QUANT_CHUNK.
 * Called in ascending order, from every thread that calls channel_runs. */
typedef void (*channel_run)(const struct node *n, size_t at, size_t count, uint32_t channel);

/* Check that t is quantized, per tensor or with one scale for each index of an existing dimension. Fails with ST_BAD_MODEL, or with
 * ST_UNSUPPORTED if it is quantized by blocks. */
enum status channel_runs_check(const struct tensor *t, struct err *err);

/* Return the zero point of channel < quant.n; 0 if the file has none. */
static inline int32_t channel_zero(const struct tensor *t, uint32_t channel)
{
    return t->quant.zero_point ? (int32_t)t->quant.zero_point[channel] : 0;
}

/* Return the index of element i's scale and zero point: its index in the quantized dimension, or 0. t has passed
 * channel_runs_check. */
static inline uint32_t channel_of(const struct tensor *t, size_t i)
{
    size_t inner = 1;

    for (int32_t d = t->quant.dim + 1; t->quant.n > 1 && d < t->rank; d++)
        inner *= (size_t)t->dim[d];
    return (uint32_t)(i / inner % t->quant.n);
}

/* Call `run` with `n` for all runs of elements [begin, end) of t, which has passed channel_runs_check and is not empty. */
void channel_runs(const struct node *n, const struct tensor *t, size_t begin, size_t end, channel_run run);
