/* SPDX-License-Identifier: Apache-2.0 */
/* sink_transpose.c - see sink_transpose.h */
#include "lib/gl/passes/sink_transpose.h"

#include <string.h>

bool sink_is_transpose(const struct ir_op *op, int axis[4])
{
    return ir_traits(op)->axes && !op->epilogue && !op->out2 && !op->in[0]->data && ir_traits(op)->axes(op, axis);
}

bool sink_is_free(const struct ir_op *op)
{
    int axis[4];

    return !op->out2 && !sink_is_transpose(op, axis) && (op->kind->role == IR_MAP || ir_traits(op)->permute);
}

uint32_t sink_group(const struct sink_transpose *s, const struct ir_value *v)
{
    return s->members[v->id].group;
}

struct ir_value *sink_read_now(const struct sink_transpose *s, struct ir_value *v)
{
    struct member *m = &s->members[v->id];

    for (struct ir_value *to; (to = m->instead); v = to) {
        struct member *next = &s->members[to->id];

        m->instead = next->instead ? next->instead : to; /* halves the way of whoever comes next */
        m = next;
    }
    return v;
}

/* The smaller one changes its number. */
void sink_unite(struct sink_transpose *s, uint32_t to, uint32_t from)
{
    uint32_t last = SINK_NONE;

    if (to == from)
        return;
    if (s->groups[to].size < s->groups[from].size) {
        const uint32_t other = to;

        to = from;
        from = other;
    }
    for (uint32_t i = s->groups[from].first; i != SINK_NONE; i = s->members[i].next) {
        s->members[i].group = to;
        last = i;
    }
    if (last != SINK_NONE) {
        s->members[last].next = s->groups[to].first;
        s->groups[to].first = s->groups[from].first;
    }
    s->groups[to].size += s->groups[from].size;
    s->groups[to].refused = 0;
}

void sink_put(struct sink_transpose *s, uint32_t value, uint32_t group)
{
    struct group *g = &s->groups[group];

    s->members[value].group = group;
    s->members[value].next = g->first;
    g->first = value;
    g->size++;
}

void sink_start_group(struct sink_transpose *s, uint32_t value, uint32_t group)
{
    s->groups[group] = (struct group){.first = SINK_NONE};
    sink_put(s, value, group);
}

void sink_add_reader(struct sink_transpose *s, const struct ir_value *v, const struct ir_op *op)
{
    s->links[op->at].next_reader = s->members[v->id].readers;
    s->members[v->id].readers = op->at;
}

static void *larger(struct arena *a, const void *old, uint32_t n, uint32_t cap, size_t size)
{
    void *all = arena_alloc(a, cap, size);

    if (all && n)
        memcpy(all, old, n * size);
    return all;
}

bool sink_make_room(struct sink_transpose *s)
{
    const uint32_t values = s->cap_values, ops = s->cap_ops;

    if (s->ir->n_values >= values) {
        if ((s->cap_values = 2 * s->ir->n_values + 1) <= values)
            return false;
        s->members = larger(&s->scratch, s->members, values, s->cap_values, sizeof *s->members);
        s->groups = larger(&s->scratch, s->groups, values, s->cap_values, sizeof *s->groups);
    }
    if (s->ir->n_ops >= ops) {
        if ((s->cap_ops = 2 * s->ir->n_ops + 1) <= ops)
            return false;
        s->links = larger(&s->scratch, s->links, ops, s->cap_ops, sizeof *s->links);
    }
    return s->members && s->groups && s->links;
}

static void tie(void *arg, struct ir_value **operand)
{
    struct sink_transpose *s = ((void **)arg)[0];
    const struct ir_op *op = ((void **)arg)[1];

    if (!(*operand)->data)
        sink_unite(s, sink_group(s, op->out), sink_group(s, *operand));
}

static void mark_read(void *arg, struct ir_value **operand)
{
    struct sink_transpose *s = ((void **)arg)[0];
    const struct ir_op *op = ((void **)arg)[1];
    struct member *m = &s->members[(*operand)->id];
    bool matrix = false;

    for (uint32_t i = 0; i < ir_traits(op)->matrices; i++)
        matrix |= operand == &op->in[i];
    m->read = true;
    m->kept |= !matrix;
}

bool sink_start(struct sink_transpose *s)
{
    struct ir *ir = s->ir;

    if (!sink_make_room(s))
        return false;
    for (uint32_t i = 0; i < ir->n_values; i++) {
        const struct ir_value *v = ir->values[i];

        s->members[i] = (struct member){.readers = SINK_NONE, .made = v->is_input, .read = v->is_output, .kept = v->is_output};
        sink_start_group(s, i, i);
    }
    s->first = ir->n_ops ? 0 : SINK_NONE;
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i];
        int axis[4];

        op->at = i;
        s->links[i] = (struct link){i + 1 < ir->n_ops ? i + 1 : SINK_NONE, SINK_NONE, false};
        if (sink_is_transpose(op, axis)) {
            sink_add_reader(s, op->in[0], op);
            continue;
        }
        if (sink_is_free(op)) {
            ir_each_operand(op, tie, (void *[]){s, op});
            continue;
        }
        s->members[op->out->id].made = true;
        if (op->out2)
            s->members[op->out2->id].made = true;
        ir_each_operand(op, mark_read, (void *[]){s, op});
    }
    return true;
}

void sink_move_readers(struct sink_transpose *s, const struct ir_value *from, struct ir_value *to)
{
    for (uint32_t k = s->members[from->id].readers, next; k != SINK_NONE; k = next) {
        next = s->links[k].next_reader;
        s->ir->ops[k]->in[0] = to;
        sink_add_reader(s, to, s->ir->ops[k]);
    }
    s->members[from->id].readers = SINK_NONE;
}

static void read_what_is_left(void *arg, struct ir_value **operand)
{
    if (!(*operand)->data)
        *operand = sink_read_now(arg, *operand);
}

bool sink_finish(struct sink_transpose *s)
{
    struct ir *ir = s->ir;
    struct ir_op **all = ARENA_ARRAY(&s->scratch, ir->n_ops, struct ir_op *);
    uint32_t n = 0;

    if (!all)
        return false;
    for (uint32_t i = s->first; i != SINK_NONE; i = s->links[i].next)
        if (!s->links[i].gone) {
            ir_each_operand(ir->ops[i], read_what_is_left, s);
            all[n++] = ir->ops[i];
        }
    if (n)
        memcpy(ir->ops, all, n * sizeof *all);
    ir->n_ops = n;
    for (uint32_t i = 0; i < ir->n_outputs; i++) {
        struct ir_value *v = sink_read_now(s, ir->outputs[i]);

        if (v != ir->outputs[i])
            ir->outputs[i]->is_output = false;
        ir->outputs[i] = v;
    }
    for (uint32_t i = 0; i < ir->n_outputs; i++)
        ir->outputs[i]->is_output = true;
    ir_link(ir);
    return true;
}
