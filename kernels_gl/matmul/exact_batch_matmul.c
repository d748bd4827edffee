/* SPDX-License-Identifier: Apache-2.0 */
/* exact_batch_matmul.c - BATCH_MATMUL of integers, and of floats quantized at run time times bytes: rows are W, columns C. A
 * constant right side without batches becomes rows times a matrix (exact_conv.h). */
#include <string.h>

#include "kernels_cpu/matmul/batch_matmul.h"
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/matmul/exact_conv.h"
#include "kernels_gl/matmul/exact_hybrid.h"

struct exact_matmul {
    int32_t depth, x_zero, z_zero;
    bool adj[2]; /* of x and z */
    bool sums;   /* the output is of INT32 */
    bool wide;   /* sums may leave 32 bits */
    struct exact_requant q;
};

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct exact_matmul *m = arg;

    for (size_t i = 0; i < n; i++)
        exact_requant_pack(&m->q, first + i, (int32_t *)to + 4 * i);
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct exact_matmul *m = op->attr;
    const struct ir_shape y = op->out->shape;

    if (m->sums)
        gl_source(p, exact_batch_matmul_comp);
    else
        exact_source(p, &m->q, exact_batch_matmul_comp);
    gl_operands(p, "x z m");
    if (!m->sums && exact_requant_vectors(&m->q))
        gl_table(p, "w", exact_requant_vectors(&m->q), pack, m, sizeof *m);
    GL_DEFINES(p, "SUMS WIDE HYBRID_ROWS ADJ_X ADJ_Z", m->sums, m->wide, op->n_in > 2, m->adj[0], m->adj[1]);
    GL_PARAMS(p, "DEPTH X_ZERO Z_ZERO", m->depth, m->x_zero, m->z_zero);
    gl_grid_of(p, y.b, y.h, (y.w + 3) / 4, ir_slices(y));
}

static uint64_t iterations(const struct ir_op *op)
{
    return GL_PASSES(((uint64_t)((const struct exact_matmul *)op->attr)->depth + 3) / 4);
}

static void exchange(struct ir_op *op, uint32_t i)
{
    struct exact_matmul *m = op->attr;

    m->adj[i] = !m->adj[i];
}

static const struct gl_variant variants[] = {{"direct", NULL, emit, .iterations = iterations}};
const struct ir_kind gl_kind_exact_batch_matmul = {
    .name = "exact_batch_matmul", .constants = 1, GL_VARIANTS(variants), IR_TRAITS(.matrices = 2, .exchange = exchange)};

/* ---- the operator ---- */

static bool is_hybrid(const struct node *n)
{
    return n->in[0]->type == TYPE_FLOAT32;
}

static const struct opt_batch_matmul *opt_of(const struct node *n)
{
    return n->opt;
}

static struct bmm_shape shape_of(const struct node *n)
{
    const struct tensor *x = n->in[0], *z = n->in[1];

    return (struct bmm_shape){.n = (size_t)z->dim[z->rank - (opt_of(n)->adj_y ? 2 : 1)],
                              .k = (size_t)x->dim[x->rank - (opt_of(n)->adj_x ? 2 : 1)],
                              .adj_x = opt_of(n)->adj_x,
                              .adj_y = opt_of(n)->adj_y};
}

/* The right side is one constant matrix, and rows are as they lie. */
static bool is_rows(const struct node *n)
{
    const struct tensor *z = n->in[1];

    return !opt_of(n)->adj_x && z->is_const && n->out[0]->type != TYPE_INT32 &&
           tensor_elems(z) == (size_t)z->dim[z->rank - 1] * (size_t)z->dim[z->rank - 2];
}

static enum status fill(const struct node *n, struct exact_matmul *m, struct arena *a, struct err *err)
{
    const struct bmm_shape s = shape_of(n);
    const struct requant_spec spec = bmm_quant_spec(n, &s);
    const uint64_t x_most = n->in[0]->type == TYPE_INT16 ? 1 << 15 : 255, z_most = n->in[1]->type == TYPE_INT16 ? 1 << 15 : 255;
    const uint64_t most = x_most * z_most * (uint64_t)s.k;
    enum status st;

    *m = (struct exact_matmul){.depth = (int32_t)s.k, .adj = {s.adj_x, s.adj_y}, .sums = n->out[0]->type == TYPE_INT32};
    if (m->sums)
        return ST_OK;
    if (is_hybrid(n)) {
        m->q = exact_requant_hybrid(n->in[1], NULL, s.n);
        return bmm_hybrid_check(n, &s, err);
    }
    m->x_zero = quant_zero(n->in[0]);
    m->z_zero = quant_zero(n->in[1]);
    m->wide = spec.kind == REQUANT_FIXED_WIDE && most > INT32_MAX;
    st = bmm_quant_check(n, err);
    return st ? st : exact_requant_init(&m->q, &spec, m->wide ? 0 : most, a, err);
}

static bool types_fit(const struct node *n, struct reason *why)
{
    const enum tensor_type x = n->in[0]->type, z = n->in[1]->type, y = n->out[0]->type;
    const bool products = x == TYPE_INT8 && z == TYPE_INT8 && y == TYPE_INT32;
    const bool integers = (x == TYPE_INT8 || x == TYPE_INT16) && (z == TYPE_INT8 || z == TYPE_INT16) && y == x;

    return products || integers || (x == TYPE_FLOAT32 && z == TYPE_INT8 && y == x) ||
           reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "a product of %s and %s to %s", type_name(x), type_name(z), type_name(y));
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct exact_matmul m;
    struct arena a = {0};
    struct err err = {""};
    enum status st;

    if (!n->op->gl->accept(lim, n, why) || !types_fit(n, why) || (!is_rows(n) && !gl_storable(lim, n, 0, 2, why)))
        return false;
    st = fill(n, &m, &a, &err);
    arena_free(&a);
    return !st || reason_set(why, REASON_UNSUPPORTED_QUANTIZATION, "%s", err.msg);
}

/* [depth][columns] becomes [columns][depth], of elements that are whole bytes. */
static const void *turned(struct ir *ir, const struct tensor *z, size_t depth, size_t columns)
{
    const size_t bytes = type_bits(z->type) / 8;
    char *to = arena_alloc(ir->arena, depth * columns, bytes);

    for (size_t i = 0; to && i < depth * columns; i++)
        memcpy(to + (i % columns * depth + i / columns) * bytes, (const char *)z->data + i * bytes, bytes);
    return to;
}

static enum status lower_rows(struct ir *ir, const struct node *n, const struct exact_matmul *m, struct err *err)
{
    const struct tensor *z = n->in[1];
    const struct bmm_shape s = shape_of(n);
    struct exact_weights w = exact_weights_of_rows(s.adj_y ? z->data : turned(ir, z, s.k, s.n), z->type, s.n, s.k);
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct hybrid_value v = {x, NULL};

    if (!w.data || !x || !y || (is_hybrid(n) && !ir_exact_hybrid(ir, x, true, opt_of(n)->asymmetric_quantize_inputs, &v)))
        return ir_nomem(err);
    w.zero = m->z_zero;
    return ir_exact_rows(ir, v.q, &(struct exact_values){.steps = v.steps}, m->x_zero, &w, &m->q, y) ? ST_OK : ir_nomem(err);
}

/* Rows, which are quantized each by itself, in the place of columns. */
static struct ir_value *rows_of(struct ir *ir, struct ir_value *x)
{
    const int32_t from[4] = {x->shape.b, x->shape.h, x->shape.w, x->shape.c};
    const int32_t to[4] = {x->shape.b, x->shape.h, x->shape.c, x->shape.w};
    struct axis_gather gather = axis_gather_of(4, from, to);
    struct ir_value *y = ir_temp_full(ir, x->type, (struct ir_shape){to[0], to[1], to[2], to[3]});

    gather.axis[2] = 3;
    gather.axis[3] = 2;
    return y && ir_axis_gather(ir, x, &gather, y) ? y : NULL;
}

static bool quantize_rows(struct ir *ir, const struct node *n, struct exact_matmul *m, struct hybrid_value *x)
{
    if (!is_hybrid(n))
        return true;
    if (m->adj[0] && !(x->q = rows_of(ir, x->q)))
        return false;
    m->adj[0] = false;
    return ir_exact_hybrid(ir, x->q, true, opt_of(n)->asymmetric_quantize_inputs, x);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct exact_matmul m;
    struct hybrid_value x;
    struct operands all;
    struct ir_op *op;
    enum status st = fill(n, &m, ir->arena, err);

    if (st || (is_rows(n) && n->in[1]->type == TYPE_INT8 && !m.wide))
        return st ? st : lower_rows(ir, n, &m, err);
    all = elementwise_operands(ir, n, 2);
    all.inner = 2;
    if (!elementwise_fold(ir, &all))
        return ir_nomem(err);
    x = (struct hybrid_value){all.in[0], NULL};
    if (!quantize_rows(ir, n, &m, &x) ||
        !(op = ir_op_with(ir, &gl_kind_exact_batch_matmul, (struct ir_value *[]){x.q, all.in[1], x.steps}, x.steps ? 3 : 2,
                          all.natural, &m, sizeof m)) ||
        !ir_end_reshape(ir, all.natural, all.y))
        return ir_nomem(err);
    return ST_OK;
}

const struct gl_kernel gl_exact_batch_matmul = {.max_version = 4,
                                                .in_types = TAKES_FLOAT | TAKES_QUANTIZED,
                                                .out_types = TAKES_FLOAT | TAKES_QUANTIZED | TAKES_INT,
                                                .accept = accept,
                                                .lower = lower};
