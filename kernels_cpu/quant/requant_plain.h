/* SPDX-License-Identifier: Apache-2.0 */
/* requant_plain.h - requantization value by value, for CPU_REFERENCE.
 *
 * CPU_FAST has the loops of requant.c. The two share the parameters in struct requant and the arithmetic of fixed_point.h, no
 * loop. */
#pragma once

#include "kernels_cpu/quant/requant.h"

/* Store y[i] = clamp(scale(sum[i] + bias[i]) + zero point) for i < n, from 32-bit sums; y has type r->type. For channels from
 * `first` on pass requant_from(r, first) and the address of their first value; r->offset must be NULL. */
void requant_plain(const struct requant *r, const int32_t *sum, size_t n, void *y);

/* Do the same from 64-bit sums (16-bit activations). */
void requant_plain_wide(const struct requant *r, const int64_t *sum, size_t n, void *y);
