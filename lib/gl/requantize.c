/* SPDX-License-Identifier: Apache-2.0 */
/* requantize.c - see requantize.h */
#include "requantize.h"

#include <math.h>

static const struct ir_fn fn_twice = {"REQUANTIZE", 2, "requantize4(a, b, p)", NULL, .params = true, .helper = requantize_comp,
                                      .full = true};
static const struct ir_fn fn_once = {"REQUANTIZE", 2, "requantize4_once(a, b, p)", NULL, .params = true, .helper = requantize_comp,
                                     .full = true};
static const struct ir_fn fn_mean = {"STEPS_OF_MEAN",           1,           "requantize4_mean(a, p)", NULL, .params = true,
                                     .helper = requantize_comp, .full = true};

/* The limits of t's type and of what the activation leaves, less the zero point. False: it does not only clamp. */
static bool limits_of(const struct tensor *t, enum activation act, float *least, float *most)
{
    const float scale = t->quant.scale[0], zero = t->quant.zero_point ? (float)t->quant.zero_point[0] : 0;

    *least = (t->type == TYPE_INT8 ? INT8_MIN : t->type == TYPE_INT16 ? INT16_MIN : 0) - zero;
    *most = (t->type == TYPE_INT8 ? INT8_MAX : t->type == TYPE_INT16 ? INT16_MAX : UINT8_MAX) - zero;
    switch (act) {
    case ACT_NONE: return true;
    case ACT_RELU: *least = fmaxf(*least, 0); return true;
    case ACT_RELU6:
        *least = fmaxf(*least, 0);
        *most = fminf(*most, roundf(6 / scale));
        return true;
    case ACT_RELU_N1_TO_1:
        *least = fmaxf(*least, roundf(-1 / scale));
        *most = fminf(*most, roundf(1 / scale));
        return true;
    default: return false;
    }
}

/* With 15 bits, as fixed_scale64 has it. */
static float short_multiplier(double m)
{
    int exponent;
    double part = frexp(m, &exponent);

    return (float)ldexp(fmin(floor(part * 32768 + 0.5), 32767), exponent - 15);
}

static enum status set(struct ir *ir, const struct ir_fn *fn, struct ir_value *m, const float p[4], struct err *err)
{
    struct ir_epilogue *e = ARENA_NEW(ir->arena, struct ir_epilogue);

    if (!e || (fn->arity > 1 && !m))
        return ir_nomem(err);
    e->fn = fn;
    e->operand[1] = m;
    for (int i = 0; i < 4; i++)
        e->p[i] = p[i];
    ir->rounding = e;
    return ST_OK;
}

/* A constant for each output channel, of which a single one is a number. */
static struct ir_value *constant(struct ir *ir, const float *m, uint32_t n)
{
    struct ir_value *v = ir_const(ir, IR_FLOAT, (struct ir_shape){1, 1, 1, (int32_t)n}, m);

    if (v)
        v->full = true;
    return v;
}

static bool can_count(const struct tensor *x, const struct tensor *filter, const struct tensor *y)
{
    const bool bytes = filter->type == TYPE_INT8 || filter->type == TYPE_UINT8 || filter->type == TYPE_INT4;

    return ir_is_quantized(x) && ir_is_quantized(y) && filter->is_const && filter->quant.n && bytes;
}

enum status gl_requantize_sum(struct ir *ir, const struct node *n, const struct tensor *x, const struct tensor *filter,
                              enum activation *act, struct err *err)
{
    const struct tensor *y = n->out[0];
    const uint32_t n_scales = filter->quant.n;
    float p[4], *m;

    if (!can_count(x, filter, y) || !limits_of(y, *act, &p[2], &p[3]))
        return ST_OK;
    p[0] = y->quant.scale[0];
    p[1] = 1;
    if (!(m = ARENA_ARRAY(ir->arena, n_scales, float)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < n_scales; i++) {
        const double steps = (double)x->quant.scale[0] * (double)filter->quant.scale[i] / (double)y->quant.scale[0];

        m[i] = x->type == TYPE_INT16 ? short_multiplier(steps) : (float)steps;
    }
    ir->to_counts = 1 / x->quant.scale[0];
    *act = ACT_NONE;
    return set(ir, x->type == TYPE_INT16 ? &fn_once : &fn_twice, constant(ir, m, n_scales), p, err);
}

enum status gl_requantize_by(struct ir *ir, const struct node *n, double unit, enum activation *act, struct err *err)
{
    const struct tensor *y = n->out[0];
    float p[4], *m;

    if (!ir_is_quantized(y) || !limits_of(y, *act, &p[2], &p[3]))
        return ST_OK;
    p[0] = y->quant.scale[0];
    p[1] = (float)(1 / unit);
    if (!isnormal(p[1]) || !(m = ARENA_ARRAY(ir->arena, 1, float)))
        return isnormal(p[1]) ? ir_nomem(err) : ST_OK;
    *m = (float)(unit / (double)y->quant.scale[0]);
    *act = ACT_NONE;
    return set(ir, &fn_twice, constant(ir, m, 1), p, err);
}

enum status gl_requantize_mean(struct ir *ir, const struct node *n, enum activation *act, struct err *err)
{
    const struct tensor *y = n->out[0];
    float p[4];

    if (!ir_is_quantized(y) || !limits_of(y, *act, &p[2], &p[3]))
        return ST_OK;
    p[0] = y->quant.scale[0];
    p[1] = y->quant.zero_point ? (float)y->quant.zero_point[0] : 0;
    *act = ACT_NONE;
    return set(ir, &fn_mean, NULL, p, err);
}

const float *gl_filter(struct ir *ir, const struct tensor *filter)
{
    return ir->to_counts ? ir_counts(ir, filter) : ir_floats(ir, filter);
}
