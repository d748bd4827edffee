/* SPDX-License-Identifier: Apache-2.0 */
/* quant_check.h - checks of a tensor's scale and zero point for quantized elementwise kernels.
 *
 * prepare makes them, once per plan; the kernels' loops then need none. Each fails with ST_BAD_MODEL and a message with the tensor
 * and its numbers. The loader has checked only that there are as many scales as zero points (lib/model/model_tensor.c): a scale may
 * still be 0, negative, infinite or NaN, a zero point any int64. Convolutions and matrix products, whose filters may have a scale
 * per channel, have further checks (conv_quant_check and similar). */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"

/* Quantized values from lo to hi, both included. */
struct range_i32 {
    int32_t lo, hi;
};

/* Return the range of an integer type: it clamps results and bounds zero points. Types not named here count as INT32. */
static inline struct range_i32 int_limits(enum tensor_type type)
{
    switch (type) {
    case TYPE_INT4: return (struct range_i32){-8, 7};
    case TYPE_INT8: return (struct range_i32){INT8_MIN, INT8_MAX};
    case TYPE_UINT8: return (struct range_i32){0, UINT8_MAX};
    case TYPE_INT16: return (struct range_i32){INT16_MIN, INT16_MAX};
    default: return (struct range_i32){INT32_MIN, INT32_MAX};
    }
}

/* Return true if the file gives t a scale, per tensor or per channel. Integers without one are plain numbers: operators that accept
 * both (ADD, comparisons, ABS) choose their arithmetic by it. */
static inline bool is_quantized(const struct tensor *t)
{
    return t->quant.n > 0;
}

/* Check that t has one scale, above 0 and finite, and a zero point within its type; without a zero point in the file it is 0.
 * Differences of 8- and 16-bit values and zero points then fit 17 bits, as the kernels' arithmetic needs. */
enum status quant_check(const struct tensor *t, struct err *err);

/* Call quant_check for several tensors, in order, up to the first failure; NULL entries (omitted inputs) are skipped. */
enum status quant_check_all(const struct tensor *const *t, uint32_t n, struct err *err);

/* Check that t is not INT16 with a zero point other than 0: in TFLite's quantization specification 16-bit activations are
 * symmetric, and its 16-bit arithmetic ignores zero points. Other types pass. */
enum status quant_check_symmetric(const struct tensor *t, struct err *err);

/* Return true if scale (above 0) is a power of two, within 1e-3 of its logarithm, computed in float as TFLite's CheckedLog2 so that
 * both agree; *out is the nearest whole logarithm in either case. Used for INT16 sums by shifts (pot_scale_int16), 16-bit LOGISTIC
 * and TANH and the states of integer LSTM cells. */
bool quant_whole_log2(float scale, int32_t *out);

/* Call fixed_from_double with `real`, a quotient or product of the tensors' scales. Fails with ST_BAD_MODEL if it is not finite or
 * its magnitude is 2^30 or more. */
enum status quant_multiplier(double real, struct fixed_mul *out, struct err *err);
