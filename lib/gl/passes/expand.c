/* SPDX-License-Identifier: Apache-2.0 */
/* expand.c - the pass "expand": chooses the variant of every operation, and where that replaces its operation by several, puts them
 * in its place. And the pass "join", which puts one in the place of two. */
#include "lib/gl/passes/passes.h"

#include <string.h>

#include "lib/gl/passes/choose.h"

/* What an operation expands to may expand in turn, but gets smaller each time. */
#define MOST_ROUNDS 8

static enum status place(struct ir *ir, struct ir_op *op, const struct gl_limits *lim, int round, struct err *err);

/* The operations that `op` expands to are appended, taken off the list again and placed one by one. */
static enum status expand(struct ir *ir, const struct ir_op *op, const struct gl_limits *lim, int round, struct err *err)
{
    uint32_t first = ir->n_ops, n;
    struct ir_op **parts;
    enum status st = ST_OK;

    if (round == MOST_ROUNDS)
        return err_set(err, ST_FAILED, "%s %s expands without end", op->kind->name, op->variant->name);
    if (!op->variant->expand(ir, op))
        return ir_nomem(err);
    n = ir->n_ops - first;
    if (!(parts = ARENA_ARRAY(ir->arena, n, struct ir_op *)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < n; i++)
        parts[i] = ir->ops[first + i];
    ir->n_ops = first;
    for (uint32_t i = 0; i < n && !st; i++) {
        if (!parts[i]->n_nodes) { /* one that was there before it was joined has its own */
            parts[i]->nodes = op->nodes;
            parts[i]->n_nodes = op->n_nodes;
        }
        if (!(st = gl_value_fits(lim, parts[i]->out, err)) && !(st = gl_value_fits(lim, parts[i]->out2, err)))
            st = place(ir, parts[i], lim, round + 1, err);
    }
    if (st && ir->choice)
        ir->choice->none_for = op;
    if (!st && ir->choice)
        gl_note_met(ir->choice->met, op);
    return st;
}

static enum status place(struct ir *ir, struct ir_op *op, const struct gl_limits *lim, int round, struct err *err)
{
    if (!op->kind->variants)
        return ir_append(ir, op) ? ST_OK : ir_nomem(err);
    if (!(op->variant = gl_choose(op, lim, ir->choice))) {
        if (ir->choice)
            ir->choice->none_for = op;
        return gl_choose_none(op, lim, ir->choice, err);
    }
    if (!op->variant->emit)
        return expand(ir, op, lim, round, err);
    return ir_append(ir, op) ? ST_OK : ir_nomem(err);
}

struct ir_op *ir_join(struct ir *ir, struct ir_op *op, const struct ir_op *first, const struct ir_kind *kind, size_t attr_size)
{
    struct ir_op *apart = ARENA_NEW(ir->arena, struct ir_op);
    struct ir_value **in = ARENA_ARRAY(ir->arena, first->n_in, struct ir_value *);
    void *attr = arena_alloc(ir->arena, 1, attr_size);

    if (!apart || !in || !attr)
        return NULL;
    memcpy(in, first->in, first->n_in * sizeof *in);
    *apart = *op;
    apart->epilogue = NULL;
    op->kind = kind;
    op->in = in;
    op->n_in = first->n_in;
    op->attr = attr;
    op->attr_size = attr_size;
    op->n_nodes = op->cap_nodes = 0;
    return ir_merge_nodes(ir, op, first) && ir_merge_nodes(ir, op, apart) ? apart : NULL;
}

enum status gl_join(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)lim;
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i], *first = ir_traits(op)->join ? op->in[0]->producer : NULL;
        bool done;

        if (first && !first->out2 && op->in[0]->n_uses == 1 && gl_may_merge(ir, op, first) &&
            !ir_traits(op)->join(ir, op, first, &done))
            return ir_nomem(err);
    }
    return ST_OK;
}

enum status gl_expand(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    struct ir_op **ops = ir->ops;
    uint32_t n = ir->n_ops;
    enum status st = ST_OK;

    ir->ops = NULL;
    ir->n_ops = ir->cap_ops = 0;
    for (uint32_t i = 0; i < n && !st; i++)
        st = place(ir, ops[i], lim, 0, err);
    return st;
}
