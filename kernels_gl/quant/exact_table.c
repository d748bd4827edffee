/* SPDX-License-Identifier: Apache-2.0 */
/* exact_table.c - functions of one quantized value, or of two of 8 bits, looked up in tables (exact_run.h). */
#include "kernels_gl/quant/exact_table.h"

#include <string.h>

#include "kernels_cpu/quant/fixed_point.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"

static size_t entries_of(const struct exact_table *t)
{
    return (size_t)t->count[0] * (size_t)t->count[1];
}

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_table *t = arg;
    const size_t bytes = entries_of(t) * type_bits(t->type) / 8, begin = 16 * first;

    memset(to, 0, 16 * n);
    memcpy(to, (const char *)t->entries + begin, bytes - begin < 16 * n ? bytes - begin : 16 * n);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_table *t = op->attr;

    gl_source(p, exact_table_comp);
    gl_operands(p, "x z");
    gl_table(p, "t", (entries_of(t) * type_bits(t->type) / 8 + 15) / 16, pack, t, sizeof *t);
    GL_DEFINES(p, "BITS SIGNED REAL FLOATS BINARY", (int32_t)type_bits(t->type), t->type == TYPE_INT8 || t->type == TYPE_INT16,
               op->stores != IR_INT, t->type == TYPE_FLOAT32, op->n_in > 1);
    GL_PARAMS(p, "FIRST FIRST_Z COUNT_Z", t->first[0], t->first[1], t->count[1]);
}

static const struct gl_variant variants[] = {{"", NULL, emit}};
const struct ir_kind gl_kind_exact_table = {.name = "exact_table", .constants = 1, GL_VARIANTS(variants)};

struct ir_op *ir_exact_table(struct ir *ir, const struct exact_table *t, struct ir_value *const *in, uint32_t n_in,
                             struct ir_value *y)
{
    struct ir_op *op = ir_op_new(ir, &gl_kind_exact_table, in, n_in, y, sizeof *t);

    if (op)
        *(struct exact_table *)op->attr = *t;
    return op;
}

/* As the CPU then does in every run. */
static bool divides_by_zero(const struct node *n, struct reason *why)
{
    const struct tensor *b = n->in[1];

    for (size_t i = 0; b->is_const && i < tensor_elems(b); i++)
        if (tensor_int(b, i) == quant_zero(b))
            return !reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "element %zu of the constant divisor is 0", i);
    return false;
}

static bool accept(const struct gl_limits *lim, const struct node *n, uint32_t arity, struct reason *why)
{
    struct exact_table t;
    struct arena a = {0};
    struct err err = {""};
    enum status st;

    if (!gl_arity(n, arity, arity, 1, why) || !elementwise_operands_fit(lim, n, why))
        return false;
    for (uint32_t i = 0; i < arity; i++)
        if (!(TAKES_QUANTIZED >> n->in[i]->type & 1))
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s", i, type_name(n->in[i]->type));
    for (uint32_t i = 0; i < arity + 1; i++) {
        const struct tensor *v = i < arity ? n->in[i] : n->out[0];

        if (v->quant.n > 1)
            return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%u scales along an axis of %s", v->quant.n, TENSOR_TEXT(v));
    }
    if (!exact_table_fits(n, arity, why) || (n->builtin == BUILTIN_DIV && divides_by_zero(n, why)))
        return false;
    st = exact_table_fill(n, arity, &a, &t, &err);
    arena_free(&a);
    return st ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg) : true;
}

static enum status lower(struct ir *ir, const struct node *n, uint32_t arity, struct err *err)
{
    struct operands o = elementwise_operands(ir, n, arity);
    struct exact_table t;
    enum status st = exact_table_fill(n, arity, ir->arena, &t, err);

    if (st)
        return st;
    return elementwise_fold(ir, &o) && ir_exact_table(ir, &t, o.in, arity, o.natural) && ir_end_reshape(ir, o.natural, o.y)
               ? ST_OK
               : ir_nomem(err);
}

static bool unary_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)g;
    return accept(lim, n, 1, why);
}

static enum status unary_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower(ir, n, 1, err);
}

static bool binary_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)g;
    return accept(lim, n, 2, why);
}

static enum status binary_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return lower(ir, n, 2, err);
}

/* Versions say what types there are, and the CPU's kernel knows those. */
#define EXACT_TABLE(accepts, lowers)                                                                                               \
    {                                                                                                                              \
        .max_version = GL_ANY_VERSION, .in_types = TAKES_QUANTIZED, .out_types = TAKES_QUANTIZED | TAKES_FLOAT | TAKES_BOOL,       \
        .accept = accepts, .lower = lowers                                                                                         \
    }

const struct gl_kernel gl_exact_unary = EXACT_TABLE(unary_accept, unary_lower);
const struct gl_kernel gl_exact_binary = EXACT_TABLE(binary_accept, binary_lower);
