/* SPDX-License-Identifier: Apache-2.0 */
/* commute_reshape_transpose.c - the pass "turn reshapes": rows and pixels of planes become one axis while channels still come last.
 *
 * Detectors transpose heads to [1,C,H,W], join them along C, reshape that to [1,C,H*W], join these along the last axis and
 * transpose back. Such a reshape is a transpose, a reshape that moves nothing, and a transpose again, and all transposes cancel. */
#include "lib/gl/passes/passes.h"
#include "lib/gl/passes/sink_transpose.h"

#include <string.h>

#define MOST_DEEP 8

static const int to_planes[4] = {0, 3, 1, 2}, from_planes[4] = {0, 2, 3, 1}, to_rows[4] = {0, 1, 3, 2};

/* [b,h,w,1] as [b,1,h,w]. */
static bool is_plane(const struct ir_op *op)
{
    const struct ir_shape x = op->in[0]->shape, y = op->out->shape;

    return op->kind->role == IR_RESHAPE && !op->epilogue && !op->moves_batch && x.c == 1 && x.b == y.b && y.h == 1 && y.w == x.h;
}

/* A join, or a map that reads nothing else. */
static bool is_between(const struct ir_op *op)
{
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        if (ir_reads_value(e))
            return false;
    return op->kind->role == IR_CONCATENATION || op->kind->role == IR_MAP;
}

/* All that v is made of is transposed to planes, for v alone; *like becomes one of these transposes. */
static bool is_of_planes(const struct ir_value *v, int deep, const struct ir_op **like)
{
    const struct ir_op *op = v->producer;
    int axis[4];

    if (!op || v->n_uses != 1 || deep == MOST_DEEP)
        return false;
    if (sink_is_transpose(op, axis)) {
        *like = op;
        return !memcmp(axis, to_planes, sizeof axis);
    }
    for (uint32_t i = 0; is_between(op) && i < op->n_in; i++)
        if (!is_of_planes(op->in[i], deep + 1, like))
            return false;
    return is_between(op) || is_plane(op);
}

/* What is_of_planes found to be reshaped is transposed as well. False: out of memory. */
static bool turn_planes(struct ir *ir, struct ir_op *op, const struct ir_op *like)
{
    for (uint32_t i = 0; is_between(op) && i < op->n_in; i++)
        if (!turn_planes(ir, op->in[i]->producer, like))
            return false;
    if (op->kind->role != IR_RESHAPE)
        return true;
    op->kind = like->kind;
    op->attr_size = like->attr_size;
    if (!(op->attr = arena_alloc(ir->arena, 1, like->attr_size)))
        return false;
    ir_traits(op)->set_axes(op, to_planes);
    return true;
}

/* Rows and pixels of each channel's plane become one axis. */
static bool joins_planes(const struct ir_op *op)
{
    const struct ir_shape x = op->in[0]->shape, y = op->out->shape;

    return op->kind->role == IR_RESHAPE && !op->epilogue && !op->moves_batch && x.w > 1 && x.b == y.b && y.h == 1 && y.w == x.h;
}

/* At the end of the list, as part of what `of` computes. */
static bool append_transpose(struct ir *ir, const struct ir_op *of, const struct ir_op *like, struct ir_value *x,
                             struct ir_value *y, const int axis[4])
{
    struct ir_op *op = ir_op_new(ir, like->kind, IR_INS(x), y, like->attr_size);

    if (!op)
        return false;
    op->nodes = of->nodes;
    op->n_nodes = of->n_nodes;
    ir_traits(op)->set_axes(op, axis);
    return true;
}

static bool turn(struct ir *ir, struct ir_op *op, const struct ir_op *like)
{
    struct ir_value *x = op->in[0], *y = op->out;
    const struct ir_shape s = x->shape;
    struct ir_value *pixels = ir_temp(ir, x->type, (struct ir_shape){s.b, s.w, s.c, s.h});
    struct ir_value *rows = ir_temp(ir, x->type, (struct ir_shape){s.b, 1, y->shape.c, s.h});

    if (!pixels || !rows || !turn_planes(ir, x->producer, like) || !append_transpose(ir, op, like, x, pixels, from_planes))
        return false;
    pixels->full = rows->full = y->full;
    op->in[0] = pixels;
    op->out = rows;
    return ir_append(ir, op) && append_transpose(ir, op, like, rows, y, to_rows);
}

enum status gl_commute_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct ir_op **ops = ir->ops;
    const uint32_t n = ir->n_ops;
    bool ok = true;

    (void)lim;
    ir->ops = NULL;
    ir->n_ops = ir->cap_ops = 0;
    for (uint32_t i = 0; i < n && ok; i++) {
        const struct ir_op *like = NULL;

        if (joins_planes(ops[i]) && is_of_planes(ops[i]->in[0], 0, &like) && like)
            ok = turn(ir, ops[i], like);
        else
            ok = ir_append(ir, ops[i]);
    }
    return ok ? ST_OK : ir_nomem(err);
}
