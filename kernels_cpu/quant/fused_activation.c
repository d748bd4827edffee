/* SPDX-License-Identifier: Apache-2.0 */
/* fused_activation.c - ranges of the activations that are clamps, and all activations applied to floats. */
#include "kernels_cpu/quant/fused_activation.h"

#include <math.h>

enum status activation_range(enum activation a, struct range_f32 *r, struct err *err)
{
    switch (a) {
    case ACT_NONE: *r = (struct range_f32){-FLT_MAX, FLT_MAX}; return ST_OK;
    case ACT_RELU: *r = (struct range_f32){0, FLT_MAX}; return ST_OK;
    case ACT_RELU_N1_TO_1: *r = (struct range_f32){-1, 1}; return ST_OK;
    case ACT_RELU6: *r = (struct range_f32){0, 6}; return ST_OK;
    default: *r = (struct range_f32){0, 0}; return err_set(err, ST_UNSUPPORTED, "fused activation %d is not a clamp", (int)a);
    }
}

/* round(real / scale) + zero point, halves away from zero, within `r`; t is quantized as a whole with a scale above 0, and
 * real / scale is below 2^30. */
static int32_t quant_bound(float real, const struct tensor *t, struct range_i32 r)
{
    int64_t q = (int64_t)roundf(real / quant_scale(t)) + quant_zero(t);

    return q < r.lo ? r.lo : q > r.hi ? r.hi : (int32_t)q;
}

enum status activation_range_quant(enum activation a, const struct tensor *t, struct range_i32 *r, struct err *err)
{
    const struct range_i32 all = int_limits(t->type);
    float scale = quant_scale(t);
    struct range_f32 real = {0, 0};
    enum status st = activation_range(a, &real, err);

    *r = all;
    if (st || a == ACT_NONE)
        return st;
    if (!(scale > 0) || !(fabsf(real.lo / scale) < 0x1p30f) || (a != ACT_RELU && !(real.hi / scale < 0x1p30f)))
        return err_set(err, ST_BAD_MODEL, "an output scale of %g cannot express the fused activation", (double)scale);
    r->lo = quant_bound(real.lo, t, all);
    if (a != ACT_RELU)
        r->hi = quant_bound(real.hi, t, all);
    return ST_OK;
}

void activation_apply(float *v, size_t n, enum activation act)
{
    for (size_t i = 0; i < n; i++)
        switch (act) {
        case ACT_RELU: v[i] = v[i] > 0 ? v[i] : 0; break;
        case ACT_RELU6: v[i] = v[i] > 0 ? v[i] > 6 ? 6 : v[i] : 0; break;
        case ACT_RELU_N1_TO_1: v[i] = v[i] > -1 ? v[i] > 1 ? 1 : v[i] : -1; break;
        case ACT_TANH: v[i] = tanhf(v[i]); break;
        case ACT_SIGN_BIT: v[i] = signbit(v[i]) ? 1 : 0; break;
        case ACT_SIGMOID: v[i] = 1.0f / (1.0f + expf(-v[i])); break;
        default: return;
        }
}
