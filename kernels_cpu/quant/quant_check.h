/* SPDX-License-Identifier: Apache-2.0 */
/* quant_check.h - the demands of quantized elementwise kernels on a tensor's quantization.
 *
 * Checks are made in prepare, once per plan. Each fails with ST_BAD_MODEL and a message that names the tensor and its numbers; the
 * kernels' loops then need none. The loader has checked only that scales and zero points are as many (lib/model/model_tensor.c): a
 * scale may still be 0, negative, infinite or NaN, a zero point any int64. Convolutions and matrix products, whose filters may have
 * a scale per channel, have checks of their own beside these (conv_quant_check and its like). */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_QUANT_CHECK_H
#define DELEGAUGE_KERNELS_CPU_QUANT_QUANT_CHECK_H

#include "kernels_cpu/quant/fixed_point.h"

/* Quantized values from lo to hi, both included. */
struct range_i32 {
    int32_t lo, hi;
};

/* Return the range of an integer type: the clamp of results, and the range of zero points. Types not named here count as INT32. */
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

/* Return true if the file gives t any scale, per tensor or per channel. Integers without one are plain numbers: operators that take
 * both (ADD, comparisons, ABS) choose their arithmetic by it. */
static inline bool is_quantized(const struct tensor *t)
{
    return t->quant.n > 0;
}

/* Fails unless t has one scale, above 0 and finite, and a zero point within its type. Differences of 8- and 16-bit values and
 * zero points then fit 17 bits, which the kernels' arithmetic relies on. A file without a zero point means 0. */
enum status quant_check(const struct tensor *t, struct err *err);

/* quant_check of several tensors, in order, up to the first that fails; NULL entries (inputs left out) are skipped. */
enum status quant_check_all(const struct tensor *const *t, uint32_t n, struct err *err);

/* Fail if t is INT16 and its zero point is not 0: TFLite's quantization specification has 16-bit activations symmetric, and its
 * 16-bit arithmetic knows no zero points. Other types pass. */
enum status quant_check_symmetric(const struct tensor *t, struct err *err);

/* Return true if scale (above 0) is a power of two, within 1e-3 of its logarithm as TFLite's CheckedLog2 has it, float by float, so
 * that both find the same; *out is the nearest whole logarithm in either case. INT16 sums by shifts (pot_scale_int16), 16-bit
 * LOGISTIC and TANH and the states of integer LSTM cells ask for it. */
bool quant_whole_log2(float scale, int32_t *out);

/* Call fixed_from_double, with a message: ST_BAD_MODEL if `real`, a quotient or product of the tensors' scales, is not finite or
 * 2^30 or more. */
enum status quant_multiplier(double real, struct fixed_mul *out, struct err *err);

#endif
