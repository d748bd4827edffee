/* SPDX-License-Identifier: Apache-2.0 */
/* exact_quantize.c - QUANTIZE of floats: which integer one becomes is looked up among the floats where the CPU's result changes.
 *
 * So no rounding of the device's division counts: it only says where to look, to within one step. */
#include <math.h>
#include <string.h>

#include "../kernels_cpu/quant/packed_int.h"
#include "../kernels_cpu/quant/quant_check.h"
#include "../lib/gl/exact.h"
#include "../lib/gl/quantized.h"
#include "elementwise.h"
#include "exact_run.h"

extern const struct gl_kernel gl_exact_unary; /* integers to integers */

struct exact_quantize {
    int32_t least, count; /* values of the output's type */
    float scale, zero;
    const float *from; /* [count]: the least float that becomes least + i, NaN where none does; -infinity for the first */
};

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_quantize *q = arg;

    memcpy(to, q->from + 4 * first, 16 * n);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_quantize *q = op->attr;

    gl_source(p, exact_quantize_comp);
    gl_input(p, "x", op->in[0]);
    gl_output(p, "y", op->out);
    gl_table(p, "t", (size_t)q->count / 4, pack, q, sizeof *q);
    gl_param(p, "LEAST", q->least);
    gl_param(p, "COUNT", q->count);
    gl_param_float(p, "SCALE", q->scale);
    gl_param_float(p, "ZERO", q->zero);
    gl_grid(p, op->out->shape);
}

static const struct gl_variant variants[] = {{"", NULL, emit}, {NULL}};
const struct ir_kind gl_kind_exact_quantize = {.name = "exact_quantize", .constants = 1, .variants = variants};

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

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    float x[1] = {0};
    int32_t y;
    struct err err = {""};

    (void)lim;
    (void)g;
    if (!gl_arity(n, 1, 1, 1, why) || !gl_runtime(n, 0, "input", why))
        return false;
    if (n->in[0]->type != TYPE_FLOAT32)
        return gl_exact_unary.accept(lim, g, n, why);
    if (!gl_quantized_fits(n->out[0], why))
        return false;
    return exact_run(n, (void *[]){x}, 1, &y, 1, &err) ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg) : true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *y = n->out[0];
    const struct range_i32 range = int_limits(y->type);
    struct exact_quantize q = {range.lo, range.hi - range.lo + 1, quant_scale(y), (float)quant_zero(y), NULL};
    struct ir_op *op;
    float *from;
    enum status st;

    if (n->in[0]->type != TYPE_FLOAT32)
        return gl_exact_unary.lower(ir, n, err);
    if (!(from = ARENA_ARRAY(ir->arena, (size_t)q.count, float)))
        return ir_nomem(err);
    q.from = from;
    if ((st = find(n, &q, from, ir->arena, err)))
        return st;
    if (!(op = ir_op_new(ir, &gl_kind_exact_quantize, IR_INS(ir_in(ir, n, 0)), ir_out(ir, n, 0), sizeof q)))
        return ir_nomem(err);
    *(struct exact_quantize *)op->attr = q;
    return ST_OK;
}

const struct gl_kernel gl_exact_quantize = {.max_version = INT32_MAX,
                                            .in_types = TAKES_FLOAT | TAKES_QUANTIZED,
                                            .out_types = TAKES_QUANTIZED,
                                            .accept = accept,
                                            .lower = lower};
