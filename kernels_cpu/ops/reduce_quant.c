/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_quant.c - MEAN, SUM and REDUCE_PROD of quantized tensors in fixed point.
 *
 * LiteRT up to 2.3 reads and writes INT8 and INT16 in its reference SUM as though they were UINT8, which leaves part of an INT16
 * output unwritten; here they keep their type, as in its later source. */
#include "kernels_cpu/ops/reduce_quant.h"

#include <math.h>

#include "kernels_cpu/ops/reduction.h"
#include "kernels_cpu/quant/fixed_point.h"

static struct range {
    int32_t lo, hi;
} type_range(enum tensor_type type)
{
    switch (type) {
    case TYPE_INT8: return (struct range){INT8_MIN, INT8_MAX};
    case TYPE_UINT8: return (struct range){0, UINT8_MAX};
    default: return (struct range){INT16_MIN, INT16_MAX};
    }
}

static void store(struct tensor *y, size_t i, int32_t value)
{
    struct range range = type_range(y->type);

    value = fixed_clamp(value, range.lo, range.hi);
    if (y->type == TYPE_INT16)
        ((int16_t *)y->data)[i] = (int16_t)value;
    else
        ((uint8_t *)y->data)[i] = (uint8_t)value;
}

#define SUM_LINE(T)                                                                                                                \
    static void sum_##T(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line)                                     \
    {                                                                                                                              \
        const struct reduction *r = arg;                                                                                           \
        const T *x = (const T *)r->x + src;                                                                                        \
        uint32_t *acc = (uint32_t *)r->acc + dst;                                                                                  \
                                                                                                                                   \
        for (size_t i = 0; i < line->n; i++)                                                                                       \
            acc[line->dst_step ? i : 0] += (uint32_t)x[i];                                                                         \
    }

SUM_LINE(int8_t)
SUM_LINE(uint8_t)
SUM_LINE(int16_t)

/* x * input scale / output scale; for products, the scale of one factor so that all of them give the output's. */
static enum status rescale(const struct node *n, double real, struct fixed_mul *out, struct err *err)
{
    if (!fixed_from_double(real, out))
        return err_set(err, ST_BAD_MODEL, "scales %g and %g do not make a usable ratio", (double)quant_scale(n->in[0]),
                       (double)quant_scale(n->out[0]));
    return ST_OK;
}

static enum status sum_scale(const struct node *n, struct fixed_mul *out, struct err *err)
{
    if (n->builtin == BUILTIN_MEAN && !n->in[0]->quant.n && !n->out[0]->quant.n) {
        *out = (struct fixed_mul){0}; /* TFLite's factor of two scales of 0 */
        return ST_OK;
    }
    return rescale(n, (double)quant_scale(n->in[0]) / (double)quant_scale(n->out[0]), out, err);
}

static enum status check_zero_points(const struct node *n, struct err *err)
{
    if (n->in[0]->type == TYPE_INT16 && (quant_zero(n->in[0]) || quant_zero(n->out[0])))
        return err_set(err, ST_BAD_MODEL, "INT16 zero points %d and %d must be 0", quant_zero(n->in[0]), quant_zero(n->out[0]));
    return ST_OK;
}

enum status reduce_quant_prepare(struct cpu_call *c, struct err *err)
{
    struct fixed_mul scale;
    enum status st;

    if ((st = move_prepare(c, err)) || (st = check_zero_points(c->node, err)) || (st = sum_scale(c->node, &scale, err)))
        return st;
    c->scratch_bytes = tensor_elems(c->node->out[0]) * sizeof(uint32_t);
    return ST_OK;
}

/* Takes the division by `count` into the multiplier, with as many bits as the shift has left. */
static struct fixed_mul divide(struct fixed_mul m, size_t count)
{
    int32_t bits = 63 - __builtin_clzll(count);

    bits = bits < 32 ? bits : 32;
    bits = bits < 31 + m.shift ? bits : 31 + m.shift;
    return (struct fixed_mul){(int32_t)(m.mult * (INT64_C(1) << bits) / (int64_t)count), m.shift - bits};
}

enum status reduce_quant_scale(const struct node *n, size_t count, struct fixed_mul *out, struct err *err)
{
    enum status st = sum_scale(n, out, err);

    if (!st && count > 1)
        *out = divide(*out, count);
    return st;
}

enum status reduce_quant_run(struct cpu_call *c, bool mean, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    struct tensor *y = c->node->out[0];
    struct fixed_mul scale;
    struct reduction r;
    uint32_t *sum = c->scratch, offset;
    enum status st;

    if ((st = reduction_plan(c->node, &r, err)) || (st = reduce_quant_scale(c->node, mean ? r.per_output : 1, &scale, err)))
        return st;
    r.acc = sum;
    move_fill(r.elems ? c->scratch : y->data, 0, r.outputs, r.elems ? 32 : type_bits(y->type), &(const uint32_t){0});
    if (!r.elems)
        return ST_OK;
    move_walk(&r.walk, x->type == TYPE_INT8 ? sum_int8_t : x->type == TYPE_UINT8 ? sum_uint8_t : sum_int16_t, &r);
    offset = (uint32_t)quant_zero(x) * (uint32_t)r.per_output;
    for (size_t i = 0; i < r.outputs; i++) {
        int64_t value = (int64_t)fixed_scale((int32_t)(sum[i] - offset), scale) + quant_zero(y);

        store(y, i, value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : (int32_t)value);
    }
    return ST_OK;
}

/* A product in the making; NO_FACTOR before the first. */
#define NO_FACTOR INT64_MIN

struct product {
    struct reduction r; /* first: what move_walk hands over is both */
    enum tensor_type type;
    int32_t zero;
    struct fixed_mul scale;
};

static void prod_line(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line)
{
    const struct product *p = arg;
    int64_t *acc = (int64_t *)p->r.acc + dst;

    for (size_t i = 0; i < line->n; i++) {
        int64_t *a = &acc[line->dst_step ? i : 0];
        int64_t v = p->type == TYPE_INT16 ? ((const int16_t *)p->r.x)[src + (ptrdiff_t)i]
                                          : ((const int8_t *)p->r.x)[src + (ptrdiff_t)i];

        v -= p->zero;
        *a = *a == NO_FACTOR ? v : fixed_scale64((int64_t)((uint64_t)*a * (uint64_t)v), p->scale);
    }
}

enum status reduce_prod_quant_scale(const struct node *n, struct fixed_mul *out, struct err *err)
{
    const size_t elems = tensor_elems(n->in[0]), outputs = tensor_elems(n->out[0]);
    enum status st;
    size_t each;

    if (n->in[0]->type != TYPE_INT8 && n->in[0]->type != TYPE_INT16)
        return cpu_bad_type(n, n->in[0], err);
    if ((st = check_zero_points(n, err)))
        return st;
    if (!elems || !outputs)
        return rescale(n, 1, out, err);
    each = elems / outputs;
    return rescale(n, quant_scale(n->in[0]) / pow(quant_scale(n->out[0]), 1.0 / (double)each), out, err);
}

enum status reduce_prod_quant_prepare(struct cpu_call *c, struct err *err)
{
    struct fixed_mul scale;
    enum status st;

    if ((st = move_prepare(c, err)) || (st = reduce_prod_quant_scale(c->node, &scale, err)))
        return st;
    c->scratch_bytes = tensor_elems(c->node->out[0]) * sizeof(int64_t);
    return ST_OK;
}

enum status reduce_prod_quant_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    struct tensor *y = c->node->out[0];
    struct product p = {.type = x->type, .zero = quant_zero(x)};
    int64_t *acc = c->scratch;
    enum status st;

    if ((st = reduction_plan(c->node, &p.r, err)) || (st = reduce_prod_quant_scale(c->node, &p.scale, err)))
        return st;
    p.r.acc = acc;
    for (size_t i = 0; i < p.r.outputs; i++)
        acc[i] = NO_FACTOR;
    move_walk(&p.r.walk, prod_line, &p);
    for (size_t i = 0; i < p.r.outputs; i++)
        store(y, i, fixed_scale64(acc[i] == NO_FACTOR ? 1 : acc[i], p.scale) + quant_zero(y));
    return ST_OK;
}
