/* SPDX-License-Identifier: Apache-2.0 */
/* lut.h - functions of quantized tensors, tabulated in prepare.
 *
 * 8-bit types have a table of all 256 results. For 16-bit types TFLite tabulates 513 points and interpolates; each point is shifted
 * by half the error in the middle of its interval. */
#pragma once

#include "kernels_cpu/common/map.h"

#define LUT16_POINTS 513

/* Return f(x) of a real x; `arg` belongs to the operator and must live until prepare returns. */
typedef float (*lut_real)(float x, const void *arg);

/* Return the result for quantized value q; it is then clamped to the type. */
typedef int32_t (*lut_int)(int32_t q, const void *arg);

/* Tabulate f in c->packed for map_plan_run (cpu_kernel.prepare). Input 0 and output 0 must have the same type, INT8 or UINT8 (or
 * INT16, for lut_prepare_real), and be quantized per tensor; fails as map_types, quant_check and cpu_pack. */
enum status lut_prepare_real(struct cpu_call *c, lut_real f, const void *arg, struct err *err);
enum status lut_prepare_int(struct cpu_call *c, lut_int f, const void *arg, struct err *err);

/* Look up n bytes (a map_row); `arg` is a table of 256 bytes. */
void lut8_map(const void *arg, void *y, const void *x, size_t n);

/* Return the interpolated value at x: point 256 + floor(x / 128), then x % 128 of 128 parts of the way to the next, rounded half
 * up. Source: TFLite's LUTLookup for int16. */
static inline int16_t lut16_at(const int16_t lut[LUT16_POINTS], int16_t x)
{
    const int32_t i = 256 + (x >> 7), rest = x & 127;

    return (int16_t)(lut[i] + (((lut[i + 1] - lut[i]) * rest + 64) >> 7));
}
