/* SPDX-License-Identifier: Apache-2.0 */
/* arith_quant.c - quantized ADD, SUB, MUL, DIV: INT8, UINT8, INT16.
 *
 * Sums bring both inputs to one scale, with `left` more bits, before they add; products and quotients need one factor. */
#include "kernels_cpu/ops/arith.h"
#include "kernels_cpu/ops/arith_sum.h"
#include "kernels_cpu/quant/fixed_point.h"
#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_cpu/quant/quant_check.h"

struct arith_quant {
    struct sum_plan sum; /* of products only the row */
    struct arith_numbers n;
};

static inline int32_t sum_input(int32_t v, int32_t zero, struct fixed_mul m, int32_t left)
{
    return fixed_scale(fixed_shift_left(v - zero, left), m);
}

static inline int32_t finish(int32_t v, const struct arith_numbers *q)
{
    return fixed_clamp((int32_t)((uint32_t)fixed_scale(v, q->y_mul) + (uint32_t)q->y_zero), q->r.lo, q->r.hi);
}

static inline int32_t add(int32_t a, int32_t b, const struct arith_numbers *q)
{
    return finish(sum_input(a, q->a_zero, q->a_mul, q->left) + sum_input(b, q->b_zero, q->b_mul, q->left), q);
}

static inline int32_t sub(int32_t a, int32_t b, const struct arith_numbers *q)
{
    return finish(sum_input(a, q->a_zero, q->a_mul, q->left) - sum_input(b, q->b_zero, q->b_mul, q->left), q);
}

/* Scales are powers of two and zero points 0: a shift brings the finer input to the output's scale. */
static inline int32_t saturate_i16(int32_t v)
{
    return fixed_clamp(v, INT16_MIN, INT16_MAX);
}

static inline int32_t add_pot(int32_t a, int32_t b, const struct arith_numbers *q)
{
    const int32_t sum = fixed_shift_right(a, -q->a_mul.shift) + fixed_shift_right(b, -q->b_mul.shift);

    return fixed_clamp(saturate_i16(sum), q->r.lo, q->r.hi);
}

static inline int32_t sub_pot(int32_t a, int32_t b, const struct arith_numbers *q)
{
    const int32_t sum = fixed_shift_right(a, -q->a_mul.shift) - fixed_shift_right(b, -q->b_mul.shift);

    return fixed_clamp(saturate_i16(sum), q->r.lo, q->r.hi);
}

/* The product of two 17-bit differences can wrap for 16-bit tensors whose zero points are not 0; prepare refuses those. */
static inline int32_t mul(int32_t a, int32_t b, const struct arith_numbers *q)
{
    return finish((int32_t)((uint32_t)(a - q->a_zero) * (uint32_t)(b - q->b_zero)), q);
}

/* 16-bit fractions to an 8-bit output: the high half of the product, whatever the scales say. */
static inline int32_t mul_fractions(int32_t a, int32_t b, const struct arith_numbers *q)
{
    const int32_t high = saturate_i16((a * b + (1 << 14)) >> 15);

    return q->y_zero + fixed_clamp(fixed_shift_right(high, 8), q->r.lo - q->y_zero, q->r.hi - q->y_zero);
}

/* Return the number of bits by which x can be shifted left without overflow. */
static inline int32_t headroom(int32_t x)
{
    return x == 0 || x == -1 ? 31 : __builtin_clz((uint32_t)(x < 0 ? ~x : x)) - 1;
}

/* Quotients so small that TFLite shifts them right by more than 31 bits, which C leaves undefined (an x86 takes the number
 * modulo 32, and the answer is some bound of the type), are 0; those so large that it overflows saturate. */
static inline int32_t divide(int32_t a, int32_t b, const struct arith_numbers *q)
{
    int32_t x = a - q->a_zero, d = b - q->b_zero, recip_shift, left, shift, y = 0;

    if (d < 0)
        x = -x, d = -d;
    left = headroom(x);
    x = fixed_mul_high(fixed_shift_left(x, left), fixed_reciprocal((uint32_t)d, &recip_shift));
    shift = q->y_mul.shift - recip_shift - left;
    if (shift > 0)
        y = fixed_mul_high(fixed_shift_left_saturated(x, shift < 30 ? shift : 30), q->y_mul.mult);
    else if (shift >= -31)
        y = fixed_scale(x, (struct fixed_mul){q->y_mul.mult, shift});
    return fixed_clamp(q->y_zero + y, q->r.lo, q->r.hi);
}

/* A copy on the stack: stores of 8-bit results could alias the original. */
#define QUANT const struct arith_numbers q = ((const struct arith_quant *)arg)->n

/* The functions and the table of them. Quotients have no clones: wherever there are vectors wide enough for them, compiling them
 * took 10 s. */
#define QUANT_ROWS(op, clones)                                                                                                     \
    clones BINARY_ROW(op##_q8, int8_t, int8_t, QUANT, op(a, b, &q)) clones BINARY_ROW(op##_qu8, uint8_t, uint8_t, QUANT,           \
                                                                                      op(a, b, &q))                                \
        clones BINARY_ROW(op##_q16, int16_t, int16_t, QUANT, op(a, b, &q)) static const broadcast_row op##_rows[TYPE_COUNT] = {    \
            [TYPE_INT8] = op##_q8,                                                                                                 \
            [TYPE_UINT8] = op##_qu8,                                                                                               \
            [TYPE_INT16] = op##_q16,                                                                                               \
    };

QUANT_ROWS(add, CLONES)
QUANT_ROWS(sub, CLONES)
QUANT_ROWS(mul, CLONES)
QUANT_ROWS(divide, )
CLONES BINARY_ROW(add_pot_i16, int16_t, int16_t, QUANT, add_pot(a, b, &q)) CLONES
    BINARY_ROW(sub_pot_i16, int16_t, int16_t, QUANT, sub_pot(a, b, &q)) CLONES
    BINARY_ROW(mul_fractions_i8, int16_t, int8_t, QUANT, mul_fractions(a, b, &q)) CLONES
    BINARY_ROW(mul_fractions_u8, int16_t, uint8_t, QUANT, mul_fractions(a, b, &q))

        bool arith_is_quantized(const struct node *n)
{
    const enum tensor_type y = n->out[0]->type;

    return y == TYPE_INT8 || y == TYPE_UINT8 || (y == TYPE_INT16 && is_quantized(n->out[0]));
}

/* Check quantization and fill the parameters common to all operators. */
static enum status begin(const struct node *n, enum activation act, struct arith_numbers *q, struct err *err)
{
    enum status st = quant_check_all((const struct tensor *[]){n->in[0], n->in[1], n->out[0]}, 3, err);

    if (st)
        return st;
    *q = (struct arith_numbers){.a_zero = quant_zero(n->in[0]), .b_zero = quant_zero(n->in[1]), .y_zero = quant_zero(n->out[0])};
    return activation_range_quant(act, n->out[0], &q->r, err);
}

static enum status keep(struct cpu_call *c, broadcast_row row, const struct arith_numbers *q, struct arith_quant **out,
                        struct err *err)
{
    enum status st = broadcast_plan(c, row, sizeof **out, err);

    if (st)
        return st;
    *out = c->packed;
    (*out)->n = *q;
    return ST_OK;
}

/* Return true if the shift arithmetic applies; store log2 of each input's scale relative to the output's. */
static bool pot_shifts(const struct node *n, int32_t *a_shift, int32_t *b_shift)
{
    int32_t a, b, y;

    if (n->out[0]->type != TYPE_INT16 || quant_zero(n->in[0]) || quant_zero(n->in[1]) || quant_zero(n->out[0]) ||
        !quant_whole_log2(quant_scale(n->in[0]), &a) || !quant_whole_log2(quant_scale(n->in[1]), &b) ||
        !quant_whole_log2(quant_scale(n->out[0]), &y))
        return false;
    *a_shift = a - y;
    *b_shift = b - y;
    return true;
}

static enum status shifts(struct arith_numbers *q, int32_t a_shift, int32_t b_shift, struct err *err)
{
    if (a_shift > 0 || b_shift > 0 || (a_shift && b_shift) || a_shift < -31 || b_shift < -31)
        return err_set(err, ST_BAD_MODEL, "scales 2^%d and 2^%d times the output's cannot be added by shifts", (int)a_shift,
                       (int)b_shift);
    q->by_shifts = true;
    q->a_mul.shift = a_shift;
    q->b_mul.shift = b_shift;
    return ST_OK;
}

enum status arith_sum_numbers(const struct node *n, enum activation act, bool pot, struct arith_numbers *q, struct err *err)
{
    const float a_scale = quant_scale(n->in[0]), b_scale = quant_scale(n->in[1]);
    const double twice_max = 2 * (a_scale > b_scale ? a_scale : b_scale);
    int32_t a_shift, b_shift;
    enum status st = begin(n, act, q, err);

    if (st)
        return st;
    if (pot && pot_shifts(n, &a_shift, &b_shift))
        return shifts(q, a_shift, b_shift, err);
    q->left = n->out[0]->type == TYPE_INT16 ? 15 : 20;
    if ((st = quant_multiplier(a_scale / twice_max, &q->a_mul, err)) ||
        (st = quant_multiplier(b_scale / twice_max, &q->b_mul, err)))
        return st;
    return quant_multiplier(twice_max / (double)((float)(1 << q->left) * quant_scale(n->out[0])), &q->y_mul, err);
}

enum status arith_prepare_sum(struct cpu_call *c, enum activation act, bool pot, struct err *err)
{
    const struct node *n = c->node;
    const bool subtract = n->builtin == BUILTIN_SUB;
    struct arith_numbers x;
    struct arith_quant *q;
    broadcast_row row;
    enum status st;

    if ((st = broadcast_types(n, TYPE_NONE, err)) || (st = arith_sum_numbers(n, act, pot, &x, err)))
        return st;
    row = x.by_shifts ? subtract ? sub_pot_i16 : add_pot_i16 : (subtract ? sub_rows : add_rows)[n->out[0]->type];
    if ((st = keep(c, row, &x, &q, err)))
        return st;
    if (c->mode == CPU_FAST && !x.by_shifts)
        sum_plan_fast(&q->sum, n->out[0]->type,
                      &(struct sum_fixed){x.a_zero, x.b_zero, x.y_zero, x.a_mul, x.b_mul, x.y_mul, x.r, subtract});
    return ST_OK;
}

enum status arith_mul_numbers(const struct node *n, enum activation act, struct arith_numbers *q, struct err *err)
{
    const struct tensor *a = n->in[0], *b = n->in[1], *y = n->out[0];
    enum status st = begin(n, act, q, err);

    if (st)
        return st;
    q->fractions = a->type == TYPE_INT16 && b->type == TYPE_INT16 && y->type != TYPE_INT16;
    if ((st = quant_check_symmetric(a, err)) || (st = quant_check_symmetric(b, err)) || (st = quant_check_symmetric(y, err)))
        return st;
    return quant_multiplier((double)(quant_scale(a) * quant_scale(b) / quant_scale(y)), &q->y_mul, err);
}

enum status arith_prepare_mul(struct cpu_call *c, enum activation act, struct err *err)
{
    const struct node *n = c->node;
    const enum tensor_type y = n->out[0]->type;
    const bool fractions = n->in[0]->type == TYPE_INT16 && n->in[1]->type == TYPE_INT16 && y != TYPE_INT16;
    struct arith_numbers x;
    struct arith_quant *q;
    enum status st;

    if ((!fractions && (st = broadcast_types(n, TYPE_NONE, err))) || (st = arith_mul_numbers(n, act, &x, err)))
        return st;
    return keep(c, !fractions ? mul_rows[y] : y == TYPE_INT8 ? mul_fractions_i8 : mul_fractions_u8, &x, &q, err);
}

enum status arith_prepare_div(struct cpu_call *c, enum activation act, struct err *err)
{
    const struct node *n = c->node;
    struct arith_numbers x;
    struct arith_quant *q;
    enum status st;

    if ((st = broadcast_types(n, TYPE_NONE, err)) || (st = begin(n, act, &x, err)) ||
        (st = quant_multiplier((double)(quant_scale(n->in[0]) / (quant_scale(n->in[1]) * quant_scale(n->out[0]))), &x.y_mul, err)))
        return st;
    return keep(c, divide_rows[n->out[0]->type], &x, &q, err);
}
