/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_scatter.c - STABLEHLO_SCATTER: windows of updates combined into a tensor at computed places.
 *
 * Each element of the result checks every index vector for an update, in the order in which the CPU applies them, so results are
 * reproducible. The op's shape function has checked all options. */
#include "kernels_gl/ops/reduce_window.h"

#include "kernels_gl/common/data_movement.h"
#include "kernels_gl/common/int64_value.h"
#include "kernels_gl/common/split_k.h"
#include "kernels_gl/int64/int64.h"

struct windows {
    struct turns turns; /* of the index vectors */
    const char *combine;
    bool wide; /* of 64 bits: int64_value.h */
    int32_t axes, batches;
    struct gl_row rows[2 * TENSOR_MAX_RANK]; /* [axes] extent, that of windows, step among the updates, and which number of a vector
                                                counts along it, or -1; [batches] of an axis of vectors extent, step among the
                                                updates and among the indices */
};

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct windows *w = op->attr;

    gl_source_with(p, w->wide ? int64_value_comp : round_half_comp, stablehlo_scatter_comp);
    gl_define_types(p, op->stores);
    gl_define(p, "TWO_WORDS", w->wide);
    gl_define_text(p, "COMBINE(a, b)", w->combine);
    gl_define_rows(p, "EACH_AXIS", 'A', w->rows, w->axes, 4);
    gl_define_rows(p, "EACH_BATCH", 'B', w->rows + w->axes, w->batches, 4);
    GL_PARAMS(p, "FIRST END", w->turns.first, w->turns.end);
    gl_operands(p, "x at updates");
    gl_grid(p, w->wide ? int64_half_shape(op->out->shape) : op->out->shape);
}

static const struct gl_variant variants[] = {
    {"turns", turns_are_many, .expand = turns_take},
    {"elements", turns_are_over, emit, .iterations = turns_passes},
};
const struct ir_kind gl_kind_stablehlo_scatter = {.name = "stablehlo_scatter", GL_VARIANTS(variants)};

/* Where `i` is in the list; -1: nowhere. */
static int32_t find(const int64_t *dims, int n, int32_t i)
{
    for (int32_t k = 0; k < n; k++)
        if (dims[k] == i)
            return k;
    return -1;
}

static struct windows windows_of(const struct node *n)
{
    const struct opt_stablehlo_scatter *o = n->opt;
    const struct tensor *y = n->out[0], *at = n->in[1], *u = n->in[2];
    const int32_t last = u->rank - 1;
    int32_t in_at[TENSOR_MAX_RANK + 1], in_u[TENSOR_MAX_RANK], vector = 0, d = 0;
    struct windows w = {.turns = {0, 1, REDUCTION_TURN, 0}, .axes = y->rank, .batches = u->rank - o->num_update_window_dims};

    gl_strides(at, in_at);
    gl_strides(u, in_u);
    for (int32_t i = 0; i < y->rank; i++) {
        const int32_t k = find(o->scatter_dims_to_operand_dims, o->num_scatter_dims_to_operand_dims, i);

        w.rows[y->rank - 1 - i] = (struct gl_row){
            {y->dim[i], 1, 0, k < 0 || o->index_vector_dim == at->rank ? k : k * in_at[o->index_vector_dim]}};
    }
    for (int32_t i = 0, batch = 0; i <= last; i++) {
        if (find(o->update_window_dims, o->num_update_window_dims, i) >= 0) {
            while (find(o->inserted_window_dims, o->num_inserted_window_dims, d) >= 0)
                d++;
            w.rows[y->rank - 1 - d].n[1] = u->dim[i];
            w.rows[y->rank - 1 - d++].n[2] = in_u[i];
            continue;
        }
        vector += vector == o->index_vector_dim;
        w.rows[w.axes + w.batches - 1 - batch++] = (struct gl_row){{u->dim[i], in_u[i], in_at[vector++]}};
        w.turns.end *= u->dim[i];
    }
    return w;
}

static const char *combine_of(const struct node *n, struct reason *why)
{
    const struct opt_stablehlo_scatter *o = n->opt;
    const struct reduction *r = reduction_of_subgraph(n->graph, o->update_computation_subgraph_index);

    return reduction_of_type(r && r->numbers ? r : NULL, n->out[0]->type, why); /* the CPU has no logical ones, of no type */
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_one_type(n, 0, 1, why) || !gl_one_type(n, 2, 3, why) || !gl_storable(lim, n, 0, 3, why))
        return false;
    if (ir_type_of(n->in[1]) != IR_INT)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "indices of type %s", type_name(n->in[1]->type));
    if (n->out[0]->rank == 0)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "the output is a scalar");
    return reduction_ends((uint64_t)windows_of(n).turns.end, "index vectors", why) && combine_of(n, why);
}

static bool combine(struct ir *ir, const struct node *n, struct ir_value *x, struct ir_value *at, struct ir_value *updates,
                    bool wide, struct ir_value *y)
{
    struct ir_op *op = x && at && updates && y
                           ? ir_op_new(ir, &gl_kind_stablehlo_scatter, IR_INS(x, at, updates), y, sizeof(struct windows))
                           : NULL;
    struct reason why;
    struct windows *w;

    if (!op)
        return false;
    w = op->attr;
    *w = windows_of(n);
    w->wide = wide;
    w->combine = combine_of(n, &why); /* accept() has found it */
    return true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    return combine(ir, n, ir_in(ir, n, 0), ir_in(ir, n, 1), ir_in(ir, n, 2), false, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

static struct ir_value *int64_stablehlo_scatter(struct ir *ir, const struct node *n, struct ir_value **high)
{
    struct ir_value *x = int64_join(ir, int64_half(ir, n->in[0], false), int64_half(ir, n->in[0], true)), *y;
    struct ir_value *updates = int64_join(ir, int64_half(ir, n->in[2], false), int64_half(ir, n->in[2], true));

    y = x ? ir_temp_full(ir, IR_INT, x->shape) : NULL;
    if (!combine(ir, n, x, int64_index(ir, n->in[1]), updates, true, y))
        return NULL;
    *high = int64_take_half(ir, y, true);
    return *high ? int64_take_half(ir, y, false) : NULL;
}

const struct gl_kernel gl_stablehlo_scatter = {
    .max_version = 1,
    .in_types = TAKES_ANY,
    .out_types = TAKES_ANY,
    .accept = accept,
    .lower = lower,
    .int64 = &(const struct gl_int64){.lower = int64_stablehlo_scatter, .types = IR_TAKES_INT64, .asks = true, .by_output = true}};
