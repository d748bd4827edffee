/* SPDX-License-Identifier: Apache-2.0 */
/* few_programs.c - the pass "few programs": where programs are dear, operations do with those that others need anyway, as long as
 * what a program of their own would save is little; and several that share one have one that each alone would not be worth. */
#include "choose.h"
#include "passes.h"

/* Of two variants (ir_sizes) one program computes all operations that share it. */
struct share {
    uint64_t work;
    bool used, all_fit; /* by some operation; the other variant fits each of these */
};

static const struct ir_epilogue *without_clamp(const struct ir_epilogue *e)
{
    return e && !e->next && e->fn->clamp ? NULL : e;
}

/* As far as can be known before texts are written: but for numbers, and what makes shaders alike (alike.h), they are computed by
 * the same one. */
static bool is_shared(const struct ir_op *a, const struct ir_op *b)
{
    const struct ir_epilogue *x = without_clamp(a->epilogue), *y = without_clamp(b->epilogue);

    while (x && y && x->fn == y->fn) {
        x = without_clamp(x->next);
        y = without_clamp(y->next);
    }
    return a->kind == b->kind && a->n_in == b->n_in && !x && !y && ir_traits(a)->sizes->has_same_text(a, b);
}

static bool has_size(const struct ir_op *op)
{
    const struct ir_sizes *s = ir_traits(op)->sizes;

    return s && (op->variant == s->large || op->variant == s->small);
}

static struct share share_of(const struct ir *ir, const struct gl_limits *lim, const struct ir_op *like, const struct gl_variant *v,
                             const struct gl_variant *other)
{
    const struct ir_sizes *s = ir_traits(like)->sizes;
    struct share got = {.all_fit = true};

    for (uint32_t i = 0; i < ir->n_ops; i++) {
        const struct ir_op *op = ir->ops[i];

        if (!has_size(op) || op->variant != v || !is_shared(op, like))
            continue;
        got.used = true;
        got.work += s->work(op);
        got.all_fit = got.all_fit && gl_may_use(other, op, lim, ir->choice);
    }
    return got;
}

static void replace(struct ir *ir, const struct ir_op *like, const struct gl_variant *v, const struct gl_variant *by)
{
    for (uint32_t i = 0; i < ir->n_ops; i++)
        if (has_size(ir->ops[i]) && ir->ops[i]->variant == v && is_shared(ir->ops[i], like))
            ir->ops[i]->variant = by;
}

/* Whether one program would compute both, written out. What tuning has picked a variant for is left out. */
static bool is_written_with(const struct ir *ir, const struct ir_op *op, const struct ir_op *like)
{
    const struct ir_sizes *s = ir_traits(like)->sizes;

    return op->kind == like->kind && (op->variant == s->written || has_size(op)) && s->saves(op) && is_shared(op, like) &&
           s->is_written_alike(op, like) && !gl_pick_of(op, ir->choice).variant;
}

static bool may_be_written(const struct ir *ir, const struct gl_limits *lim, const struct ir_op *op)
{
    const struct gl_variant *written = ir_traits(op)->sizes->written;

    return op->variant == written || gl_may_use(written, op, lim, ir->choice);
}

/* Whether the program pays for all that it computes, or, if some have it already, half. `lim`: of those alone that it may compute,
 * which takes longer to tell; NULL: as if that were all. */
static bool pays_written(const struct ir *ir, const struct gl_limits *lim, const struct ir_op *like)
{
    const struct ir_sizes *s = ir_traits(like)->sizes;
    uint64_t saves = 0;
    bool is_there = false;

    for (uint32_t i = 0; i < ir->n_ops; i++) {
        const struct ir_op *op = ir->ops[i];

        if (!is_written_with(ir, op, like) || (lim && !may_be_written(ir, lim, op)))
            continue;
        saves += s->saves(op);
        is_there |= op->variant == s->written;
    }
    return ir_pays(is_there ? 2 * saves : saves, s->costs(like));
}

static void write_out(struct ir *ir, const struct gl_limits *lim, const struct ir_op *like)
{
    const struct ir_sizes *s = ir_traits(like)->sizes;

    if (!s->saves(like) || !pays_written(ir, NULL, like) || !pays_written(ir, lim, like))
        return;
    for (uint32_t i = 0; i < ir->n_ops; i++)
        if (is_written_with(ir, ir->ops[i], like) && may_be_written(ir, lim, ir->ops[i]))
            ir->ops[i]->variant = s->written;
}

/* By tiles that others need anyway. */
static void use_tiles(const struct ir *ir, const struct gl_limits *lim, struct ir_op *op)
{
    const struct ir_sizes *s = ir_traits(op)->sizes;
    const struct gl_variant *const tiles[] = {s->large, s->small};

    for (int i = 0; i < 2; i++)
        if (share_of(ir, lim, op, tiles[i], tiles[1 - i]).used && gl_may_use(tiles[i], op, lim, ir->choice)) {
            op->variant = tiles[i];
            return;
        }
}

/* Layers of one shape are written out together where that pays; then those that do not even pay half use tiles that are left. */
static void settle_written(struct ir *ir, const struct gl_limits *lim)
{
    for (int dropping = 0; dropping < 2; dropping++)
        for (uint32_t i = 0; i < ir->n_ops; i++) {
            struct ir_op *op = ir->ops[i];
            const struct ir_sizes *s = ir_traits(op)->sizes;

            if (!s || !s->written)
                continue;
            if (!dropping && has_size(op))
                write_out(ir, lim, op);
            else if (dropping && op->variant == s->written && is_written_with(ir, op, op) && !pays_written(ir, NULL, op))
                use_tiles(ir, lim, op);
        }
}

/* What was asked for stays. */
static bool is_settled(const struct ir *ir, const struct gl_limits *lim)
{
    const struct gl_choice *c = ir->choice;

    return !lim->policy.row_groups || lim->policy.inline_numbers || (c && (c->pick.variant || (c->forced && c->forced->n)));
}

enum status gl_few_programs(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)err;
    if (is_settled(ir, lim))
        return ST_OK;
    if (lim->policy.straight_code)
        settle_written(ir, lim);
    if (ir->choice && ir->choice->picks) /* tuning compares what it finds with each operation's own */
        return ST_OK;
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        const struct ir_op *op = ir->ops[i];
        const struct ir_sizes *s = has_size(op) ? ir_traits(op)->sizes : NULL;
        struct share large, small;

        if (!s)
            continue;
        large = share_of(ir, lim, op, s->large, s->small);
        small = share_of(ir, lim, op, s->small, s->large);
        if (!large.used || !small.used)
            continue;
        if (large.all_fit && large.work < s->worth)
            replace(ir, op, s->large, s->small);
        else if (small.all_fit && small.work < s->worth)
            replace(ir, op, s->small, s->large);
    }
    return ST_OK;
}
