/* SPDX-License-Identifier: Apache-2.0 */
/* products_plain.h - sums of products by definition: the inner loops of the reference kernels of matrix products and convolutions,
 * for each pair of element types.
 *
 * Only CPU_REFERENCE calls these, so that comparing it with CPU_FAST shows an error in either. No packing, no tiles, no intrinsics:
 * two loops as the compiler vectorises them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Add x[k] * w[k][c] to sum[c] for k = 0 .. depth - 1 in that order, c < channels. `w_step` is the distance of two rows of w, in
 * elements. Every product and every sum rounds to float, so the bits do not depend on the width of vectors. */
void products_f32(const float *x, size_t depth, const float *w, size_t w_step, size_t channels, float *sum);

/* Do the same with double sums: products of two floats are exact. */
void products_f64(const float *x, size_t depth, const float *w, size_t w_step, size_t channels, double *sum);

/* Add the sum over k < depth of x[k] * w[c][k] to sum[c], c < channels. `w_step` is the distance of two rows of w, in elements.
 * Sums wrap; their order does not matter. */
void products_i32(const int16_t *x, size_t depth, const int16_t *w, size_t w_step, size_t channels, int32_t *sum);

/* Do the same with 64-bit sums, for 16-bit activations. */
void products_i64(const int16_t *x, size_t depth, const int16_t *w, size_t w_step, size_t channels, int64_t *sum);

/* Add the sum over t < count of x[t][i] * w[t][i * multiplier + m] to sum[i * multiplier + m], for i < ic, m < multiplier, t
 * ascending: each channel by itself, over `count` neighbouring pixels and window positions. */
void products_by_channel_f32(const float *x, const float *w, size_t count, size_t ic, size_t multiplier, float *sum);
void products_by_channel_f64(const float *x, const float *w, size_t count, size_t ic, size_t multiplier, double *sum);
void products_by_channel_i32(const int16_t *x, const int16_t *w, size_t count, size_t ic, size_t multiplier, uint32_t *sum);
void products_by_channel_i64(const int16_t *x, const int16_t *w, size_t count, size_t ic, size_t multiplier, int64_t *sum);
