/* SPDX-License-Identifier: Apache-2.0 */
/* byte_quant.c - see byte_quant.h */
#include "byte_quant.h"

#include <math.h>

struct byte_limits byte_limits_of(enum tensor_type type)
{
    return type == TYPE_INT8 ? (struct byte_limits){INT8_MIN, INT8_MAX} : (struct byte_limits){0, UINT8_MAX};
}

bool byte_quant_fits(const struct tensor *t, struct reason *why)
{
    struct byte_limits l = byte_limits_of(t->type);
    int64_t zero;

    if (t->quant.n != 1 || t->quant.block_size > 0 || t->quant.n_axes)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s is not quantized with one scale for all elements",
                          TENSOR_TEXT(t));
    if (!(t->quant.scale[0] > 0 && isnormal(t->quant.scale[0])))
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s has scale %g", TENSOR_TEXT(t), (double)t->quant.scale[0]);
    zero = t->quant.zero_point ? t->quant.zero_point[0] : 0;
    if (zero < l.lo || zero > l.hi)
        return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "the zero point %lld of %s is not a value of its type",
                          (long long)zero, TENSOR_TEXT(t));
    return true;
}

int32_t byte_quant_zero(const struct tensor *t)
{
    return t->quant.zero_point ? (int32_t)t->quant.zero_point[0] : 0;
}
