/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_gains.c - partitions under the hypothesis that a delegate takes one operator, reason or node more. */
#include "lib/coverage/coverage_impl.h"

#include <stdlib.h>
#include <string.h>

struct asking {
    struct coverage *c;
    struct delegate *const *ds;
    uint32_t n;
    const struct claim *claims; /* as they are */
    struct claim *more;         /* the same, but while there is asked what would be */
    const struct partition_options *opt;
    struct arena scratch;
    uint32_t nodes, partitions; /* nodes that are delegated, and partitions, after limits */
};

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for what could be gained");
}

bool coverage_is_nodes_own(enum reason_code code)
{
    return code != REASON_NONE && code != REASON_PARTITION_TOO_SMALL && code != REASON_PARTITION_LIMIT;
}

static int by_gain(const void *a, const void *b)
{
    const struct coverage_gain *x = a, *y = b;

    if (x->what != y->what)
        return (x->what > y->what) - (x->what < y->what);
    if (x->nodes != y->nodes)
        return (x->nodes < y->nodes) - (x->nodes > y->nodes);
    if (x->partitions != y->partitions)
        return (x->partitions > y->partitions) - (x->partitions < y->partitions);
    if (x->node && x->node != y->node)
        return (x->node->index > y->node->index) - (x->node->index < y->node->index);
    if (x->op && strcmp(x->op, y->op) != 0)
        return strcmp(x->op, y->op);
    return x->by != y->by ? (x->by > y->by) - (x->by < y->by) : (int)x->reason - (int)y->reason;
}

static bool is_meant(const struct coverage_gain *g, const struct verdict *v)
{
    switch (g->what) {
    case COVERAGE_IF_OPERATOR: return !strcmp(v->node->name, g->op);
    case COVERAGE_IF_REASON: return v->why.code == g->reason;
    case COVERAGE_IF_NODE: return v->node == g->node;
    }
    return false;
}

/* Makes the nodes meant that nobody has the delegate's, or with `back` what they are again. */
static void claim_meant(struct asking *a, const struct coverage_gain *g, bool back)
{
    for (uint32_t i = 0; i < a->c->n_verdicts; i++)
        if (!a->more[i].barred && !a->claims[i].owner && is_meant(g, &a->c->verdicts[i]))
            a->more[i].owner = back ? NULL : a->ds[g->by];
}

/* Whether the nodes meant are all that are refused of one operator, which has an entry of its own. */
static bool is_an_operator(const struct asking *a, const struct coverage_gain *gain)
{
    const struct verdict *first = NULL;
    uint32_t meant = 0, refused = 0;

    for (uint32_t i = 0; i < a->c->n_verdicts; i++) {
        const struct verdict *v = &a->c->verdicts[i];

        if (!is_meant(gain, v))
            continue;
        first = first ? first : v;
        if (strcmp(v->node->name, first->node->name) != 0)
            return false;
        meant++;
    }
    for (uint32_t i = 0; i < a->c->n_verdicts; i++) {
        const struct verdict *v = &a->c->verdicts[i];

        refused += first && coverage_is_nodes_own(v->why.code) && !strcmp(v->node->name, first->node->name);
    }
    return meant == refused;
}

/* With limits on partitions, which may stay as many, it shows in nodes besides the one. */
static bool joins(const struct asking *a, const struct coverage_gain *gain)
{
    const bool limited = a->opt->max_partitions > 0 || a->opt->min_nodes > 1 || a->opt->first_only;

    return limited ? gain->nodes > a->nodes + 1 : gain->partitions < a->partitions;
}

/* Adds the entry where it brings something, and something else than an operator does. */
static enum status ask(struct asking *a, struct coverage_gain gain, struct err *err)
{
    struct coverage *c = a->c;
    enum status st;

    claim_meant(a, &gain, false);
    st = partition_count(c->graphs[0], a->more, a->opt, &a->scratch, &gain.nodes, &gain.partitions, err);
    arena_free(&a->scratch);
    claim_meant(a, &gain, true);
    if (!st && gain.nodes > a->nodes && (gain.what != COVERAGE_IF_NODE || joins(a, &gain)) &&
        (gain.what == COVERAGE_IF_OPERATOR || !is_an_operator(a, &gain)))
        c->gains[c->n_gains++] = gain;
    return st;
}

static enum status ask_operators(struct asking *a, struct err *err)
{
    const struct coverage *c = a->c;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->n_ops; i++)
        for (uint32_t k = 0; k < a->n && !st && c->ops[i].covered + c->ops[i].folded < c->ops[i].nodes; k++)
            st = ask(a, (struct coverage_gain){.what = COVERAGE_IF_OPERATOR, .by = k, .op = c->ops[i].name}, err);
    return st;
}

/* A reason is that of who was asked first. */
static enum status ask_reasons(struct asking *a, struct err *err)
{
    enum status st = ST_OK;

    for (int code = 0; code < REASON_COUNT && !st; code++) {
        const struct coverage *c = a->c;
        bool seen = false;

        for (uint32_t i = 0; i < c->n_verdicts; i++)
            seen |= (int)c->verdicts[i].why.code == code;
        if (seen && coverage_is_nodes_own((enum reason_code)code))
            st = ask(a, (struct coverage_gain){.what = COVERAGE_IF_REASON, .reason = (enum reason_code)code}, err);
    }
    return st;
}

/* One by one, each of which goes through the whole graph: as many as COVERAGE_GAINS_WORK is for, from the first on. */
static enum status ask_nodes(struct asking *a, struct err *err)
{
    struct coverage *c = a->c;
    uint64_t work = 0;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < c->n_verdicts && !st; i++) {
        const struct node *node = c->verdicts[i].node;

        if (!coverage_is_nodes_own(c->verdicts[i].why.code))
            continue;
        c->n_untried += (work += (uint64_t)c->n_verdicts * a->n) > COVERAGE_GAINS_WORK;
        for (uint32_t k = 0; k < a->n && !st && work <= COVERAGE_GAINS_WORK; k++)
            st = ask(a, (struct coverage_gain){.what = COVERAGE_IF_NODE, .by = k, .op = node->name, .node = node}, err);
    }
    return st;
}

enum status coverage_find_gains(struct coverage *c, struct delegate *const *ds, const struct claim *claims,
                                const struct partition_options *opt, struct err *err)
{
    struct asking a = {.c = c, .ds = ds, .claims = claims, .opt = opt};
    struct arena own = {0};
    enum status st = ST_OK;
    uint32_t others;

    while (ds[a.n])
        a.n++;
    a.more = ARENA_ARRAY(&own, c->graphs[0]->n_nodes, struct claim);
    c->gains = ARENA_ARRAY(&c->arena, ((size_t)c->n_ops + c->n_verdicts) * a.n + REASON_COUNT, struct coverage_gain);
    if (!a.more || !c->gains)
        st = no_memory(err);
    if (!st)
        memcpy(a.more, claims, c->graphs[0]->n_nodes * sizeof *a.more);
    if (!st)
        st = partition_count(c->graphs[0], claims, opt, &a.scratch, &a.nodes, &a.partitions, err);
    arena_free(&a.scratch);
    if (!st && !(st = ask_operators(&a, err)) && !(st = ask_reasons(&a, err))) {
        others = c->n_gains;
        st = ask_nodes(&a, err);
        qsort(c->gains, c->n_gains, sizeof *c->gains, by_gain);
        if (c->n_gains > others + COVERAGE_MOST_NODES)
            c->n_gains = others + COVERAGE_MOST_NODES;
    }
    arena_free(&a.scratch);
    arena_free(&own);
    return st;
}
