/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_gather.c - STABLEHLO_GATHER: slices at computed places, arranged as the options say.
 *
 * Each dimension of the result runs over the index vectors or over the slices. Start indices are clamped to keep slices inside the
 * operand. The op's shape function has checked all options. */
#include "kernels_gl/common/data_movement.h"

/* A row of the shader's table: of an axis its extent, step in x, step among the indices; of a number of a vector its place, step in
 * x, largest value. */
struct row {
    int32_t n[3];
};

struct gather {
    int32_t axes, starts;
    struct row rows[2 * TENSOR_MAX_RANK];
};

static void pack(const void *arg, size_t first, size_t n, void *to)
{
    const struct gather *g = arg;
    int32_t *out = to;

    for (size_t i = first; i < first + n; i++)
        for (int k = 0; k < 4; k++)
            *out++ = k < 3 ? g->rows[i].n[k] : 0;
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    const struct gather *g = op->attr;

    gl_source(p, stablehlo_gather_comp);
    gl_define_types(p, op->stores);
    GL_DEFINES(p, "AXES STARTS", g->axes, g->starts);
    gl_operands(p, "x at");
    gl_table(p, "t", (size_t)g->axes + (size_t)g->starts, pack, g, sizeof *g);
}

static const struct gl_variant variants[] = {{"elements", NULL, emit, .iterations = gl_unrolled}};
const struct ir_kind gl_kind_stablehlo_gather = {.name = "stablehlo_gather", .constants = 1, GL_VARIANTS(variants)};

static bool names(const int64_t *dims, int n, int32_t i)
{
    while (n-- > 0)
        if (dims[n] == i)
            return true;
    return false;
}

static struct gather gather_of(const struct node *n)
{
    const struct opt_stablehlo_gather *o = n->opt;
    const struct tensor *x = n->in[0], *at = n->in[1], *y = n->out[0];
    int32_t in_x[TENSOR_MAX_RANK], in_at[TENSOR_MAX_RANK + 1], vector = 0, inside = 0;
    struct gather g = {.axes = y->rank, .starts = o->num_start_index_map};

    gl_strides(x, in_x);
    gl_strides(at, in_at);
    for (int32_t i = 0; i < y->rank; i++) {
        struct row *row = &g.rows[y->rank - 1 - i];

        row->n[0] = y->dim[i];
        if (names(o->offset_dims, o->num_offset_dims, i)) {
            while (names(o->collapsed_slice_dims, o->num_collapsed_slice_dims, inside))
                inside++;
            row->n[1] = in_x[inside++];
        } else {
            vector += vector == o->index_vector_dim;
            row->n[2] = in_at[vector++];
        }
    }
    for (int32_t k = 0; k < g.starts; k++) {
        const int32_t dim = (int32_t)o->start_index_map[k], step = o->index_vector_dim < at->rank ? in_at[o->index_vector_dim] : 0;

        g.rows[g.axes + k] = (struct row){{k * step, in_x[dim], x->dim[dim] - (int32_t)o->slice_sizes[dim]}};
    }
    return g;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_one_type(n, 0, 1, why) || !gl_storable(lim, n, 0, 2, why))
        return false;
    if (n->out[0]->rank + ((const struct opt_stablehlo_gather *)n->opt)->num_start_index_map == 0)
        return reason_set(why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "nothing is gathered");
    return true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct gather g = gather_of(n);

    return ir_op_with(ir, &gl_kind_stablehlo_gather, IR_INS(ir_in(ir, n, 0), ir_in(ir, n, 1)), ir_out(ir, n, 0), &g, sizeof g)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_stablehlo_gather = {.max_version = 1, MOVES_ANY, .accept = accept, .lower = lower};
