/* SPDX-License-Identifier: Apache-2.0 */
/* hoist_slices.c - the passes "raise boxes" and "raise reshapes": what moves data changes places with what it reads, where one of
 * them need not run then. */
#include "lib/gl/ir/fold.h"
#include "lib/gl/passes/passes.h"

#define MOST_DEEP 8

/* What v is reshaped from, by an operation that does nothing else; NULL: it is not. */
static struct ir_op *reshape_of(const struct ir_value *v)
{
    struct ir_op *op = v->producer;

    return op && op->kind->role == IR_RESHAPE && !op->epilogue && !op->moves_batch && !op->in[0]->data && op->in[0]->type == v->type
               ? op
               : NULL;
}

/* y = x, at the end of the list, as part of what `of` computes. */
static bool append_reshape(struct ir *ir, const struct ir_op *of, const struct ir_kind *kind, struct ir_value *x,
                           struct ir_value *y)
{
    struct ir_op *op = ir_op_new(ir, kind, IR_INS(x), y, 0);

    if (!op)
        return false;
    op->nodes = of->nodes;
    op->n_nodes = of->n_nodes;
    op->at = ir->n_ops - 1;
    y->producer = op;
    return true;
}

static bool append(struct ir *ir, struct ir_op *op)
{
    op->at = ir->n_ops;
    return ir_append(ir, op);
}

/* Runs `step` for each operation, which puts it or what stands for it at the end of the list. */
static enum status go_over(struct ir *ir, bool (*step)(struct ir *ir, struct ir_op *op, void *arg), void *arg, struct err *err)
{
    struct ir_op **ops = ir->ops;
    const uint32_t n = ir->n_ops;
    bool ok = true;

    ir->ops = NULL;
    ir->n_ops = ir->cap_ops = 0;
    for (uint32_t i = 0; i < n && ok; i++)
        ok = step(ir, ops[i], arg);
    ir_close_gaps(ir);
    return ok ? ST_OK : ir_nomem(err);
}

/* ---- boxes ---- */

/* Channels of x are dealt out to pixels of its reshape, of which the box takes one each: whole slices of x, in the same order. */
static bool takes_channels(const struct ir_op *box, struct ir_shape x, struct ir_shape *at, struct ir_shape *part)
{
    const struct ir_shape y = box->in[0]->shape, z = box->out->shape;

    if (!ir_traits(box)->is_box || !ir_traits(box)->set_box || box->epilogue || y.w == 1 || z.w > 1 || z.b != y.b || z.h != y.h ||
        z.c != y.c || y.c % 4 || x.c != (int64_t)y.w * y.c || !ir_traits(box)->is_box(box, at))
        return false;
    *part = (struct ir_shape){x.b, x.h, x.w, y.c};
    *at = (struct ir_shape){0, 0, 0, at->w * y.c};
    return ir_same_order(*part, z);
}

/* Heads of a projection are reshaped apart and sliced: they are slices of its channels. A reshape of a reshape is one, where it
 * would not copy what another copies anyhow. */
static bool raise_box(struct ir *ir, struct ir_op *op, void *arg)
{
    struct ir_op *from = op->n_in ? reshape_of(op->in[0]) : NULL;
    struct ir_value *z = op->out, *t;
    struct ir_shape at, part;

    (void)arg;
    if (from && reshape_of(op->out) == op && (op->in[0]->n_uses == 1 || ir_same_order(from->in[0]->shape, z->shape)))
        op->in[0] = from->in[0];
    if (!from || !takes_channels(op, from->in[0]->shape, &at, &part))
        return append(ir, op);
    if (!(t = ir_temp(ir, z->type, part)))
        return false;
    t->full = z->full;
    op->in[0] = from->in[0];
    op->out = t;
    t->producer = op;
    return ir_traits(op)->set_box(ir, op, at) && append(ir, op) && append_reshape(ir, op, from->kind, t, z);
}

enum status gl_raise_boxes(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    return lim->policy.any_batch ? ST_OK : go_over(ir, raise_box, NULL, err);
}

/* ---- reshapes ---- */

static bool copies(const struct ir_value *x, const struct ir_value *y)
{
    return !ir_same_order(x->shape, y->shape);
}

/* It reads numbers beside in[0], which it does not broadcast. */
static bool is_plain_map(const struct ir_op *op)
{
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            if (e->operand[i] && !ir_is_scalar(e->operand[i]))
                return false;
    return op->kind->role == IR_MAP && ir_same_shape(op->in[0]->shape, op->out->shape) && !op->in[0]->data;
}

/* What maps alone make v of, for v alone; v itself where they will be part of what makes that, or there are none. */
static struct ir_value *before_maps(struct ir_value *v)
{
    struct ir_value *x = v;

    for (int deep = 0; deep < MOST_DEEP && x->producer && x->n_uses == 1 && is_plain_map(x->producer); deep++)
        x = x->producer->in[0];
    return x->producer && x->n_uses == 1 ? v : x;
}

/* The views of fully connected layers (ir_traits.reorder). */
static bool may_be_flattened(struct ir_shape x, struct ir_shape y)
{
    return x.c % 4 == 0 && y.h == 1 && y.w == 1;
}

/* What the pass knows beforehand. */
struct reshapes {
    struct ir_op **of; /* [n] values: a reshape of it that copies, the last one */
    bool *joined;      /* [n] values: a join reads it */
    uint32_t n;
};

/* The map and those before it, down to the one that reads x, run on what x is reshaped to. */
static bool run_maps_on(struct ir *ir, struct ir_op *map, const struct ir_value *x, struct ir_value *reshaped)
{
    ir->ops[map->at] = NULL;
    if (map->in[0] == x) {
        map->in[0] = reshaped;
        return append(ir, map);
    }
    if (!run_maps_on(ir, map->in[0]->producer, x, reshaped))
        return false;
    map->in[0]->shape = reshaped->shape;
    return append(ir, map);
}

/* The reshape of what maps make of x reshapes x. Where another one does that already, wherever it comes, it is there for both. */
static bool raise_above_maps(struct ir *ir, struct ir_op *op, struct ir_value *x, struct reshapes *r)
{
    struct ir_op *map = op->in[0]->producer, *as = r->of[x->id];
    struct ir_value *y = op->out;

    if (!as || !ir_same_shape(as->out->shape, y->shape)) {
        r->of[x->id] = as = op;
        if (!(op->out = ir_temp(ir, x->type, y->shape)))
            return false;
        op->out->full = x->full;
        op->in[0] = x;
        op->stores = x->type; /* which the maps may change */
    }
    map->out = y;
    return (as->at != UINT32_MAX || append(ir, as)) && run_maps_on(ir, map, x, as->out);
}

/* Whether the reshape of a join, of rows and pixels to pixels alone, may as well be one of each operand: it joins channels by
 * copying anyhow, or *rows that need no reshape then. */
static bool can_split(const struct ir_op *join, struct ir_shape y, bool *rows)
{
    const struct ir_shape x = join->out->shape;
    bool channels = true, copies = false;

    *rows = true;
    for (uint32_t i = 0; i < join->n_in; i++) {
        const struct ir_shape part = join->in[i]->shape;

        if (join->in[i]->data || join->in[i]->type != join->out->type)
            return false;
        channels &= part.b == x.b && part.h == x.h && part.w == x.w;
        *rows &= part.b == x.b && part.h == 1 && part.w == x.w && part.c == x.c;
        copies |= i + 1 < join->n_in && part.c % 4;
    }
    return x.h > 1 && y.b == x.b && y.h == 1 && y.c == x.c && (*rows ? ir_traits(join)->permute != NULL : channels && copies);
}

/* Another join reads the reshape, within which what this one makes can lie. */
static bool raise_above_join(struct ir *ir, struct ir_op *op, bool rows)
{
    struct ir_op *join = op->in[0]->producer;

    ir->ops[join->at] = NULL;
    for (uint32_t i = 0; i < join->n_in && !rows; i++) {
        struct ir_value *x = join->in[i], *t;

        if (!(t = ir_temp(ir, x->type, (struct ir_shape){x->shape.b, 1, op->out->shape.w, x->shape.c})) ||
            !append_reshape(ir, op, op->kind, x, t))
            return false;
        t->full = x->full;
        join->in[i] = t;
    }
    if (rows)
        ir_traits(join)->permute(join, (const int[]){0, 2, 1, 3});
    join->out = op->out;
    return append(ir, join);
}

/* What each pixel's channels are normalized by leaves alone where the pixel is, and a reshape behind it may be dropped where it
 * leaves the graph. */
static bool sinks(const struct ir_op *op, const struct ir_op *from)
{
    return ir_traits(op)->keeps_pixels && !op->epilogue && op->out->is_output && copies(from->in[0], from->out) &&
           from->in[0]->shape.c == from->out->shape.c && from->out->n_uses == 1;
}

static bool sink_reshape(struct ir *ir, struct ir_op *op, struct ir_op *from)
{
    struct ir_value *x = from->in[0], *t = ir_temp(ir, op->out->type, x->shape), *y = op->out;

    if (!t)
        return false;
    t->full = y->full;
    ir->ops[from->at] = NULL;
    op->in[0] = x;
    op->out = t;
    from->in[0] = t;
    from->out = y;
    from->stores = t->type;
    return append(ir, op) && append(ir, from);
}

static bool raise_reshape(struct ir *ir, struct ir_op *op, void *arg)
{
    struct reshapes *r = arg;
    const bool is_reshape = reshape_of(op->out) == op;
    struct ir_value *v = is_reshape ? op->in[0] : NULL, *y = op->out, *x = v ? before_maps(v) : NULL;
    struct ir_op *join = v ? v->producer : NULL, *from = op->n_in ? reshape_of(op->in[0]) : NULL;
    bool rows;

    if (op->at != UINT32_MAX) /* it came early */
        return true;
    if (x != v && copies(v, y) && !y->is_output && !may_be_flattened(v->shape, y->shape))
        return raise_above_maps(ir, op, x, r);
    if (join && join->kind->role == IR_CONCATENATION && !join->epilogue && v->n_uses == 1 && y->id < r->n && r->joined[y->id] &&
        can_split(join, y->shape, &rows))
        return raise_above_join(ir, op, rows);
    if (from && sinks(op, from))
        return sink_reshape(ir, op, from);
    return append(ir, op);
}

enum status gl_raise_reshapes(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct arena scratch = {0};
    struct reshapes r = {ARENA_ARRAY(&scratch, ir->n_values, struct ir_op *), ARENA_ARRAY(&scratch, ir->n_values, bool),
                         ir->n_values};
    enum status st = r.of && r.joined ? ST_OK : ir_nomem(err);

    for (uint32_t i = 0; i < ir->n_ops && !st; i++) {
        struct ir_op *op = ir->ops[i];

        op->at = UINT32_MAX;
        if (reshape_of(op->out) == op && copies(op->in[0], op->out))
            r.of[op->in[0]->id] = op;
        for (uint32_t k = 0; k < op->n_in && op->kind->role == IR_CONCATENATION; k++)
            r.joined[op->in[k]->id] = true;
    }
    if (!st && !lim->policy.any_batch)
        st = go_over(ir, raise_reshape, &r, err);
    arena_free(&scratch);
    return st;
}
