/* SPDX-License-Identifier: Apache-2.0 */
/* activation_quant.c - quantized RELU, LEAKY_RELU and HARD_SWISH. */
#include "kernels_cpu/ops/activation.h"
#include "kernels_cpu/quant/lut.h"
#include "kernels_cpu/quant/quant_check.h"

struct rescale {
    struct map_plan plan;
    int32_t x_zero, y_zero, lo, hi;
    struct fixed_mul positive, negative; /* RELU has one factor for both */
    int32_t sign;                        /* of the one for negatives: the factor itself, and the rounding, know no sign */
};

static inline int32_t rescale(int32_t v, const struct rescale *r)
{
    const int32_t x = v - r->x_zero;

    const int32_t y = x >= 0 ? fixed_scale(x, r->positive) : fixed_scale(x, r->negative) * r->sign;

    return fixed_clamp(r->y_zero + y, r->lo, r->hi);
}

static int32_t rescale_lut(int32_t q, const void *arg)
{
    return rescale(q, arg);
}

CLONES MAP_ROW(rescale_i16, int16_t, int16_t, const struct rescale r = *(const struct rescale *)arg, rescale(v, &r))

    /* Sets the zero points and the type's own bounds. */
    static enum status rescale_init(const struct node *n, struct rescale *r, struct err *err)
{
    const struct tensor *x = n->in[0], *y = n->out[0];
    const struct range_i32 l = int_limits(y->type);
    enum status st;

    if ((st = map_types(n, err)) || (st = quant_check_all((const struct tensor *[]){x, y}, 2, err)) ||
        (st = quant_check_symmetric(x, err)) || (st = quant_check_symmetric(y, err)))
        return st;
    *r = (struct rescale){
        .plan = {rescale_i16}, .x_zero = quant_zero(x), .y_zero = quant_zero(y), .lo = l.lo, .hi = l.hi, .sign = 1};
    return ST_OK;
}

static enum status rescale_plan(struct cpu_call *c, const struct rescale *r, struct err *err)
{
    enum status st;

    if (c->node->in[0]->type != TYPE_INT16)
        return lut_prepare_int(c, rescale_lut, r, err);
    if (!(st = map_plan(c, rescale_i16, sizeof *r, err)))
        *(struct rescale *)c->packed = *r;
    return st;
}

/* The quantized value of a real bound, within [lo, hi]. */
static int32_t bound(float real, const struct tensor *y, int32_t lo, int32_t hi)
{
    const float steps = roundf(real / quant_scale(y)) + (float)quant_zero(y);

    return steps <= (float)lo ? lo : steps >= (float)hi ? hi : (int32_t)steps;
}

enum status activation_prepare_relu(struct cpu_call *c, float lo, float hi, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    struct rescale r;
    enum status st;

    if ((st = rescale_init(c->node, &r, err)) ||
        (st = quant_multiplier((double)(quant_scale(x) / quant_scale(y)), &r.positive, err)))
        return st;
    r.negative = r.positive;
    r.hi = bound(hi, y, r.lo, r.hi);
    r.lo = bound(lo, y, r.lo, r.hi);
    return rescale_plan(c, &r, err);
}

enum status activation_prepare_leaky_relu(struct cpu_call *c, float alpha, struct err *err)
{
    const float x = quant_scale(c->node->in[0]), y = quant_scale(c->node->out[0]);
    struct rescale r;
    enum status st;

    if ((st = rescale_init(c->node, &r, err)) || (st = quant_multiplier((double)(x / y), &r.positive, err)) ||
        (st = quant_multiplier((double)fabsf(x * alpha / y), &r.negative, err)))
        return st;
    r.sign = alpha < 0 ? -1 : 1;
    return rescale_plan(c, &r, err);
}

/* 16-bit fixed point: x at a scale with 7 more bits, as steps of the output before its right shift, and as a fraction of 3 that
 * saturates ("reluish"), which becomes the factor between 0 and 1. */
struct hard_swish {
    int32_t x_zero, y_zero;
    int32_t y_mul, y_shift; /* 15 fractional bits; shift <= 0 */
    int32_t reluish_mul, reluish_shift;
};

static int32_t saturate_i16(int64_t v)
{
    return v > INT16_MAX ? INT16_MAX : v < INT16_MIN ? INT16_MIN : (int32_t)v;
}

/* round(a * b / 2^15) for 16-bit values. */
static int32_t mul_high16(int32_t a, int32_t b)
{
    return saturate_i16((a * b + (1 << 14)) >> 15);
}

/* The same, rounding towards zero. */
static int32_t mul_high16_truncated(int32_t a, int32_t b)
{
    return saturate_i16(a * b / (1 << 15));
}

static int32_t hard_swish(int32_t q, const void *arg)
{
    const struct hard_swish *h = arg;
    const int32_t x = (int16_t)((q - h->x_zero) * (1 << 7)), y = mul_high16(x, h->y_mul), left = h->reluish_shift;
    int32_t reluish = x;

    /* The last bit of a left shift comes after the product, so that saturation before it cannot show in the result. */
    if (left > 0)
        reluish = saturate_i16(reluish * (INT64_C(1) << (left - 1)));
    reluish = mul_high16(reluish, h->reluish_mul);
    if (left > 0)
        reluish = saturate_i16(reluish * 2);
    if (left < 0)
        reluish = fixed_shift_right(reluish, -left);
    reluish = (reluish + (1 << 15)) >> 1;
    return (int16_t)(fixed_shift_right(mul_high16_truncated(reluish, y), -h->y_shift) + h->y_zero);
}

/* The multiplier with 15 fractional bits instead of 31. */
static enum status short_multiplier(float real, int32_t *mul, int32_t *shift, struct err *err)
{
    struct fixed_mul m;
    const enum status st = quant_multiplier((double)real, &m, err);

    if (st)
        return st;
    *mul = m.mult >= INT32_MAX - (1 << 15) ? INT16_MAX : (m.mult + (1 << 15)) >> 16;
    *shift = m.shift;
    return ST_OK;
}

enum status activation_prepare_hard_swish(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0], *y = c->node->out[0];
    const float hires = (1.0f / 128.0f) * quant_scale(x);
    struct hard_swish h = {.x_zero = quant_zero(x), .y_zero = quant_zero(y)};
    enum status st;

    if ((st = quant_check_all((const struct tensor *[]){x, y}, 2, err)) ||
        (st = short_multiplier(hires / quant_scale(y), &h.y_mul, &h.y_shift, err)) ||
        (st = short_multiplier(hires / (3.0f / 32768.0f), &h.reluish_mul, &h.reluish_shift, err)))
        return st;
    if (h.y_shift > 0)
        return err_set(err, ST_BAD_MODEL, "an input scale of %g is too large for an output scale of %g", (double)quant_scale(x),
                       (double)quant_scale(y));
    return lut_prepare_int(c, hard_swish, &h, err);
}
