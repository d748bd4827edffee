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

/* Where it is, or could be, written out by the program that does so for `like`. */
static bool is_written_with(const struct ir_op *op, const struct ir_op *like, const struct ir *ir, const struct gl_limits *lim)
{
    const struct ir_sizes *s = ir_traits(like)->sizes;

    return op->kind == like->kind && is_shared(op, like) && s->is_written_alike(op, like) &&
           (op->variant == s->written || (has_size(op) && gl_may_use(s->written, op, lim, ir->choice)));
}

/* A variant that others need anyway and that fits it, too. NULL: there is none. */
static const struct gl_variant *instead_of_written(const struct ir *ir, const struct gl_limits *lim, const struct ir_op *op)
{
    const struct ir_sizes *s = ir_traits(op)->sizes;

    if (share_of(ir, lim, op, s->large, s->small).used && gl_may_use(s->large, op, lim, ir->choice))
        return s->large;
    if (share_of(ir, lim, op, s->small, s->large).used && gl_may_use(s->small, op, lim, ir->choice))
        return s->small;
    return NULL;
}

/* Layers of one shape are written out together, where that pays for all of them. What was before stays as long as it pays half. */
static void write_out(struct ir *ir, const struct gl_limits *lim, const struct ir_op *like)
{
    const struct ir_sizes *s = ir_traits(like)->sizes;
    const struct gl_variant *to = s->written;
    uint64_t saves = 0;

    for (uint32_t i = 0; i < ir->n_ops; i++)
        if (is_written_with(ir->ops[i], like, ir, lim))
            saves += s->saves(ir->ops[i]);
    if (!ir_pays(like->variant == s->written ? 2 * saves : saves, s->costs(like)))
        to = like->variant == s->written ? instead_of_written(ir, lim, like) : NULL;
    for (uint32_t i = 0; i < ir->n_ops && to; i++)
        if (is_written_with(ir->ops[i], like, ir, lim) && (to == s->written || ir->ops[i]->variant == s->written))
            ir->ops[i]->variant = to;
}

static void write_out_all(struct ir *ir, const struct gl_limits *lim)
{
    for (uint32_t i = 0; i < ir->n_ops && lim->policy.straight_code; i++) {
        const struct ir_op *op = ir->ops[i];
        const struct ir_sizes *s = ir_traits(op)->sizes;

        if (s && s->written && (op->variant == s->written || has_size(op)))
            write_out(ir, lim, op);
    }
}

/* What was asked for stays, and tuning compares what it finds with each operation's own. */
static bool is_settled(const struct ir *ir, const struct gl_limits *lim)
{
    const struct gl_choice *c = ir->choice;

    if (!lim->policy.row_groups || lim->policy.inline_numbers)
        return true;
    return c && (c->picks || c->pick.variant || (c->forced && c->forced->n));
}

enum status gl_few_programs(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    (void)err;
    if (is_settled(ir, lim))
        return ST_OK;
    write_out_all(ir, lim);
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
