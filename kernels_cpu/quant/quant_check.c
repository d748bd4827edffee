/* SPDX-License-Identifier: Apache-2.0 */
/* quant_check.c - checks of scales and zero points, once per plan. */
#include "kernels_cpu/quant/quant_check.h"

enum status quant_check(const struct tensor *t, struct err *err)
{
    const struct range_i32 l = int_limits(t->type);
    const float scale = quant_scale(t);
    const int64_t zero = t->quant.n == 1 && t->quant.zero_point ? t->quant.zero_point[0] : 0;

    if (!(scale > 0 && isfinite(scale)))
        return err_set(err, ST_BAD_MODEL, "%s needs one scale above 0, but has %u, the first %g", TENSOR_TEXT(t), t->quant.n,
                       t->quant.n ? (double)t->quant.scale[0] : 0);
    if (zero < l.lo || zero > l.hi)
        return err_set(err, ST_BAD_MODEL, "the zero point %lld of %s is not a value of its type", (long long)zero, TENSOR_TEXT(t));
    return ST_OK;
}

enum status quant_check_all(const struct tensor *const *t, uint32_t n, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < n && !st; i++)
        st = t[i] ? quant_check(t[i], err) : ST_OK;
    return st;
}

enum status quant_check_symmetric(const struct tensor *t, struct err *err)
{
    if (t->type == TYPE_INT16 && quant_zero(t) != 0)
        return err_set(err, ST_BAD_MODEL, "the zero point of %s must be 0, not %d", TENSOR_TEXT(t), (int)quant_zero(t));
    return ST_OK;
}

bool quant_whole_log2(float scale, int32_t *out)
{
    const float exact = logf(scale) * (1.0f / logf(2.0f)), whole = roundf(exact);

    *out = (int32_t)whole;
    return fabsf(exact - whole) < 1e-3f;
}

enum status quant_multiplier(double real, struct fixed_mul *out, struct err *err)
{
    if (!fixed_from_double(real, out))
        return err_set(err, ST_BAD_MODEL, "the scales call for a factor of %g, which is out of range", real);
    return ST_OK;
}
