/* SPDX-License-Identifier: Apache-2.0 */
/* hybrid_plain.h - float activations quantized to 8 bits value by value: hybrid_quantize of CPU_REFERENCE. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Do the same as hybrid_quantize (hybrid.h). */
float hybrid_quantize_plain(const float *x, size_t n, bool asymmetric, int16_t *out, int32_t *zero);

/* Return the zero point, -128 .. 127, of a range [min, max] that contains 0: of -128 - min / scale and 127 - max / scale the one
 * whose terms are smaller, rounded half away from zero. */
int32_t hybrid_zero_point(double min, double max, double scale);
