/* SPDX-License-Identifier: Apache-2.0 */
/* requantize.c - see requantize.h */
#include "kernels_gl/quant/requantize.h"

#include <math.h>

#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/kinds.h"
#include "kernels_gl/common/operands.h"
#include "kernels_gl/quant/exact_requant.h"

/* Storage blocks of which a convolution's values, weights and what rounds its result leave some for functions fused behind it. */
#define ENOUGH_BLOCKS 8

static const struct ir_fn fn_twice = {"REQUANTIZE",   "requantize4(a, b, p)",    NULL,        .arity = 2,
                                      .params = true, .helper = requantize_comp, .full = true};
/* The first to the last bit: b and c are the multiplier and the shift of struct fixed_mul. */
static const struct ir_fn fn_fixed = {
    "REQUANTIZE",   "clamp(vec4(fixed_scale(ivec4(floor(a * p.y + 0.5)), b, c)), vec4(p.z), vec4(p.w)) * p.x",
    NULL,           .arity = 3,
    .params = true, .helper = exact_fixed_comp,
    .full = true};
/* The same of a double, as real_scale_packed has it in b and c. */
static const struct ir_fn fn_real = {
    "REQUANTIZE",   "clamp(vec4(real_scale_packed(ivec4(floor(a * p.y + 0.5)), b, c)), vec4(p.z), vec4(p.w)) * p.x",
    NULL,           .arity = 3,
    .params = true, .helper = exact_real_comp,
    .full = true};
/* Two terms of a sum with more bits, in steps that they share, which are twice those of a: so a's multiplier is a half. p: what
 * makes integers of both, half of what a bit more is (below 0: b is subtracted), and b's shift. */
static const struct ir_fn fn_terms = {"SUM_OF_STEPS",
                                      "ivec4(floor(a * p.x + 0.5)) * abs(int(p.z)) + fixed_scale(ivec4(floor(b * p.y + 0.5)) * "
                                      "(2 * abs(int(p.z))), c, ivec4(int(p.w))) * sign(int(p.z))",
                                      NULL,
                                      .arity = 3,
                                      .params = true,
                                      .helper = exact_fixed_comp,
                                      .full = true};
static const struct ir_fn fn_of_terms = {
    "REQUANTIZE", NULL,           "clamp(vec4(fixed_scale(a, b, c)), vec4(p.z), vec4(p.w)) * p.x",
    .arity = 3,   .params = true, .helper = exact_fixed_comp,
    .full = true};
/* Of scales that are powers of two, where both terms are rounded to steps of the output first. */
static const struct ir_fn fn_shifted_terms = {"SUM_OF_STEPS",
                                              "fixed_shift_right(ivec4(floor(a * p.x + 0.5)), ivec4(int(p.z))) + "
                                              "fixed_shift_right(ivec4(floor(b * p.y + 0.5)), ivec4(int(p.w)))",
                                              NULL,
                                              .arity = 2,
                                              .params = true,
                                              .helper = exact_fixed_comp,
                                              .full = true};
static const struct ir_fn fn_factors = {
    "PRODUCT_OF_STEPS", "ivec4(floor(a * p.x + 0.5)) * ivec4(floor(b * p.y + 0.5))", NULL, .arity = 2, .params = true,
    .full = true};
static const struct ir_fn fn_of_shifted_terms = {"REQUANTIZE", NULL,           "vec4(clamp(a, ivec4(p.z), ivec4(p.w))) * p.x",
                                                 .arity = 1,   .params = true, .full = true};
/* The limits of t's type and of what the activation leaves, less the zero point. False: it does not only clamp. */
static bool limits_of(const struct tensor *t, enum activation act, float *least, float *most)
{
    const float scale = t->quant.scale[0], zero = t->quant.zero_point ? (float)t->quant.zero_point[0] : 0;

    *least = (float)int_limits(t->type).lo - zero;
    *most = (float)int_limits(t->type).hi - zero;
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

/* A constant for each output channel, of which a single one is a number. */
static struct ir_value *constant(struct ir *ir, enum ir_type type, const void *data, uint32_t n)
{
    struct ir_value *v = ir_const(ir, type, (struct ir_shape){1, 1, 1, (int32_t)n}, data);

    if (v)
        v->full = true;
    return v;
}

/* Sets ir->lowering.rounding. False: out of memory, or b is NULL. */
static bool set_rounding(struct ir *ir, const struct ir_fn *fn, struct ir_value *b, struct ir_value *c, const float p[4])
{
    struct ir_epilogue *e = ARENA_NEW(ir->arena, struct ir_epilogue);

    ir->lowering.rounding = e;
    if (!e || !b || (fn->arity > 2 && !c))
        return false;
    *e = (struct ir_epilogue){.fn = fn, .operand = {NULL, b, c}, .p = {p[0], p[1], p[2], p[3]}};
    return true;
}

/* The multiplier m as fn_fixed or fn_real has it. False: it has no such. */
static bool multiplier_of(const struct ir_fn *fn, double m, int32_t *b, int32_t *c)
{
    const struct exact_real real = exact_real_of(m);
    struct fixed_mul fixed;

    *b = (int32_t)(uint32_t)real.whole;
    *c = (int32_t)(real.whole >> 32) | real.shift << 21;
    if (fn == &fn_real)
        return real.shift > 0;
    if (!fixed_from_double(m, &fixed))
        return false;
    *b = fixed.mult;
    *c = fixed.shift;
    return true;
}

/* More buffers than any device has, or a multiplier beyond what TFLite has: in floats, which is off by a step where a sum is within
 * 2^-24 of the middle of two. */
static enum status round_in_floats(struct ir *ir, const double *m, uint32_t n, const float p[4], struct err *err)
{
    float *rounded = ARENA_ARRAY(ir->arena, n, float);

    for (uint32_t i = 0; rounded && i < n; i++)
        rounded[i] = (float)m[i];
    return rounded && set_rounding(ir, &fn_twice, constant(ir, IR_FLOAT, rounded, n), NULL, p) ? ST_OK : ir_nomem(err);
}

/* m: steps of the output in a unit, for all channels or each of them. */
static enum status round_by(struct ir *ir, const struct ir_fn *fn, const double *m, uint32_t n, const float p[4], struct err *err)
{
    int32_t *b = ARENA_ARRAY(ir->arena, n, int32_t), *c = ARENA_ARRAY(ir->arena, n, int32_t);
    bool fits = n == 1 || !ir->limits || ir->limits->storage_blocks >= ENOUGH_BLOCKS;

    if (!b || !c)
        return ir_nomem(err);
    for (uint32_t i = 0; i < n && fits; i++)
        fits = multiplier_of(fn, m[i], &b[i], &c[i]);
    if (!fits)
        return round_in_floats(ir, m, n, p, err);
    return set_rounding(ir, fn, constant(ir, IR_INT, b, n), constant(ir, IR_INT, c, n), p) ? ST_OK : ir_nomem(err);
}

/* Steps of the output in a unit of a sum of channel i. */
static double unit_of(const struct tensor *x, const struct tensor *filter, const struct tensor *y, uint32_t i)
{
    const bool float_product = x->type == TYPE_UINT8 && filter->rank == 4; /* as TFLite has it of convolutions */
    const float in = x->quant.scale[0], scale = filter->quant.scale[i];

    return (float_product ? (double)(in * scale) : (double)in * (double)scale) / (double)y->quant.scale[0];
}

static bool can_count(const struct tensor *x, const struct tensor *filter, const struct tensor *y)
{
    const bool bytes = filter->type == TYPE_INT8 || filter->type == TYPE_UINT8 || filter->type == TYPE_INT4 ||
                       filter->type == TYPE_INT2;

    return ir_is_quantized(x) && ir_is_quantized(y) && filter->is_const && filter->quant.n && filter->quant.block_size <= 0 &&
           bytes;
}

/* Matrix products are scaled by a double, convolutions in fixed point. */
static const struct ir_fn *scaling_of(const struct tensor *filter)
{
    return filter->rank == 2 ? &fn_real : &fn_fixed;
}

bool requantize_is_exact(const struct tensor *x, const struct tensor *filter, const struct tensor *y)
{
    int32_t b, c;

    if (!ir_is_quantized(x))
        return true;
    if (!can_count(x, filter, y) || x->type == TYPE_INT16)
        return false;
    for (uint32_t i = 0; i < filter->quant.n; i++)
        if (!multiplier_of(scaling_of(filter), unit_of(x, filter, y, i), &b, &c))
            return false;
    return true;
}

/* What each output channel's weights are multiples of. */
static enum status set_unit(struct ir *ir, const struct tensor *filter, const struct tensor *y, struct err *err)
{
    const uint32_t n = y->rank ? (uint32_t)y->dim[y->rank - 1] : 1, n_scales = filter->quant.n;
    float *unit;

    if (!filter->is_const || !n_scales || filter->quant.block_size > 0 || (n_scales > 1 && n_scales != n))
        return ST_OK;
    if (!(unit = ARENA_ARRAY(ir->arena, n, float)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        unit[i] = filter->quant.scale[n_scales > 1 ? i : 0];
    ir->lowering.unit = unit;
    return ST_OK;
}

enum status requantize_sum(struct ir *ir, const struct node *n, const struct tensor *x, const struct tensor *filter,
                           enum activation *act, struct err *err)
{
    const struct tensor *y = n->out[0];
    const uint32_t n_scales = filter->quant.n;
    float p[4];
    double *m;

    if (!can_count(x, filter, y) || !limits_of(y, *act, &p[2], &p[3]))
        return set_unit(ir, filter, y, err);
    p[0] = y->quant.scale[0];
    p[1] = 1;
    if (!(m = ARENA_ARRAY(ir->arena, n_scales, double)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < n_scales; i++)
        m[i] = unit_of(x, filter, y, i);
    ir->lowering.to_counts = 1 / x->quant.scale[0];
    *act = ACT_NONE;
    return round_by(ir, scaling_of(filter), m, n_scales, p, err);
}

enum status requantize_by(struct ir *ir, const struct node *n, double unit, double m, enum activation *act, struct err *err)
{
    const struct tensor *y = n->out[0];
    float p[4];

    if (!ir_is_quantized(y) || !limits_of(y, *act, &p[2], &p[3]))
        return ST_OK;
    p[0] = y->quant.scale[0];
    p[1] = (float)(1 / unit);
    if (!isnormal(p[1]))
        return ST_OK;
    *act = ACT_NONE;
    return round_by(ir, &fn_fixed, &m, 1, p, err);
}

/* The larger scale first. */
static struct ir_op *sum_terms(struct ir *ir, const struct node *n, const struct arith_numbers *q, bool subtracts,
                               struct ir_value *const in[2], struct ir_value *y)
{
    const float scale[] = {n->in[0]->quant.scale[0], n->in[1]->quant.scale[0]};
    const int a = scale[1] > scale[0], b = !a;
    const struct fixed_mul mul = a ? q->a_mul : q->b_mul;
    struct ir_value *mult = ir_number(ir, mul.mult);
    const float half = (float)(1 << (q->left - 1));
    const float p[4] = {(subtracts && a ? -1 : 1) / scale[a], 1 / scale[b], subtracts && b ? -half : half, (float)mul.shift};
    struct ir_op *op = mult ? ir_map(ir, &fn_terms, (struct ir_value *[3]){in[a], in[b], mult}, p, y) : NULL;

    if (op)
        op->epilogue->out = IR_INT;
    return op;
}

static struct ir_op *sum_shifted_terms(struct ir *ir, const struct node *n, const struct arith_numbers *q, bool subtracts,
                                       struct ir_value *const in[2], struct ir_value *y)
{
    const float p[4] = {1 / n->in[0]->quant.scale[0], (subtracts ? -1 : 1) / n->in[1]->quant.scale[0], (float)-q->a_mul.shift,
                        (float)-q->b_mul.shift};
    struct ir_op *op = ir_map(ir, &fn_shifted_terms, (struct ir_value *[3]){in[0], in[1]}, p, y);

    if (op)
        op->epilogue->out = IR_INT;
    return op;
}

/* What op computes, integers in steps of y_mul, becomes the node's output. */
static enum status round_integers(struct ir *ir, const struct node *n, const struct arith_numbers *q, const struct ir_fn *fn,
                                  struct ir_op *op, struct err *err)
{
    const float p[4] = {n->out[0]->quant.scale[0], 0, (float)(q->r.lo - q->y_zero), (float)(q->r.hi - q->y_zero)};
    struct ir_value *mult = ir_number(ir, q->y_mul.mult), *shift = ir_number(ir, q->y_mul.shift);

    ir->lowering.rounded = true;
    return mult && shift && ir_apply(ir, op, fn, (struct ir_value *[3]){NULL, mult, shift}, p, IR_FLOAT) ? ST_OK : ir_nomem(err);
}

enum status requantize_terms(struct ir *ir, const struct node *n, const struct arith_numbers *q, bool subtracts,
                             struct ir_value *const in[2], struct ir_value *y, struct err *err)
{
    struct ir_op *op = (q->by_shifts ? sum_shifted_terms : sum_terms)(ir, n, q, subtracts, in, y);

    return round_integers(ir, n, q, q->by_shifts ? &fn_of_shifted_terms : &fn_of_terms, op, err);
}

enum status requantize_factors(struct ir *ir, const struct node *n, const struct arith_numbers *q, struct ir_value *const in[2],
                               struct ir_value *y, struct err *err)
{
    const float p[4] = {1 / n->in[0]->quant.scale[0], 1 / n->in[1]->quant.scale[0]};
    struct ir_op *op = ir_map(ir, &fn_factors, (struct ir_value *[3]){in[0], in[1]}, p, y);

    if (op)
        op->epilogue->out = IR_INT;
    return round_integers(ir, n, q, &fn_of_terms, op, err);
}

const float *requantize_filter(struct ir *ir, const struct tensor *filter)
{
    return ir->lowering.to_counts ? ir_counts(ir, filter) : ir_floats(ir, filter);
}
