/* SPDX-License-Identifier: Apache-2.0 */
/* hybrid_plain.h - floats to 8 bits by the formula, value by value: hybrid_quantize of CPU_REFERENCE. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_HYBRID_PLAIN_H
#define DELEGAUGE_KERNELS_CPU_QUANT_HYBRID_PLAIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As hybrid_quantize (hybrid.h). */
float hybrid_quantize_plain(const float *x, size_t n, bool asymmetric, int16_t *out, int32_t *zero);

/* The zero point, -128 .. 127, of a range [min, max] that holds 0 in steps of `scale`: of -128 - min / scale and 127 - max / scale
 * the one whose terms are smaller, rounded half away from zero. */
int32_t hybrid_zero_point(double min, double max, double scale);

#endif
