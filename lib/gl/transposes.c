/* SPDX-License-Identifier: Apache-2.0 */
/* transposes.c - the pass "sink transposes": values change the order of their axes together, so that transposes between them go.
 *
 * Operations that treat their axes alike (maps, pads, joins, gathers) tie the values around them into a group. A group is kept in
 * one order or another; what is at its border pays for that: a transpose that leads into it or out of it is gone where both its
 * sides have one order, and whatever else makes or reads a value of the group needs a transpose in between. Each transpose proposes
 * the order of its other side; an order that costs less is taken. So transposes sink through maps, merge and cancel, but nothing
 * is transposed more often than before. */
#include "passes.h"
#include "kernel.h"

#include <string.h>

/* What a dispatch costs beside its elements, in elements. */
#define DISPATCH 65536

/* The orders of nested groups settle from the inside. */
#define MOST_SWEEPS 8

struct sinking {
    struct ir *ir;
    const struct gl_limits *lim;
    uint32_t *group;   /* [ir->n_values] another value of its group, in the end the one that stands for it */
    uint32_t left;     /* orders that may still be taken: an end, should costs be wrong */
    bool *made, *read; /* [ir->n_values] by an operation that keeps its axes, or outside */
    struct arena scratch;
};

static bool is_transpose(const struct ir_op *op, int axis[4])
{
    return op->kind->axes && !op->epilogue && !op->out2 && !op->in[0]->data && op->kind->axes(op, axis);
}

/* Its axes can be named in another order. */
static bool is_free(const struct ir_op *op)
{
    int axis[4];

    return !op->out2 && !is_transpose(op, axis) && (op->kind->role == IR_MAP || op->kind->permute);
}

static uint32_t group_of(const struct sinking *s, const struct ir_value *v)
{
    uint32_t i = v->id;

    for (; s->group[i] != i; i = s->group[i])
        s->group[i] = s->group[s->group[i]]; /* halves the way of whoever comes next: chains are long */
    return i;
}

static void tie(void *arg, struct ir_value **operand)
{
    struct sinking *s = ((void **)arg)[0];
    const struct ir_op *op = ((void **)arg)[1];

    if (!(*operand)->data)
        s->group[group_of(s, *operand)] = group_of(s, op->out);
}

static void mark_read(void *arg, struct ir_value **operand)
{
    ((bool *)arg)[(*operand)->id] = true;
}

/* Groups, and who has values that keep their order. */
static bool find_groups(struct sinking *s)
{
    struct ir *ir = s->ir;

    arena_free(&s->scratch);
    s->group = ARENA_ARRAY(&s->scratch, ir->n_values, uint32_t);
    s->made = ARENA_ARRAY(&s->scratch, ir->n_values, bool);
    s->read = ARENA_ARRAY(&s->scratch, ir->n_values, bool);
    if (!s->group || !s->made || !s->read)
        return false;
    for (uint32_t i = 0; i < ir->n_values; i++) {
        s->group[i] = i;
        s->made[i] = ir->values[i]->is_input;
        s->read[i] = ir->values[i]->is_output;
    }
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i];
        int axis[4];

        if (is_transpose(op, axis))
            continue;
        if (is_free(op)) {
            ir_each_operand(op, tie, (void *[]){s, op});
            continue;
        }
        s->made[op->out->id] = true;
        if (op->out2)
            s->made[op->out2->id] = true;
        ir_each_operand(op, mark_read, s->read);
    }
    return true;
}

/* ---- what another order costs ---- */

static struct ir_shape reordered(struct ir_shape x, const int order[4])
{
    return (struct ir_shape){ir_dim(x, order[0]), ir_dim(x, order[1]), ir_dim(x, order[2]), ir_dim(x, order[3])};
}

static void invert(const int order[4], int out[4])
{
    for (int i = 0; i < 4; i++)
        out[order[i]] = i;
}

static bool in_place(const int order[4])
{
    return order[0] == 0 && order[1] == 1 && order[2] == 2 && order[3] == 3;
}

/* The axes of a transpose afterwards, whose sides are of the group or not: first the output's axes are renamed, then the input's.
 */
static void renamed(const int axis[4], const int order[4], bool in, bool out, int to[4])
{
    int back[4];

    invert(order, back);
    for (int i = 0; i < 4; i++) {
        int from = axis[out ? order[i] : i];

        to[i] = in ? back[from] : from;
    }
}

static int64_t cost_of(const struct ir_value *v)
{
    return DISPATCH + (int64_t)ir_elems(v->shape);
}

/* Parts of a join along the channels that are no whole slices make it a copy. */
static bool joins_by_copying(const struct ir_op *op, const int order[4])
{
    const struct ir_shape y = reordered(op->out->shape, order);

    for (uint32_t i = 0; i + 1 < op->n_in; i++) {
        const struct ir_shape x = reordered(op->in[i]->shape, order);

        if (x.c != y.c && x.c % 4)
            return true;
    }
    return false;
}

static int64_t cost_of_join(const struct ir_op *op, const int order[4])
{
    static const int as_is[4] = {0, 1, 2, 3};

    return ((int64_t)joins_by_copying(op, order) - joins_by_copying(op, as_is)) * cost_of(op->out);
}

/* What is paid more for the group in that order; INT64_MAX where the device has no room for it. */
static int64_t cost_of_order(const struct sinking *s, uint32_t group, const int order[4])
{
    int64_t cost = 0;

    for (uint32_t i = 0; i < s->ir->n_values; i++) {
        const struct ir_value *v = s->ir->values[i];
        struct reason why;

        if (v->data || group_of(s, v) != group)
            continue;
        if (!gl_fits(s->lim, v->type, reordered(v->shape, order), &why))
            return INT64_MAX;
        cost += s->made[i] || s->read[i] ? cost_of(v) : 0;
    }
    for (uint32_t i = 0; i < s->ir->n_ops; i++) {
        const struct ir_op *op = s->ir->ops[i];
        int axis[4], to[4];

        if (is_transpose(op, axis)) {
            renamed(axis, order, group_of(s, op->in[0]) == group, group_of(s, op->out) == group, to);
            cost += ((int64_t)in_place(axis) - in_place(to)) * cost_of(op->out);
        } else if (op->kind->role == IR_CONCATENATION && group_of(s, op->out) == group) {
            cost += cost_of_join(op, order);
        }
    }
    return cost;
}

/* ---- taking another order ---- */

/* The operation, which is the last, comes before the one at `at`. */
static void move_to(struct ir *ir, uint32_t at)
{
    struct ir_op *op = ir->ops[ir->n_ops - 1];

    memmove(&ir->ops[at + 1], &ir->ops[at], (ir->n_ops - 1 - at) * sizeof *ir->ops);
    ir->ops[at] = op;
}

/* y = x with axis k of y being axis[k] of x, made as `like` is, at that place. */
static bool add_transpose(struct ir *ir, const struct ir_op *like, struct ir_value *x, struct ir_value *y, const int axis[4],
                          uint32_t at)
{
    struct ir_op *op = ir_op_new(ir, like->kind, IR_INS(x), y, like->attr_size);

    if (!op)
        return false;
    op->nodes = like->nodes;
    op->n_nodes = like->n_nodes;
    op->kind->set_axes(op, axis);
    move_to(ir, at);
    return true;
}

/* The constant with its axes in that order. */
static struct ir_value *reordered_constant(struct ir *ir, const struct ir_value *v, const int order[4])
{
    const struct ir_shape x = v->shape, y = reordered(x, order);
    const uint32_t *from = v->data;
    uint32_t *to = ARENA_ARRAY(ir->arena, ir_elems(y), uint32_t), *next = to;
    struct ir_value *w;
    int32_t at[4], i[4] = {0};

    if (!to)
        return NULL;
    for (i[0] = 0; i[0] < y.b; i[0]++)
        for (i[1] = 0; i[1] < y.h; i[1]++)
            for (i[2] = 0; i[2] < y.w; i[2]++)
                for (i[3] = 0; i[3] < y.c; i[3]++) {
                    for (int k = 0; k < 4; k++)
                        at[order[k]] = i[k];
                    *next++ = from[(((size_t)at[0] * (size_t)x.h + (size_t)at[1]) * (size_t)x.w + (size_t)at[2]) * (size_t)x.c +
                                   (size_t)at[3]];
                }
    if ((w = ir_const(ir, v->type, y, to)))
        w->full = v->full;
    return w;
}

/* What the group's own operations read and write from now on in the place of each value: now[old n_values]. */
struct renaming {
    struct ir *ir;
    struct ir_value **now;
    const int *order;
    uint32_t n;
    bool failed;
};

static void rename_operand(void *arg, struct ir_value **operand)
{
    struct renaming *r = arg;
    struct ir_value *v = *operand;

    if (v->data && ir_elems(v->shape) == 1)
        return;
    *operand = v->data ? reordered_constant(r->ir, v, r->order) : v->id < r->n ? r->now[v->id] : v;
    if (!*operand) {
        *operand = v;
        r->failed = true;
    }
}

/* A value in another order; `v` itself where nobody else knows it. */
static struct ir_value *value_in_order(const struct sinking *s, struct ir_value *v, const int order[4])
{
    struct ir_value *w = v;

    if (s->made[v->id] || s->read[v->id]) {
        if (!(w = ir_temp(s->ir, v->type, v->shape)))
            return NULL;
        w->full = v->full;
    }
    w->shape = reordered(v->shape, order);
    return w;
}

/* Operations of the group, and transposes at its border. */
static bool rename_all(struct sinking *s, uint32_t group, struct renaming *r)
{
    for (uint32_t i = 0; i < s->ir->n_ops; i++) {
        struct ir_op *op = s->ir->ops[i];
        const bool in = !op->in[0]->data && group_of(s, op->in[0]) == group, out = group_of(s, op->out) == group;
        int axis[4], to[4];

        if (is_transpose(op, axis)) {
            renamed(axis, r->order, in, out, to);
            op->in[0] = in ? r->now[op->in[0]->id] : op->in[0];
            op->out = out ? r->now[op->out->id] : op->out;
            op->kind->set_axes(op, to);
        } else if (is_free(op) && out) {
            ir_each_operand(op, rename_operand, r);
            op->out = r->now[op->out->id];
            if (op->kind->permute)
                op->kind->permute(op, r->order);
        }
    }
    return !r->failed;
}

static uint32_t position_after(const struct ir *ir, const struct ir_value *v)
{
    for (uint32_t i = 0; i < ir->n_ops; i++)
        if (ir->ops[i]->out == v || ir->ops[i]->out2 == v)
            return i + 1;
    return 0;
}

/* Between what the group has and what others made of it, or read. */
static bool add_transposes(struct sinking *s, const struct renaming *r, const struct ir_op *like)
{
    int back[4];

    invert(r->order, back);
    for (uint32_t i = 0; i < r->n; i++) {
        struct ir_value *v = s->ir->values[i], *w = r->now[i];

        if (w == v)
            continue;
        if (s->made[i] ? !add_transpose(s->ir, like, v, w, r->order, position_after(s->ir, v))
                       : !add_transpose(s->ir, like, w, v, back, position_after(s->ir, w)))
            return false;
    }
    return true;
}

/* What reads a transpose that moves nothing any more reads its input. */
static void drop_transposes(struct ir *ir)
{
    for (uint32_t i = ir->n_ops; i-- > 0;) {
        struct ir_op *op = ir->ops[i];
        int axis[4];

        if (!is_transpose(op, axis) || !in_place(axis))
            continue;
        ir_forward(ir, op->out, op->in[0]);
        ir_remove(ir, op);
    }
}

static bool take_order(struct sinking *s, uint32_t group, const int order[4], const struct ir_op *like)
{
    struct renaming r = {.ir = s->ir, .order = order, .n = s->ir->n_values};

    if (!(r.now = ARENA_ARRAY(&s->scratch, r.n, struct ir_value *)))
        return false;
    for (uint32_t i = 0; i < r.n; i++) {
        struct ir_value *v = s->ir->values[i];

        r.now[i] = v;
        if (!v->data && group_of(s, v) == group && !(r.now[i] = value_in_order(s, v, order)))
            return false;
    }
    if (!rename_all(s, group, &r) || !add_transposes(s, &r, like))
        return false;
    drop_transposes(s->ir);
    return true;
}

/* The orders that the transpose proposes for the groups on both sides; *taken: one of them is cheaper. */
static bool try_transpose(struct sinking *s, const struct ir_op *op, const int axis[4], bool *taken)
{
    const uint32_t groups[2] = {group_of(s, op->out), group_of(s, op->in[0])};
    int orders[2][4];

    invert(axis, orders[0]);
    memcpy(orders[1], axis, sizeof orders[1]);
    *taken = false;
    for (int i = 0; i < 2 && !*taken && s->left; i++) {
        if (groups[0] == groups[1] || cost_of_order(s, groups[i], orders[i]) >= 0)
            continue;
        *taken = true;
        s->left--;
        if (!take_order(s, groups[i], orders[i], op))
            return false;
    }
    return true;
}

/* A transpose of what is padded: the pad comes last, where a window may cover it, and fewer elements are transposed. */
static bool hoist_above_pads(struct ir *ir)
{
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i], *pad;
        struct ir_value *t;
        uint32_t at = 0;
        int axis[4];

        if (!is_transpose(op, axis) || !(pad = op->in[0]->producer) || pad->kind->role != IR_PAD || pad->epilogue ||
            !pad->kind->permute || pad->out->n_uses != 1)
            continue;
        if (!(t = ir_temp(ir, op->out->type, reordered(pad->in[0]->shape, axis))))
            return false;
        t->full = op->out->full;
        while (ir->ops[at] != pad)
            at++;
        ir->ops[at] = op;
        ir->ops[i] = pad;
        pad->out = op->out;
        op->in[0] = pad->in[0];
        op->out = pad->in[0] = t;
        pad->kind->permute(pad, axis);
        ir_link(ir);
    }
    return true;
}

static bool sweep(struct sinking *s, bool *any)
{
    if (!find_groups(s))
        return false;
    for (uint32_t i = 0; i < s->ir->n_ops;) {
        const struct ir_op *op = s->ir->ops[i];
        bool taken = false;
        int axis[4];

        if (is_transpose(op, axis) && !try_transpose(s, op, axis, &taken))
            return false;
        if (taken && !find_groups(s))
            return false;
        *any |= taken;
        i += !taken;
    }
    return true;
}

enum status gl_sink_transposes(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct sinking s = {.ir = ir, .lim = lim, .left = 4 * ir->n_ops};
    bool any = true, ok = true;

    for (int i = 0; i < MOST_SWEEPS && any && ok; i++) {
        any = false;
        ok = sweep(&s, &any);
    }
    arena_free(&s.scratch);
    ir_link(ir);
    ok = ok && hoist_above_pads(ir);
    return ok ? ST_OK : ir_nomem(err);
}
