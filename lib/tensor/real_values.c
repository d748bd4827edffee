/* SPDX-License-Identifier: Apache-2.0 */
/* real_values.c - scale and zero point applied, one way and the other. */
#include "lib/tensor/real_values.h"

#include <math.h>
#include <string.h>

#include "lib/tensor/element.h"

bool real_is_quantized(const struct tensor *t)
{
    return t->quant.n == 1 && t->quant.scale[0] > 0 && isfinite(t->quant.scale[0]) && !type_is_float(t->type);
}

double real_value(const struct tensor *t, size_t i)
{
    if (type_is_float(t->type))
        return element_float(t, i);
    if (t->type == TYPE_UINT64)
        return (double)(uint64_t)element_int(t, i);
    if (real_is_quantized(t))
        return (double)t->quant.scale[0] * (double)(element_int(t, i) - t->quant.zero_point[0]);
    return (double)element_int(t, i);
}

static bool quantize(const struct tensor *t, size_t i, double v)
{
    uint32_t bits = type_bits(t->type);
    double lo = element_is_signed(t->type) ? -ldexp(1, (int)bits - 1) : 0, hi = lo + ldexp(1, (int)bits) - 1;
    double q = isnan(v) ? (double)t->quant.zero_point[0] : round(v / t->quant.scale[0]) + (double)t->quant.zero_point[0];

    element_set_int(t, i, (int64_t)(q < lo ? lo : q > hi ? hi : q));
    return isnan(v) || q < lo || q > hi;
}

bool real_same_kind(const struct tensor *a, const struct tensor *b)
{
    return a->type == b->type && (!(real_is_quantized(a) || real_is_quantized(b)) ||
                                  (real_is_quantized(a) && real_is_quantized(b) && a->quant.scale[0] == b->quant.scale[0] &&
                                   a->quant.zero_point[0] == b->quant.zero_point[0]));
}

static bool is_real(const struct tensor *t)
{
    return type_is_float(t->type) || (real_is_quantized(t) && type_bits(t->type) && type_bits(t->type) <= 32);
}

bool real_comparable(const struct tensor *a, const struct tensor *b)
{
    return real_same_kind(a, b) || (is_real(a) && is_real(b));
}

enum status real_convert(const struct tensor *from, const struct tensor *to, size_t *cut, struct err *err)
{
    size_t n = tensor_elems(from);

    *cut = 0;
    if (tensor_elems(to) != n)
        return err_set(err, ST_USAGE, "'%.100s' is %s, '%.100s' %s", from->name, TENSOR_TEXT(from), to->name, TENSOR_TEXT(to));
    if (real_same_kind(from, to)) {
        memcpy(to->data, from->data, to->bytes);
        return ST_OK;
    }
    if (!real_comparable(from, to))
        return err_set(err, ST_USAGE, "'%.100s' %s and '%.100s' %s: not both are real numbers (floating-point, or quantized)",
                       from->name, TENSOR_TEXT(from), to->name, TENSOR_TEXT(to));
    for (size_t i = 0; i < n; i++) {
        double v = real_value(from, i);

        if (type_is_float(to->type))
            element_set_float(to, i, v);
        else
            *cut += quantize(to, i, v);
    }
    return ST_OK;
}
