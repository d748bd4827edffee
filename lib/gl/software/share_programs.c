/* SPDX-License-Identifier: Apache-2.0 */
/* share_programs.c - the pass "few programs": where programs are dear, operations do with those that others need anyway, as long as
 * what a program of their own would save is little, also of those to whose result a value is added, by adding nothing; and several
 * that share one have one that each alone would not be worth. */
#include "lib/gl/passes/choose.h"
#include "lib/gl/passes/passes.h"

/* Of two variants (ir_sizes) one program computes all operations that share it. */
struct share {
    uint64_t work;
    bool used, all_fit; /* by some operation; the other variant fits each of these */
};

static const struct ir_epilogue *without_clamp(const struct ir_epilogue *e)
{
    return e && !e->next && e->fn->clamp ? NULL : e;
}

/* As far as can be known before texts are written: but for numbers, and what makes shaders alike (dedup_shaders.h), they are
 * computed by the same one. */
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

/* Whether one program would compute both, written out. */
static bool is_written_with(const struct ir_op *op, const struct ir_op *like)
{
    const struct ir_sizes *s = ir_traits(like)->sizes;

    return op->kind == like->kind && (op->variant == s->written || has_size(op)) && s->saves(op) && is_shared(op, like) &&
           s->is_written_alike(op, like);
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

        if (!is_written_with(op, like) || (lim && !may_be_written(ir, lim, op)))
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
        if (is_written_with(ir->ops[i], like) && may_be_written(ir, lim, ir->ops[i]))
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
            else if (dropping && op->variant == s->written && is_written_with(op, op) && !pays_written(ir, NULL, op))
                use_tiles(ir, lim, op);
        }
}

/* ---- sums ---- */

#define SUM_NS 1 /* for each vector of the output, on llvmpipe */

static bool reads(const struct ir_op *op, const struct ir_value *v)
{
    for (uint32_t i = 0; i < op->n_in; i++)
        if (op->in[i] == v)
            return true;
    return false;
}

/* Of a value that the operation reads for nothing else, and that is stored as a constant is. */
static bool is_sum(const struct ir_op *op, const struct gl_limits *lim, const struct ir_epilogue *e)
{
    const struct ir_value *v = e->operand[1];

    return e->fn->role == IR_FN_SUM && e->in == IR_FLOAT && !e->operand[0] && !e->back[0] && v && v->shape.c > 1 &&
           op->out->shape.b == 1 && !reads(op, v) && (!lim->policy.image_reads || ir_vectors(v->shape) <= lim->image_vectors);
}

/* The function by which `more` has one more than `less`: a sum, last but for what clamps; no other reads a value. NULL: they differ
 * otherwise, or not. */
static const struct ir_epilogue *last_sum(const struct ir_op *less, const struct ir_op *more, const struct gl_limits *lim)
{
    const struct ir_epilogue *x = without_clamp(less->epilogue), *y = without_clamp(more->epilogue);

    while (x && y && x->fn == y->fn && !ir_reads_value(x) && !ir_reads_value(y)) {
        x = without_clamp(x->next);
        y = without_clamp(y->next);
    }
    return !x && y && !without_clamp(y->next) && is_sum(more, lim, y) ? y : NULL;
}

/* The sum with which `op` would be computed by the program of an operation that has it. */
static const struct ir_epilogue *sum_of_another(const struct ir *ir, const struct gl_limits *lim, const struct ir_op *op)
{
    const struct ir_epilogue *sum = NULL;

    for (uint32_t i = 0; i < ir->n_ops && !sum; i++) {
        const struct ir_op *other = ir->ops[i];

        if (other->kind == op->kind && other->variant == op->variant && other->n_in == op->n_in &&
            ir_traits(op)->sizes->has_same_text(op, other))
            sum = last_sum(op, other, lim);
    }
    return sum;
}

static bool shares_tiles(const struct ir_op *a, const struct ir_op *b)
{
    return has_size(a) && a->variant == b->variant && is_shared(a, b);
}

/* One operand more fits the operation and the device. */
static bool has_room(const struct ir_op *op, const struct gl_limits *lim)
{
    uint32_t buffers = op->n_in + 1 + op->kind->constants;

    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            buffers += e->operand[i] != NULL;
    return buffers < lim->storage_blocks && op->out->shape.b == 1 && op->out->shape.c > 1;
}

/* Whether sums with nothing cost all that share the program of `like` less than compiling it does. */
static bool is_little(const struct ir *ir, const struct gl_limits *lim, const struct ir_op *like)
{
    uint64_t vectors = 0;

    for (uint32_t i = 0; i < ir->n_ops; i++) {
        const struct ir_op *op = ir->ops[i];

        if (!shares_tiles(op, like))
            continue;
        if (!has_room(op, lim))
            return false;
        vectors += ir_vectors(op->out->shape);
    }
    return !ir_pays(SUM_NS * vectors, ir_traits(like)->sizes->compiling);
}

static bool add_nothing(struct ir *ir, struct ir_op *op, const struct ir_epilogue *sum)
{
    static const float zeros[4];
    struct ir_value *nothing = ir_const(ir, IR_FLOAT, (struct ir_shape){1, 1, 1, op->out->shape.c < 4 ? op->out->shape.c : 4},
                                        zeros);
    struct ir_epilogue *e = ARENA_NEW(ir->arena, struct ir_epilogue), **at = &op->epilogue;

    if (!nothing || !e)
        return false;
    while (without_clamp(*at))
        at = &(*at)->next;
    *e = (struct ir_epilogue){
        .next = *at, .fn = sum->fn, .operand = {NULL, nothing}, .in = IR_FLOAT, .out = IR_FLOAT, .is_idle = true};
    *at = e;
    return true;
}

/* Tuning has picked how it is computed, whatever others are. */
static bool has_own(const struct ir *ir, const struct ir_op *op)
{
    const struct gl_pick pick = gl_pick_of(op, ir->choice);

    return pick.variant || pick.own;
}

/* Layers without a sum are computed by the program of those that have one, and add nothing. False: out of memory. */
static bool share_sums(struct ir *ir, const struct gl_limits *lim)
{
    for (uint32_t i = 0; i < ir->n_ops; i++) {
        struct ir_op *op = ir->ops[i];
        const struct ir_epilogue *sum = has_size(op) ? sum_of_another(ir, lim, op) : NULL;

        if (sum && !has_own(ir, op) && !gl_pick_of(op, ir->choice).objects && is_little(ir, lim, op) && !add_nothing(ir, op, sum))
            return false;
    }
    return true;
}

/* What was asked for stays. */
static bool is_settled(const struct ir *ir, const struct gl_limits *lim)
{
    const struct gl_choice *c = ir->choice;

    return !lim->policy.row_groups || lim->policy.inline_uniforms || (c && (c->pick.variant || (c->forced && c->forced->n)));
}

static void settle_tiles(struct ir *ir, const struct gl_limits *lim)
{
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
}

/* What is picked for an operation changes nothing for the others: all is settled as if nothing were, and then replaced. */
static void put_by(struct ir *ir, const struct gl_limits *lim, const struct gl_variant **own)
{
    struct gl_choice plain = {.tried = ir->choice->tried};

    for (uint32_t i = 0; i < ir->n_ops; i++) {
        const struct gl_variant *rules = has_own(ir, ir->ops[i]) ? gl_choose(ir->ops[i], lim, &plain) : NULL;

        if (!rules)
            continue;
        own[i] = ir->ops[i]->variant;
        ir->ops[i]->variant = rules;
    }
}

enum status gl_share_programs(struct ir *ir, const struct gl_limits *lim, struct err *err)
{
    const struct gl_variant **own;
    bool good = true;

    if (is_settled(ir, lim))
        return ST_OK;
    if (!(own = ARENA_ARRAY(ir->arena, ir->n_ops + 1, const struct gl_variant *)))
        return err_set(err, ST_NOMEM, "out of memory");
    if (ir->choice && ir->choice->picks)
        put_by(ir, lim, own);
    if (lim->policy.straight_code)
        settle_written(ir, lim);
    settle_tiles(ir, lim);
    if (!lim->policy.any_batch && !lim->policy.textures) /* a constant is of one batch, in a buffer */
        good = share_sums(ir, lim);
    for (uint32_t i = 0; i < ir->n_ops; i++)
        if (own[i])
            ir->ops[i]->variant = own[i];
    return good ? ST_OK : err_set(err, ST_NOMEM, "out of memory for sums that programs share");
}
