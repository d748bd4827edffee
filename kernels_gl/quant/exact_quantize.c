/* SPDX-License-Identifier: Apache-2.0 */
/* exact_quantize.c - QUANTIZE of floats: which integer one becomes is looked up among the floats where the CPU's result changes. So
 * no rounding of the device's division counts: it only says where to look, to within one step. Along an axis each channel may have
 * floats of its own.
 *
 * And of integers, by tables, or with INT32 in fixed point. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels_cpu/quant/packed_int.h"
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/quant/exact_table.h"

struct exact_quantize {
    int32_t least, count;   /* values of the output's type */
    int32_t channels, axis; /* 0 to 3: B to C */
    const float *numbers;   /* [channels][NUMBERS + count]: scale, zero point, two of no meaning; the least float that becomes
                             * least + i, NaN where none does, -infinity for the first */
};

enum { NUMBERS = 4 };

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_quantize *q = arg;

    memcpy(to, q->numbers + 4 * first, 16 * n);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_quantize *q = op->attr;

    gl_source(p, exact_quantize_comp);
    gl_operands(p, "x");
    gl_table(p, "t", (size_t)q->channels * (size_t)(NUMBERS + q->count) / 4, pack, q, sizeof *q);
    GL_PARAMS(p, "LEAST COUNT CHANNELS", q->least, q->count, q->channels);
    gl_define(p, "AXIS", q->channels > 1 ? q->axis : -1);
}

static const struct gl_variant variants[] = {{"", NULL, emit}};
const struct ir_kind gl_kind_exact_quantize = {.name = "exact_quantize", .constants = 1, GL_VARIANTS(variants)};

/* Floats but NaN in their order, as numbers. */
static float float_at(uint32_t place)
{
    const uint32_t bits = place & 1u << 31 ? place ^ 1u << 31 : ~place;
    float f;

    memcpy(&f, &bits, sizeof f);
    return f;
}

#define LEAST_PLACE 0x007fffffu /* -infinity */
#define MOST_PLACE  0xff800000u /* infinity */

/* For each integer the first place that becomes it or more: bisected, all of them at once. */
static enum status find(const struct node *n, const struct exact_quantize *q, float *from, struct arena *a, struct err *err)
{
    const size_t count = (size_t)q->count;
    uint32_t *low = ARENA_ARRAY(a, count, uint32_t), *high = ARENA_ARRAY(a, count, uint32_t);
    void *y = arena_alloc(a, count, type_bits(n->out[0]->type) / 8);

    if (!low || !high || !y)
        return err_set(err, ST_NOMEM, "out of memory");
    for (size_t i = 0; i < count; i++) {
        low[i] = LEAST_PLACE;
        high[i] = MOST_PLACE + 1; /* none does */
    }
    for (int round = 0; round < 32; round++) {
        enum status st;

        for (size_t i = 0; i < count; i++)
            from[i] = float_at(low[i] + (high[i] - low[i]) / 2);
        if ((st = exact_run(n, (void *[]){from}, 1, y, count, err)))
            return st;
        for (size_t i = 0; i < count; i++) {
            const uint32_t middle = low[i] + (high[i] - low[i]) / 2;
            int32_t v;

            packed_int_load(n->out[0]->type, y, i, 1, &v);
            if (low[i] == high[i])
                continue;
            if (v >= q->least + (int32_t)i)
                high[i] = middle;
            else
                low[i] = middle + 1;
        }
    }
    for (size_t i = 0; i < count; i++)
        from[i] = low[i] > MOST_PLACE ? NAN : float_at(low[i]);
    return ST_OK;
}

/* ---- integers of 32 bits ---- */

/* b and c: multiplier and shift; then limits of what the zero point is added to. */
static const struct ir_fn fn_rescale = {"RESCALE", NULL, "fixed_scale(a, b, c)", .arity = 3, .helper = exact_fixed_comp};
static const struct ir_fn fn_between = {"BETWEEN", NULL, "clamp(a, b, c)", .arity = 3};

static bool rescales(const struct node *n)
{
    return n->in[0]->type == TYPE_INT32 || n->out[0]->type == TYPE_INT32;
}

/* `v` less the zero point, as far as words hold it. */
static int32_t less(int32_t v, int32_t zero)
{
    const int64_t d = (int64_t)v - zero;

    return d < INT32_MIN ? INT32_MIN : d > INT32_MAX ? INT32_MAX : (int32_t)d;
}

static enum status rescale(struct ir *ir, const struct node *n, struct err *err)
{
    const struct range_i32 range = int_limits(n->out[0]->type);
    const int32_t zero = quant_zero(n->out[0]);
    struct ir_op *op = ir_copy(ir, ir_in(ir, n, 0), ir_out(ir, n, 0));
    struct ir_value *offset = ir_number(ir, (int32_t)(0 - (uint32_t)quant_zero(n->in[0]))), *end = ir_number(ir, zero);
    struct ir_value *lo = ir_number(ir, less(range.lo, zero)), *hi = ir_number(ir, less(range.hi, zero)), *mult, *shift;
    struct fixed_mul m;

    (void)fixed_from_double((double)quant_scale(n->in[0]) / (double)quant_scale(n->out[0]), &m); /* the CPU's kernel has run */
    mult = ir_number(ir, m.mult);
    shift = ir_number(ir, m.shift);
    if (!op || !offset || !end || !lo || !hi || !mult || !shift)
        return ir_nomem(err);
    return ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, offset, NULL}, NULL, IR_INT) &&
                   ir_apply(ir, op, &fn_rescale, (struct ir_value *[3]){NULL, mult, shift}, NULL, IR_INT) &&
                   ir_apply(ir, op, &fn_between, (struct ir_value *[3]){NULL, lo, hi}, NULL, IR_INT) &&
                   ir_apply(ir, op, &fn_add, (struct ir_value *[3]){NULL, end, NULL}, NULL, IR_INT)
               ? ST_OK
               : ir_nomem(err);
}

/* ---- the operator ---- */

/* So near to 0 the quotient's place is found to within one step. */
#define MOST_ZERO (1 << 16)

/* Bytes of a table for all channels. */
#define MOST_TABLE (16u << 20)

static bool scales_fit(const struct node *n, struct reason *why)
{
    const struct tensor *y = n->out[0];
    const struct range_i32 range = int_limits(y->type);

    for (uint32_t i = 0; i < y->quant.n; i++) {
        if (!isnormal(y->quant.scale[i]) || y->quant.scale[i] < 0)
            return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s has scale %g", TENSOR_TEXT(y), (double)y->quant.scale[i]);
        if (n->in[0]->type == TYPE_FLOAT32 && y->quant.zero_point && llabs(y->quant.zero_point[i]) > MOST_ZERO)
            return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "the zero point of %s is beyond %d", TENSOR_TEXT(y), MOST_ZERO);
    }
    if (y->quant.n > 1 &&
        (y->quant.dim < 0 || y->quant.dim >= y->rank || y->dim[y->quant.dim] != (int32_t)y->quant.n || y->rank > 4 ||
         (uint64_t)y->quant.n * (uint64_t)((int64_t)range.hi - range.lo) > MOST_TABLE / sizeof(float)))
        return reason_set(why, REASON_UNSUPPORTED_OPERAND_SIZE, "%u scales along an axis of %s", y->quant.n, TENSOR_TEXT(y));
    return true;
}

/* The node of one channel, that is. */
struct one_channel {
    struct node n;
    struct tensor y, *out[1];
    int64_t zero;
};

static const struct node *of_channel(const struct node *n, uint32_t channel, struct one_channel *one)
{
    const struct quant *q = &n->out[0]->quant;

    one->n = *n;
    one->y = *n->out[0];
    one->zero = q->zero_point ? q->zero_point[channel] : 0;
    one->y.quant.n = 1;
    one->y.quant.scale = &q->scale[channel];
    one->y.quant.zero_point = &one->zero;
    one->out[0] = &one->y;
    one->n.out = one->out;
    return &one->n;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    uint32_t x[1] = {0}, y;
    struct one_channel one;
    struct err err = {""};

    if (!gl_runtime(n, 0, "input", why))
        return false;
    if (n->in[0]->type != TYPE_FLOAT32 && !rescales(n))
        return gl_exact_table.accept(lim, n, why);
    if (!scales_fit(n, why))
        return false;
    return n->out[0]->quant.n && exact_run(of_channel(n, 0, &one), (void *[]){x}, 1, &y, 1, &err)
               ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg)
               : true;
}

/* False: out of memory, or the CPU's kernel has failed. */
static enum status fill(struct exact_quantize *q, const struct node *n, struct arena *a, struct err *err)
{
    const size_t each = NUMBERS + (size_t)q->count;
    float *to = arena_alloc(a, (size_t)q->channels * each, sizeof *to);
    enum status st = to ? ST_OK : err_set(err, ST_NOMEM, "out of memory");

    q->numbers = to;
    for (int32_t i = 0; i < q->channels && !st; i++, to += each) {
        struct one_channel one;
        const struct node *of = of_channel(n, (uint32_t)i, &one);

        memcpy(to, (float[NUMBERS]){quant_scale(of->out[0]), (float)quant_zero(of->out[0])}, NUMBERS * sizeof *to);
        st = find(of, q, to + NUMBERS, a, err);
    }
    return st;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *y = n->out[0];
    const struct range_i32 range = int_limits(y->type);
    struct exact_quantize q = {.least = range.lo, .channels = (int32_t)y->quant.n, .axis = 4 - y->rank + y->quant.dim};
    struct ir_op *op;
    enum status st;

    if (rescales(n))
        return rescale(ir, n, err);
    if (n->in[0]->type != TYPE_FLOAT32)
        return gl_exact_table.lower(ir, n, err);
    q.count = range.hi - range.lo + 1;
    if ((st = fill(&q, n, ir->arena, err)))
        return st;
    if (!(op = ir_op_with(ir, &gl_kind_exact_quantize, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), &q, sizeof q)))
        return ir_nomem(err);
    return ST_OK;
}

const struct gl_kernel gl_exact_quantize = {.max_version = GL_ANY_VERSION,
                                            .in_types = TAKES_FLOAT | TAKES_QUANTIZED | TAKES_INT,
                                            .out_types = TAKES_QUANTIZED | TAKES_INT,
                                            .accept = accept,
                                            .lower = lower};
