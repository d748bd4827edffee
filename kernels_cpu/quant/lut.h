/* SPDX-License-Identifier: Apache-2.0 */
/* lut.h - functions of quantized tensors, tabulated when the plan is made.
 *
 * 8-bit types have a table of all 256 results. For 16-bit ones TFLite tabulates 513 points and interpolates; the points are
 * biased by half the error in the middle of their interval. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_LUT_H
#define DELEGAUGE_KERNELS_CPU_QUANT_LUT_H

#include "kernels_cpu/common/map.h"

#define LUT16_POINTS 513

/* A real function; `arg` is the op's own and lives as long as the prepare call. */
typedef float (*lut_real)(float x, const void *arg);

/* A function of the quantized value itself; the result is clamped to the type. */
typedef int32_t (*lut_int)(int32_t q, const void *arg);

/* Prepare functions: they fill c->packed for map_plan_run. Input 0 and output 0 have the same type, INT8 or UINT8 (or INT16,
 * for lut_prepare_real), and are quantized per tensor. */
enum status lut_prepare_real(struct cpu_call *c, lut_real f, const void *arg, struct err *err);
enum status lut_prepare_int(struct cpu_call *c, lut_int f, const void *arg, struct err *err);

/* A map_row over bytes; `arg` is the table of 256 of them. */
void lut8_map(const void *arg, void *y, const void *x, size_t n);

/* The table's value at x: 256 + floor(x / 128) is the point, x % 128 the share of the way to the next, rounded half up. Source:
 * TFLite's LUTLookup for int16. */
static inline int16_t lut16_at(const int16_t lut[LUT16_POINTS], int16_t x)
{
    const int32_t i = 256 + (x >> 7), rest = x & 127;

    return (int16_t)(lut[i] + (((lut[i + 1] - lut[i]) * rest + 64) >> 7));
}

#endif
