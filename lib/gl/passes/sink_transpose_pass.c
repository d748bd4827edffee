/* SPDX-License-Identifier: Apache-2.0 */
/* sink_transpose_pass.c - the pass "sink transposes": values change the order of their axes together, so that transposes between
 * them go.
 *
 * Operations that treat their axes alike (maps, pads, joins, gathers) tie the values around them into a group. A group is kept in
 * one order or another; what is at its border pays for that: a transpose that leads into it or out of it is gone where both its
 * sides have one order, and whatever else makes or reads a value of the group needs a transpose in between. Each transpose proposes
 * the order of its other side; an order that costs less is taken. So transposes sink through maps, merge and cancel, but nothing
 * is transposed more often than before. Operations that read matrices, rows along W and columns along C, read what is left of those
 * that exchange these alone the other way. */
#include "lib/gl/passes/choose.h"
#include "lib/gl/passes/passes.h"
#include "lib/gl/passes/sink_transpose.h"

#include <string.h>

/* What a dispatch costs beside its elements, in elements. */
#define DISPATCH 65536

/* The orders of nested groups settle from the inside. */
#define MOST_SWEEPS 8

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

/* Rows and columns change places, as whoever reads matrices may have it. */
static bool exchanges(const int order[4])
{
    return order[0] == 0 && order[1] == 1 && order[2] == 3 && order[3] == 2;
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

/* What the transpose makes, is read where it lies. */
static bool costs_nothing(const struct sink_transpose *s, const struct ir_op *op, const int axis[4])
{
    const struct member *y = &s->members[op->out->id];

    return in_place(axis) || (exchanges(axis) && y->read && !y->kept && y->readers == SINK_NONE && s->groups[y->group].size == 1);
}

static int64_t cost_of_transpose(const struct sink_transpose *s, const struct ir_op *op, uint32_t group, const int order[4])
{
    int axis[4], to[4];

    if (!sink_is_transpose(op, axis))
        return 0;
    renamed(axis, order, sink_group(s, op->in[0]) == group, sink_group(s, op->out) == group, to);
    return ((int64_t)costs_nothing(s, op, axis) - costs_nothing(s, op, to)) * cost_of(op->out);
}

/* What is paid more for the group in that order; INT64_MAX where the device has no room for it. */
static int64_t cost_of_order(const struct sink_transpose *s, uint32_t group, const int order[4])
{
    int64_t cost = 0;

    for (uint32_t i = s->groups[group].first; i != SINK_NONE; i = s->members[i].next) {
        const struct member *m = &s->members[i];
        const struct ir_value *v = s->ir->values[i];
        const struct ir_op *op = v->producer;
        struct reason why;

        if (!gl_fits(s->lim, v->type, reordered(v->shape, order), &why))
            return INT64_MAX;
        cost += m->made || (m->read && (m->kept || !exchanges(order))) ? cost_of(v) : 0;
        cost += op ? cost_of_transpose(s, op, group, order) : 0;
        cost += op && op->kind->role == IR_CONCATENATION ? cost_of_join(op, order) : 0;
        for (uint32_t k = m->readers; k != SINK_NONE; k = s->links[k].next_reader)
            if (!s->links[k].gone && sink_group(s, s->ir->ops[k]->out) != group)
                cost += cost_of_transpose(s, s->ir->ops[k], group, order);
    }
    return cost;
}

static bool is_cheaper(const struct sink_transpose *s, uint32_t group, const int order[4])
{
    const int place = order[0] * 6 + (order[1] - (order[1] > order[0])) * 2 + (order[2] > order[3]);
    const uint32_t bit = 1u << place;

    if (s->groups[group].refused & bit)
        return false;
    if (cost_of_order(s, group, order) < 0)
        return true;
    s->groups[group].refused |= bit;
    return false;
}

/* ---- taking another order ---- */

/* y = x with axis k of y being axis[k] of x, made as `like` is, as soon as x is there. */
static bool add_transpose(struct sink_transpose *s, const struct ir_op *like, struct ir_value *x, struct ir_value *y,
                          const int axis[4])
{
    struct ir_op *op = ir_op_new(s->ir, like->kind, IR_INS(x), y, like->attr_size);
    uint32_t *before = x->producer ? &s->links[x->producer->at].next : &s->first;

    if (!op)
        return false;
    op->nodes = like->nodes;
    op->n_nodes = like->n_nodes;
    ir_traits(op)->set_axes(op, axis);
    op->at = s->ir->n_ops - 1;
    s->links[op->at] = (struct link){*before, SINK_NONE, false};
    *before = op->at;
    y->producer = op;
    sink_add_reader(s, x, op);
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

/* The group's own operations read and write other values from now on: struct member.now. */
struct renaming {
    struct sink_transpose *s;
    const int *order;
    uint32_t group;
    bool failed;
};

static void rename_operand(void *arg, struct ir_value **operand)
{
    struct renaming *r = arg;
    struct ir_value *v = (*operand)->data ? *operand : sink_read_now(r->s, *operand);

    if (v->data && ir_elems(v->shape) == 1)
        return;
    *operand = v->data ? reordered_constant(r->s->ir, v, r->order) : r->s->members[v->id].now;
    if (!*operand) {
        *operand = v;
        r->failed = true;
    }
}

/* The value in that order, as a member of the group: `v` itself where nobody else knows it. NULL: out of memory. */
static struct ir_value *value_in_order(struct sink_transpose *s, struct ir_value *v, uint32_t group, const int order[4])
{
    struct ir_value *w = v;

    if (s->members[v->id].made || s->members[v->id].read) {
        if (!sink_make_room(s) || !(w = ir_temp(s->ir, v->type, v->shape)))
            return NULL;
        w->full = v->full;
        s->members[w->id] = (struct member){.readers = SINK_NONE};
        sink_start_group(s, v->id, w->id); /* its number is free: w is of this group */
    }
    w->shape = reordered(v->shape, order);
    sink_put(s, w->id, group);
    return w;
}

static void rename_transpose(const struct renaming *r, struct ir_op *op)
{
    const uint32_t from = sink_group(r->s, op->in[0]), group = sink_group(r->s, op->out);
    int axis[4], to[4];

    if (!sink_is_transpose(op, axis))
        return;
    renamed(axis, r->order, from == r->group, group == r->group, to);
    ir_traits(op)->set_axes(op, to);
    r->s->groups[from].refused = r->s->groups[group].refused = 0;
}

/* Those at the border of the group and within it. */
static void rename_transposes(const struct renaming *r, const struct ir_value *v)
{
    const struct sink_transpose *s = r->s;

    if (v->producer)
        rename_transpose(r, v->producer);
    for (uint32_t k = s->members[v->id].readers; k != SINK_NONE; k = s->links[k].next_reader)
        if (!s->links[k].gone && sink_group(s, s->ir->ops[k]->out) != r->group)
            rename_transpose(r, s->ir->ops[k]);
}

/* What made it, and the transposes that read it. `old`, for which the group has `now`, is no member any more unless it is that. */
static void rename_around(struct renaming *r, struct ir_value *old)
{
    struct sink_transpose *s = r->s;
    struct ir_value *now = s->members[old->id].now;
    struct ir_op *op = old->producer;
    int axis[4];

    if (op && sink_is_free(op)) {
        ir_each_operand(op, rename_operand, r);
        if (ir_traits(op)->permute)
            ir_traits(op)->permute(op, r->order);
    }
    if (op && (sink_is_free(op) || sink_is_transpose(op, axis))) {
        old->producer = NULL;
        now->producer = op;
        op->out = now;
    }
    if (now != old)
        sink_move_readers(s, old, now);
}

/* Whoever reads what the transpose makes, reads its input. */
static void drop_transpose(struct sink_transpose *s, struct ir_op *op)
{
    struct ir_value *x = op->in[0], *y = op->out;
    struct member *of_x = &s->members[x->id], *of_y = &s->members[y->id];

    s->links[op->at].gone = true;
    sink_move_readers(s, y, x);
    of_x->read |= of_y->read;
    of_x->kept |= of_y->kept;
    of_y->read = of_y->kept = false;
    of_y->instead = x;
    y->producer = NULL;
    sink_unite(s, of_x->group, of_y->group);
}

static void drop_in_place(struct sink_transpose *s, struct ir_op *op)
{
    int axis[4];

    if (!s->links[op->at].gone && sink_is_transpose(op, axis) && in_place(axis))
        drop_transpose(s, op);
}

static void drop_around(struct sink_transpose *s, const struct ir_value *v)
{
    for (uint32_t k = s->members[v->id].readers, next; k != SINK_NONE; k = next) {
        next = s->links[k].next_reader;
        drop_in_place(s, s->ir->ops[k]);
    }
    if (v->producer)
        drop_in_place(s, v->producer);
}

/* Between what the group has and what others made of it, or read. */
static bool add_transpose_at(struct sink_transpose *s, struct ir_value *v, const int order[4], const struct ir_op *like)
{
    struct ir_value *now = s->members[v->id].now;
    int back[4];

    invert(order, back);
    if (now == v)
        return true;
    return sink_make_room(s) &&
           (s->members[v->id].made ? add_transpose(s, like, v, now, order) : add_transpose(s, like, now, v, back));
}

static bool take_order(struct sink_transpose *s, uint32_t group, const int order[4], const struct ir_op *like)
{
    struct renaming r = {.s = s, .order = order, .group = group};
    struct ir_value **old = ARENA_ARRAY(&s->scratch, s->groups[group].size, struct ir_value *);
    uint32_t n = 0;

    if (!old)
        return false;
    for (uint32_t i = s->groups[group].first; i != SINK_NONE; i = s->members[i].next)
        if (!s->members[i].instead)
            old[n++] = s->ir->values[i];
    for (uint32_t i = 0; i < n; i++)
        rename_transposes(&r, old[i]);
    s->groups[group] = (struct group){.first = SINK_NONE};
    for (uint32_t i = 0; i < n; i++) {
        struct ir_value *now = value_in_order(s, old[i], group, order);

        if (!now)
            return false;
        s->members[old[i]->id].now = now;
    }
    for (uint32_t i = 0; i < n && !r.failed; i++)
        rename_around(&r, old[i]);
    for (uint32_t i = 0; i < n && !r.failed; i++)
        r.failed = !add_transpose_at(s, old[i], order, like);
    for (uint32_t i = 0; i < n && !r.failed; i++)
        drop_around(s, s->members[old[i]->id].now);
    return !r.failed;
}

/* The orders that the transpose proposes for the groups on both sides; *taken: one of them is cheaper. */
static bool try_transpose(struct sink_transpose *s, const struct ir_op *op, const int axis[4], bool *taken)
{
    const uint32_t groups[2] = {sink_group(s, op->out), sink_group(s, op->in[0])};
    int orders[2][4];

    invert(axis, orders[0]);
    memcpy(orders[1], axis, sizeof orders[1]);
    *taken = false;
    for (int i = 0; i < 2 && !*taken && s->left; i++) {
        if (groups[0] == groups[1] || !is_cheaper(s, groups[i], orders[i]))
            continue;
        *taken = true;
        s->left--;
        if (!take_order(s, groups[i], orders[i], op))
            return false;
    }
    return true;
}

static bool sweep(struct sink_transpose *s, bool *any)
{
    for (uint32_t i = s->first; i != SINK_NONE;) {
        struct ir_op *op = s->ir->ops[i];
        bool taken = false;
        int axis[4];

        if (!s->links[i].gone && sink_is_transpose(op, axis)) {
            if (in_place(axis))
                drop_transpose(s, op);
            else if (!try_transpose(s, op, axis, &taken))
                return false;
        }
        *any |= taken;
        i = taken ? i : s->links[i].next;
    }
    return true;
}

static bool read_as_it_lies(struct ir *ir, struct ir_op *op, uint32_t i)
{
    struct ir_op *t = op->in[i]->producer;
    int axis[4];

    if (!t || !sink_is_transpose(t, axis) || !exchanges(axis) || !gl_may_merge(ir, op, t))
        return true;
    ir_traits(op)->exchange(op, i);
    op->in[i] = t->in[0];
    op->in[i]->n_uses++;
    if (--t->out->n_uses)
        return true;
    t->in[0]->n_uses--;
    ir->ops[t->at] = NULL;
    return ir_merge_nodes(ir, op, t);
}

/* Whoever reads matrices, reads what was transposed for it as it lay before. */
static bool read_matrices(struct ir *ir)
{
    bool ok = true;

    for (uint32_t i = 0; i < ir->n_ops && ok; i++) {
        struct ir_op *op = ir->ops[i];

        op->at = i;
        for (uint32_t k = 0; k < ir_traits(op)->matrices && ok; k++)
            ok = read_as_it_lies(ir, op, k);
    }
    ir_close_gaps(ir);
    return ok;
}

/* A transpose of what is padded: the pad comes last, where a window may cover it, and fewer elements are transposed. */
static bool hoist_above_pads(struct ir *ir)
{
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i], *pad;
        struct ir_value *t;
        int axis[4];

        op->at = i;
        if (!sink_is_transpose(op, axis) || !(pad = op->in[0]->producer) || pad->kind->role != IR_PAD || pad->epilogue ||
            !ir_traits(pad)->permute || pad->out->n_uses != 1)
            continue;
        if (!(t = ir_temp(ir, op->out->type, reordered(pad->in[0]->shape, axis))))
            return false;
        t->full = op->out->full;
        op->at = pad->at;
        pad->at = i;
        ir->ops[op->at] = op;
        ir->ops[i] = pad;
        pad->out = op->out;
        op->in[0] = pad->in[0];
        op->out = pad->in[0] = t;
        ir_traits(pad)->permute(pad, axis);
        pad->out->producer = pad;
        t->producer = op;
        t->n_uses = 1;
    }
    return true;
}

enum status gl_sink_transposes(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct sink_transpose s = {.ir = ir, .lim = lim, .left = 4 * ir->n_ops};
    bool any = true, ok = true;

    for (int i = 0; i < MOST_SWEEPS && any && ok; i++) {
        any = false;
        ok = sink_start(&s) && sweep(&s, &any) && sink_finish(&s);
    }
    arena_free(&s.scratch);
    ok = ok && read_matrices(ir) && hoist_above_pads(ir);
    return ok ? ST_OK : ir_nomem(err);
}
