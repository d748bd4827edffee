/* SPDX-License-Identifier: Apache-2.0 */
/* choose.c - see choose.h */
#include "lib/gl/passes/choose.h"

#include <string.h>

uint64_t gl_passes(const uint64_t *n, size_t depth)
{
    uint64_t all = 0, outer = 1, once;

    for (size_t i = 0; i < depth; i++) {
        if (__builtin_add_overflow(n[i], 1, &once) || __builtin_mul_overflow(outer, once, &once) ||
            __builtin_add_overflow(all, once, &all))
            return UINT64_MAX;
        outer *= n[i];
    }
    return all;
}

bool gl_on_trial(const struct ir_op *op, const struct gl_limits *lim)
{
    (void)op, (void)lim;
    return false;
}

uint64_t gl_unrolled(const struct ir_op *op)
{
    (void)op;
    return 0;
}

/* 0 where it has no loop. */
static uint64_t passes_of(const struct gl_variant *v, const struct ir_op *op)
{
    return v->emit && v->iterations ? v->iterations(op) : 0;
}

static bool variant_fits(const struct gl_variant *v, const struct ir_op *op, const struct gl_limits *lim)
{
    return (!v->fits || v->fits(op, lim)) && passes_of(v, op) <= gl_most_passes(lim);
}

struct gl_tried_one {
    const struct node *node; /* the first that the operation computes */
    const struct gl_variant *variant;
    bool apart; /* the node was kept apart */
};

static bool is_apart(const struct gl_tried *t, const struct node *n)
{
    return t && t->apart && t->apart[n->index];
}

static bool is_tried(const struct gl_tried *t, const struct ir_op *op, const struct gl_variant *v)
{
    if (!op->n_nodes)
        return false;
    for (uint32_t i = 0; t && i < t->n; i++)
        if (t->list[i].node == op->nodes[0] && t->list[i].variant == v && t->list[i].apart == is_apart(t, op->nodes[0]))
            return true;
    return false;
}

static bool makes_pixels(const struct ir_op *op)
{
    bool any = false;

    for (uint32_t i = 0; i < op->n_in; i++)
        any |= op->in[i]->view.blend != NULL;
    for (const struct ir_epilogue *e = op->epilogue; e; e = e->next)
        for (uint32_t i = 0; i < e->fn->arity; i++)
            any |= e->operand[i] && e->operand[i]->view.blend;
    return any;
}

enum status gl_tried_variant(struct gl_tried *t, const struct graph *g, const struct ir_op *op, const struct gl_variant *variant,
                             bool *more, struct err *err)
{
    if (makes_pixels(op)) {
        enum status st = gl_tried_apart(t, g, op, more, err);

        if (st || *more)
            return st;
    }
    *more = op->n_nodes && !is_tried(t, op, variant);
    if (!*more)
        return ST_OK;
    if (t->n == t->cap) {
        uint32_t cap = t->cap ? 2 * t->cap : 16;
        struct gl_tried_one *list = ARENA_ARRAY(&t->arena, cap, struct gl_tried_one);

        if (!list)
            return ir_nomem(err);
        if (t->n)
            memcpy(list, t->list, t->n * sizeof *list);
        t->list = list;
        t->cap = cap;
    }
    t->list[t->n++] = (struct gl_tried_one){op->nodes[0], variant, is_apart(t, op->nodes[0])};
    return ST_OK;
}

enum status gl_tried_apart(struct gl_tried *t, const struct graph *g, const struct ir_op *op, bool *more, struct err *err)
{
    *more = false;
    if (op->n_nodes < 2)
        return ST_OK;
    if (!t->apart && !(t->apart = ARENA_ARRAY(&t->arena, g->n_nodes, bool)))
        return ir_nomem(err);
    for (uint32_t i = 0; i < op->n_nodes; i++) {
        *more |= !t->apart[op->nodes[i]->index];
        t->apart[op->nodes[i]->index] = true;
    }
    return ST_OK;
}

bool gl_is_asked_for(const struct ir *ir, const struct ir_kind *kind)
{
    const struct gl_forced *f = ir->choice ? ir->choice->forced : NULL;

    for (uint32_t i = 0; f && i < f->n; i++)
        if (f->list[i].kind == kind)
            return true;
    return false;
}

bool gl_may_merge(const struct ir *ir, const struct ir_op *a, const struct ir_op *b)
{
    const struct gl_tried *t = ir->choice ? ir->choice->tried : NULL;
    bool same = a->n_nodes == 1 && b->n_nodes == 1 && a->nodes[0] == b->nodes[0], apart = false;

    if (!t || !t->apart)
        return true;
    for (uint32_t i = 0; i < a->n_nodes; i++)
        apart |= is_apart(t, a->nodes[i]);
    for (uint32_t i = 0; i < b->n_nodes; i++)
        apart |= is_apart(t, b->nodes[i]);
    return same || !apart;
}

static void count(void *arg, struct ir_value **operand)
{
    *(uint32_t *)arg += !ir_is_scalar(*operand);
}

bool gl_fits_bindings(struct ir_op *op, uint32_t more, const struct gl_limits *lim)
{
    uint32_t n = 1 + more;

    ir_each_operand(op, count, &n);
    return n <= lim->storage_blocks;
}

bool gl_may_use(const struct gl_variant *v, const struct ir_op *op, const struct gl_limits *lim, const struct gl_choice *choice)
{
    return variant_fits(v, op, lim) && !(choice && is_tried(choice->tried, op, v));
}

/* The first asked for that fits, or NULL. */
static const struct gl_variant *choose_forced(const struct ir_op *op, const struct gl_limits *lim, struct gl_choice *choice)
{
    struct gl_forced *f = choice ? choice->forced : NULL;
    const struct gl_variant *first = NULL;

    for (uint32_t i = 0; f && i < f->n; i++)
        if (f->list[i].kind == op->kind && gl_may_use(f->list[i].variant, op, lim, choice)) {
            first ? f->list[i].behind++ : f->list[i].used++;
            first = first ? first : f->list[i].variant;
        }
    return first;
}

size_t gl_variant_row(const struct ir_kind *kind, const struct gl_variant *v)
{
    size_t row = 0;

    for (size_t i = 0; gl_kinds[i]; row += gl_kinds[i++]->n_variants)
        if (gl_kinds[i] == kind)
            return row + (size_t)(v - kind->variants);
    return row;
}

size_t gl_variant_rows(void)
{
    return gl_variant_row(NULL, NULL);
}

void gl_note_met(bool *met, const struct ir_op *op)
{
    size_t row = met ? gl_variant_row(op->kind, op->variant) : 0;

    if (met && row < gl_variant_rows())
        met[row] = true;
}

struct gl_pick gl_pick_of(const struct ir_op *op, const struct gl_choice *choice)
{
    if (!choice)
        return (struct gl_pick){0};
    return choice->picks && op->n_nodes ? choice->picks[op->nodes[0]->index] : choice->pick;
}

static bool pays(const struct gl_variant *v, const struct ir_op *op, const struct gl_limits *lim)
{
    const uint64_t most = lim->policy.registers;

    return (!v->pays || v->pays(op, lim)) && (!most || !v->registers || v->registers(op) <= most);
}

/* Spills cost what else a variant may gain. */
static bool spills(const struct gl_variant *v, const struct ir_op *op, const struct gl_limits *lim)
{
    const uint64_t most = lim->policy.registers;

    return most && v->registers && v->registers(op) > most + most / 2;
}

const struct gl_variant *gl_choose(const struct ir_op *op, const struct gl_limits *lim, struct gl_choice *choice)
{
    const struct gl_variant *chosen = NULL, *forced = choose_forced(op, lim, choice);
    uint32_t fitting = 0, wanted = gl_pick_of(op, choice).variant;

    for (int good = 1; good >= 0; good--)
        for (const struct gl_variant *v = op->kind->variants; v < op->kind->variants + op->kind->n_variants; v++)
            if (pays(v, op, lim) == good && !spills(v, op, lim) && gl_may_use(v, op, lim, choice) && fitting++ <= wanted)
                chosen = v;
    if (choice && fitting > choice->most)
        choice->most = fitting;
    return forced ? forced : chosen;
}

enum status gl_choose_none(const struct ir_op *op, const struct gl_limits *lim, struct gl_choice *choice, struct err *err)
{
    uint64_t fewest = UINT64_MAX;
    bool tried = false, is_few;

    for (const struct gl_variant *v = op->kind->variants; v < op->kind->variants + op->kind->n_variants; v++) {
        tried |= variant_fits(v, op, lim);
        if (v->emit && v->iterations && (!v->fits || v->fits(op, lim)) && v->iterations(op) < fewest)
            fewest = v->iterations(op);
    }
    is_few = fewest <= gl_most_passes(lim) || fewest == UINT64_MAX;
    if (choice)
        choice->exhausted = tried && is_few;
    if (!is_few)
        return err_set(err, ST_UNSUPPORTED, "%s needs %llu iterations of one invocation, the device has %u", op->kind->name,
                       (unsigned long long)fewest, lim->policy.iterations);
    return err_set(err, ST_UNSUPPORTED, tried ? "every variant of %s that fits has been tried" : "no variant of %s fits",
                   op->kind->name);
}

enum status gl_value_fits(const struct gl_limits *lim, const struct ir_value *v, struct err *err)
{
    struct reason why;

    if (!v || v->data || gl_fits(lim, v->type, v->shape, &why))
        return ST_OK;
    return err_set(err, ST_UNSUPPORTED, "%s of %s", v->tensor ? "a value" : "an intermediate", why.text);
}
