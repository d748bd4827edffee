/* SPDX-License-Identifier: Apache-2.0 */
/* gather.c - GATHER: constant indices make a gather; computed ones are read by the shader. GATHER_ND: all are. */
#include <stdio.h>

#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/data_movement.h"

/* x seen as [batches, outer, length, inner], indices as [batches, 1, picks, 1], y as [batches, outer, picks, inner]. */
struct gather {
    int32_t axis;
    size_t batches, outer, length, inner, picks;
};

/* The op's shape function has checked axis and batch_dims. */
static struct gather plan(const struct node *n)
{
    const struct opt_gather *o = n->opt;
    const struct tensor *x = n->in[0], *at = n->in[1];
    int32_t batch = o->batch_dims < 0 ? o->batch_dims + at->rank : o->batch_dims;
    int32_t axis = o->axis < 0 ? o->axis + x->rank : o->axis;

    return (struct gather){.axis = axis,
                           .batches = shape_count(x->dim, 0, batch),
                           .outer = shape_count(x->dim, batch, axis),
                           .length = (size_t)x->dim[axis],
                           .inner = shape_count(x->dim, axis + 1, x->rank),
                           .picks = shape_count(at->dim, batch, at->rank)};
}

/* No extent overflows: the elements of a stored tensor do not. */
static struct ir_shape shape_of(size_t b, size_t h, size_t w, size_t c)
{
    return (struct ir_shape){(int32_t)b, (int32_t)h, (int32_t)w, (int32_t)c};
}

static void emit(struct gl_shader *p, const struct ir_op *op)
{
    (void)op;
    gl_source(p, gather_comp);
    gl_operands(p, "x at");
}

static const struct gl_variant variants[] = {{"slices", NULL, emit}};
const struct ir_kind gl_kind_gather = {.name = "gather", GL_VARIANTS(variants)};

static bool indices_in_range(const struct node *n, const struct gather *g, struct reason *why)
{
    size_t elems = tensor_elems(n->in[1]);

    for (size_t i = 0; i < elems; i++)
        if (tensor_int(n->in[1], i) < 0 || tensor_int(n->in[1], i) >= (int64_t)g->length)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "index %zu is %lld, dimension %d is %zu long", i,
                              (long long)tensor_int(n->in[1], i), g->axis, g->length);
    return true;
}

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    struct gather p;

    if (!gl_one_type(n, 0, 1, why))
        return false;
    if (!n->in[1]->is_const && ir_type_of(n->in[1]) != IR_INT)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "indices of type %s", type_name(n->in[1]->type));
    p = plan(n);
    if (n->in[1]->is_const && !indices_in_range(n, &p, why))
        return false;
    return gl_storable(lim, n, 0, 2, why);
}

/* Without batch dimensions the indices stand for themselves along the axis. */
static bool lower_constant(struct ir *ir, const struct node *n, const struct gather *g, struct ir_value *x, struct ir_value *y)
{
    struct axis_gather gather = axis_gather_of(n->in[0]->rank, n->in[0]->dim, n->in[0]->dim);
    int32_t *at = ARENA_ARRAY(ir->arena, g->picks, int32_t);

    for (size_t i = 0; at && i < g->picks; i++)
        at[i] = (int32_t)tensor_int(n->in[1], i);
    gather.at[g->axis] = at;
    gather.y[g->axis] = (int32_t)g->picks;
    return at && ir_axis_gather(ir, x, &gather, y);
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *at, *y = ir_out(ir, n, 0), *natural;
    struct gather g = plan(n);

    if (n->in[1]->is_const && g.batches == 1)
        return lower_constant(ir, n, &g, x, y) ? ST_OK : ir_nomem(err);
    x = ir_reshaped(ir, x, shape_of(g.batches, g.outer, g.length, g.inner));
    at = ir_reshaped(ir, ir_in(ir, n, 1), shape_of(g.batches, 1, g.picks, 1));
    natural = ir_begin_reshape(ir, y, shape_of(g.batches, g.outer, g.picks, g.inner));
    return ir_op_new(ir, &gl_kind_gather, IR_INS(x, at), natural, 0) && ir_end_reshape(ir, natural, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_gather = {.max_version = 8, MOVES_ANY, .accept = accept, .lower = lower};

/* ---- GATHER_ND ---- */

/* x is seen as [1, all but the last coordinate, last coordinate, inner], indices as [1, 1, picks, depth], y as [1, 1, picks,
 * inner]. */
struct gather_nd {
    int32_t depth, extent[TENSOR_MAX_RANK];
};

static void emit_nd(struct gl_shader *p, const struct ir_op *op)
{
    const struct gather_nd *g = op->attr;
    char name[24];

    gl_source(p, gather_nd_comp);
    gl_define(p, "DEPTH", g->depth);
    for (int32_t i = 0; i < g->depth; i++) {
        snprintf(name, sizeof name, "EXTENT%d", i);
        gl_param(p, name, g->extent[i]);
    }
    gl_operands(p, "x at");
}

static const struct gl_variant variants_nd[] = {{"slices", NULL, emit_nd}};
const struct ir_kind gl_kind_gather_nd = {.name = "gather_nd", GL_VARIANTS(variants_nd)};

static bool accept_nd(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!gl_one_type(n, 0, 1, why))
        return false;
    if (!n->in[1]->is_const && ir_type_of(n->in[1]) != IR_INT)
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "indices of type %s", type_name(n->in[1]->type));
    return gl_storable(lim, n, 0, 2, why) &&
           (!n->in[1]->is_const || gl_indices_fit(n->in[1], (size_t)n->in[1]->dim[n->in[1]->rank - 1], n->in[0], why));
}

static enum status lower_nd(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0], *at = n->in[1];
    struct gather_nd g = {.depth = at->dim[at->rank - 1]};
    const size_t inner = shape_count(x->dim, g.depth, x->rank), picks = shape_count(at->dim, 0, at->rank - 1);
    struct ir_value *y = ir_out(ir, n, 0), *from, *which, *natural;

    for (int32_t i = 0; i < g.depth; i++)
        g.extent[i] = x->dim[i];
    from = ir_reshaped(ir, ir_in(ir, n, 0), shape_of(1, shape_count(x->dim, 0, g.depth - 1), (size_t)x->dim[g.depth - 1], inner));
    which = ir_reshaped(ir, ir_in(ir, n, 1), shape_of(1, 1, picks, (size_t)g.depth));
    natural = ir_begin_reshape(ir, y, shape_of(1, 1, picks, inner));
    return ir_op_with(ir, &gl_kind_gather_nd, IR_INS(from, which), natural, &g, sizeof g) && ir_end_reshape(ir, natural, y)
               ? ST_OK
               : ir_nomem(err);
}

const struct gl_kernel gl_gather_nd = {.max_version = 6, MOVES_ANY, .accept = accept_nd, .lower = lower_nd};
