/* SPDX-License-Identifier: Apache-2.0 */
/* fixed_inv_sqrt.h - 1 / sqrt(x) in fixed point, by Newton's method with TFLite's constants and roundings.
 *
 * Source: GetInvSqrtQuantizedMultiplierExp of TFLite's kernels/internal/common, which L2_NORMALIZATION, RSQRT and the layer
 * normalization of the integer LSTM call. Five steps y = y * (3/2 - x / 2 * y^2) from y = 1. The bits are TFLite's. Nothing fails,
 * and the number of steps does not depend on the value. */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"

/* Return 1 / sqrt(x) for x >= 1, as mult * 2^(shift - 31) with shift <= 0; x <= 1 gives 1 (INT32_MAX / 2^31). The iteration runs on
 * x shifted to [1/4, 1) by pairs of bits, with 28 fractional bits; sqrt(2) / 2 makes up for the half pair. */
struct fixed_mul fixed_inv_sqrt(int32_t x);
