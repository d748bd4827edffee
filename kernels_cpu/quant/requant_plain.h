/* SPDX-License-Identifier: Apache-2.0 */
/* requant_plain.h - from integer sums to quantized outputs by the formula, value by value, for CPU_REFERENCE; CPU_FAST has the
 * loops of requant_store.c. They share the numbers in struct requant and the arithmetic of fixed_point.h, no loop. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_PLAIN_H
#define DELEGAUGE_KERNELS_CPU_QUANT_REQUANT_PLAIN_H

#include "kernels_cpu/quant/requant.h"

/* y[i] = clamp(scale(sum[i] + bias) + zero point) for channels i < n, y of type r->type and sum of 32 bits. `y` is the first of the
 * n values, no matter which channel; r->offset must be NULL. */
void requant_plain(const struct requant *r, const int32_t *sum, size_t n, void *y);

/* The same from sums of 64 bits (16-bit activations). */
void requant_plain_wide(const struct requant *r, const int64_t *sum, size_t n, void *y);

#endif
