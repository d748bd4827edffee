/* SPDX-License-Identifier: Apache-2.0 */
/* prelu.c - PRELU: a slope for negative values, which broadcasts to the input's shape. */
#include "kernels_cpu/ops/arith.h"
#include "kernels_cpu/quant/quant_check.h"

struct prelu {
    struct broadcast_plan plan;
    struct arith_numbers n;
};

static inline int32_t prelu(int32_t a, int32_t b, const struct arith_numbers *p)
{
    const int32_t x = a - p->a_zero;
    const int32_t y = x >= 0 ? fixed_scale(x, p->a_mul) : fixed_scale(x * (b - p->b_zero), p->y_mul);

    return fixed_clamp(y + p->y_zero, p->r.lo, p->r.hi);
}

/* A copy on the stack: stores of 8-bit results could alias the original. */
#define QUANT const struct arith_numbers p = ((const struct prelu *)arg)->n

CLONES BINARY_ROW(prelu_f32, float, float, NO_SETUP, a >= 0 ? a : a * b) CLONES
    BINARY_ROW(prelu_i8, int8_t, int8_t, QUANT, prelu(a, b, &p)) CLONES
    BINARY_ROW(prelu_u8, uint8_t, uint8_t, QUANT, prelu(a, b, &p)) CLONES
    BINARY_ROW(prelu_i16, int16_t, int16_t, QUANT, prelu(a, b, &p))

    /* INT16 with INT8 slopes. */
    static void prelu_i16_i8(const void *arg, void *out, const void *const *x, const size_t *step, size_t n)
{
    QUANT;
    const int16_t *values = x[0];
    const int8_t *slopes = x[1];
    int16_t *y = out;

    for (size_t i = 0; i < n; i++)
        y[i] = (int16_t)prelu(values[i * step[0]], slopes[i * step[1]], &p);
}

static const broadcast_row quant_rows[TYPE_COUNT] = {
    [TYPE_INT8] = prelu_i8,
    [TYPE_UINT8] = prelu_u8,
    [TYPE_INT16] = prelu_i16,
};

static const broadcast_row float_rows[TYPE_COUNT] = {[TYPE_FLOAT32] = prelu_f32};

static enum status prelu_shape(struct node *n, struct err *err)
{
    const enum status st = broadcast_shape(n, err);

    if (st)
        return st;
    if (!tensor_same_shape(n->in[0], n->out[0]))
        return err_set(err, ST_BAD_MODEL, "the slopes %s do not broadcast to the input %s", TENSOR_TEXT(n->in[1]),
                       TENSOR_TEXT(n->in[0]));
    return ST_OK;
}

/* The slopes have the input's type; those of INT16 may have INT8, and TFLite takes them for INT8 always. */
static broadcast_row quant_row(const struct node *n, struct err *err)
{
    const enum tensor_type x = n->in[0]->type;

    if (x == TYPE_INT16 && n->in[1]->type == TYPE_INT8 && n->out[0]->type == x)
        return prelu_i16_i8;
    return broadcast_types(n, TYPE_NONE, err) ? NULL : quant_rows[x];
}

enum status prelu_numbers(const struct node *n, struct arith_numbers *out, struct err *err)
{
    const struct tensor *x = n->in[0], *slope = n->in[1], *y = n->out[0];
    enum status st;

    if (!quant_row(n, err))
        return ST_BAD_MODEL;
    if ((st = quant_check_all((const struct tensor *[]){x, slope, y}, 3, err)) || (st = quant_check_symmetric(slope, err)) ||
        (slope->type == TYPE_INT16 && (st = quant_check_symmetric(x, err))))
        return st;
    *out = (struct arith_numbers){
        .a_zero = quant_zero(x), .b_zero = quant_zero(slope), .y_zero = quant_zero(y), .r = int_limits(y->type)};
    if ((st = quant_multiplier((double)(quant_scale(x) / quant_scale(y)), &out->a_mul, err)))
        return st;
    return quant_multiplier((double)(quant_scale(x) * quant_scale(slope) / quant_scale(y)), &out->y_mul, err);
}

static enum status prelu_prepare(struct cpu_call *c, struct err *err)
{
    struct arith_numbers numbers;
    enum status st;

    if (!quant_rows[c->node->in[0]->type])
        return broadcast_plan_rows(c, float_rows, TYPE_NONE, err);
    if ((st = prelu_numbers(c->node, &numbers, err)) ||
        (st = broadcast_plan(c, quant_row(c->node, err), sizeof(struct prelu), err)))
        return st;
    ((struct prelu *)c->packed)->n = numbers;
    return ST_OK;
}

const struct cpu_kernel cpu_prelu = {.shape = prelu_shape, .prepare = prelu_prepare, .run = broadcast_plan_run};
