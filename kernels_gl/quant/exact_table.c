/* SPDX-License-Identifier: Apache-2.0 */
/* exact_table.c - functions of one quantized value, or of two of 8 bits, looked up in tables. */
#include "kernels_gl/quant/exact_table.h"

#include <string.h>

#include "kernels_cpu/quant/packed_int.h"
#include "kernels_cpu/quant/quant_check.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "lib/base/threads.h"
#include "lib/graph/kernel.h"

#define MOST_ENTRIES (1 << 16)

/* ---- tables ---- */

/* `t` with other content. */
static struct tensor stand_in(const struct tensor *t, void *data, size_t n)
{
    struct tensor s = *t;

    s.rank = 1;
    s.dim[0] = (int32_t)n;
    s.data = data;
    s.bytes = n * type_bits(t->type) / 8;
    s.is_const = s.is_known = s.is_variable = s.is_dynamic = false;
    s.sparsity = NULL;
    return s;
}

enum status exact_run(const struct node *n, void *const *x, uint32_t n_x, void *y, size_t n_elems, struct err *err)
{
    struct tensor in[2], out = stand_in(n->out[0], y, n_elems);
    struct tensor *ins[2] = {&in[0], &in[1]}, *outs[1] = {&out};
    struct node node = *n;
    struct cpu_call call = {.node = &node, .mode = CPU_REFERENCE};
    enum status st = threads_new(1, &call.threads, err);

    if (st)
        return st;
    for (uint32_t i = 0; i < n_x; i++)
        in[i] = stand_in(n->in[i], x[i], n_elems);
    node.in = ins;
    node.n_in = n_x;
    node.out = outs;
    node.n_out = 1;
    st = cpu_run_once(&call, err);
    threads_free(call.threads);
    return st;
}

static bool table_fits(const struct node *n, uint32_t n_x, struct reason *why)
{
    const uint32_t bits = type_bits(n->in[0]->type) + (n_x > 1 ? type_bits(n->in[1]->type) : 0);

    if (bits <= 16)
        return true;
    return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION,
                      "functions of two values of %u bits together have no exact integer shader, which are tables of %d", bits,
                      MOST_ENTRIES);
}

/* What the CPU's kernel is asked in the place of value v of input i: those at which a run of it fails have an answer, too. */
static int32_t taken(const struct node *n, uint32_t i, int32_t v)
{
    const int32_t zero = quant_zero(n->in[i]);

    if (n->builtin == BUILTIN_SQRT || n->builtin == BUILTIN_RSQRT)
        return v < zero ? zero : v;
    if (n->builtin == BUILTIN_DIV && i == 1 && v == zero)
        return zero < int_limits(n->in[i]->type).hi ? zero + 1 : zero - 1;
    return v;
}

enum status exact_table_fill(const struct node *n, uint32_t n_x, struct arena *a, struct exact_table *t, struct err *err)
{
    const size_t bytes = type_bits(n->out[0]->type) / 8;
    void *x[2] = {NULL, NULL}, *y;
    size_t entries = 1;

    *t = (struct exact_table){.count = {1, 1}, .type = n->out[0]->type};
    for (uint32_t i = 0; i < n_x; i++) {
        const struct range_i32 range = int_limits(n->in[i]->type);

        t->first[i] = range.lo;
        t->count[i] = range.hi - range.lo + 1;
        entries *= (size_t)t->count[i];
    }
    if (!(t->entries = y = arena_alloc(a, entries, bytes)))
        return err_set(err, ST_NOMEM, "out of memory");
    for (uint32_t i = 0; i < n_x; i++)
        if (!(x[i] = arena_alloc(a, entries, type_bits(n->in[i]->type) / 8)))
            return err_set(err, ST_NOMEM, "out of memory");
    for (size_t e = 0; e < entries; e++)
        for (uint32_t i = 0; i < n_x; i++) {
            const size_t k = n_x == 2 && i == 0 ? e / (size_t)t->count[1] : e % (size_t)t->count[i];
            const int32_t v = taken(n, i, t->first[i] + (int32_t)k);

            packed_int_store(n->in[i]->type, x[i], e, 1, &v);
        }
    return exact_run(n, x, n_x, y, entries, err);
}

/* ---- the operation ---- */

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
    return ir_op_with(ir, &gl_kind_exact_table, in, n_in, y, t, sizeof *t);
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

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const uint32_t arity = n->n_in;
    struct exact_table t;
    struct arena a = {0};
    struct err err = {""};
    enum status st;

    if (!gl_operands_fit(lim, n, why))
        return false;
    for (uint32_t i = 0; i < arity; i++)
        if (!(TAKES_QUANTIZED >> n->in[i]->type & 1))
            return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "input %u has type %s", i, type_name(n->in[i]->type));
    for (uint32_t i = 0; i < arity + 1; i++) {
        const struct tensor *v = i < arity ? n->in[i] : n->out[0];

        if (v->quant.n > 1)
            return reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%u scales along an axis of %s", v->quant.n, TENSOR_TEXT(v));
    }
    if (!table_fits(n, arity, why) || (n->builtin == BUILTIN_DIV && divides_by_zero(n, why)))
        return false;
    st = exact_table_fill(n, arity, &a, &t, &err);
    arena_free(&a);
    return st ? reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg) : true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct operands o = elementwise_operands(ir, n, n->n_in);
    struct exact_table t;
    enum status st = exact_table_fill(n, n->n_in, ir->arena, &t, err);

    if (st)
        return st;
    return elementwise_fold(ir, &o) && ir_exact_table(ir, &t, o.in, n->n_in, o.natural) && ir_end_reshape(ir, o.natural, o.y)
               ? ST_OK
               : ir_nomem(err);
}

/* Versions say what types there are, and the CPU's kernel knows those. */
const struct gl_kernel gl_exact_table = {.max_version = GL_ANY_VERSION,
                                         .in_types = TAKES_QUANTIZED,
                                         .out_types = TAKES_QUANTIZED | TAKES_FLOAT | TAKES_BOOL,
                                         .accept = accept,
                                         .lower = lower};
