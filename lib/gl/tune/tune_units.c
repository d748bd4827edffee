/* SPDX-License-Identifier: Apache-2.0 */
/* tune_units.c - nodes that take picks together, what they are made of, and what they take. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/sorted.h"
#include "lib/delegate/op_work.h"
#include "lib/gl/tune/tune_impl.h"

#define AT_LIMIT 0.9 /* of what a probe finds the device to do at best: nothing is gained that can be told */

bool tune_alloc(struct tuner *t)
{
    t->wanted = calloc(t->n, sizeof *t->wanted);
    t->before = calloc(t->n, sizeof *t->before);
    t->tried = calloc(t->n, sizeof *t->tried);
    t->done = calloc(t->n, sizeof *t->done);
    t->sure = calloc(t->n, sizeof *t->sure);
    t->best = calloc(t->n, sizeof *t->best);
    t->now = calloc(t->n, sizeof *t->now);
    t->unit = calloc(t->n, sizeof *t->unit);
    for (uint32_t i = 0; i < t->n && t->unit; i++)
        t->unit[i] = i;
    return t->wanted && t->before && t->tried && t->done && t->sure && t->best && t->now && t->unit;
}

void tune_fini(struct tuner *t)
{
    gl_made_free(&t->base);
    free(t->wanted);
    free(t->before);
    free(t->tried);
    free(t->done);
    free(t->sure);
    free(t->best);
    free(t->now);
    free(t->unit);
    free(t->which);
}

/* ---- units ---- */

/* Equal work on equal places takes as long. */
static bool is_same(const struct gl_executable *x, const struct gl_plan_dispatch *a, const struct gl_plan_dispatch *b)
{
    const char *numbers = gl_plan_array(x->plan, GL_PLAN_UNIFORMS);

    return a->program == b->program && !memcmp(a->groups, b->groups, sizeof a->groups) && a->n_uniforms == b->n_uniforms &&
           !memcmp(numbers + a->numbers, numbers + b->numbers, (size_t)16 * a->n_uniforms);
}

/* Its place among figures. */
static uint32_t node_of(const struct gl_executable *x, const struct gl_plan_dispatch *d)
{
    if (!d->n_nodes)
        return x->graph->n_nodes;
    return x->graph->nodes[((const uint32_t *)gl_plan_array(x->plan, GL_PLAN_NODES))[d->first_node]].index;
}

uint32_t tune_unit_of(const struct tuner *t, uint32_t node)
{
    while (t->unit[node] != node)
        node = t->unit[node];
    return node;
}

static void join(const struct tuner *t, uint32_t a, uint32_t b)
{
    t->unit[tune_unit_of(t, a)] = tune_unit_of(t, b);
}

/* What some trial computes in one dispatch is one unit. */
static void join_dispatched(const struct tuner *t, const struct gl_executable *x, const struct gl_plan_dispatch *d)
{
    const uint32_t *nodes = (const uint32_t *)gl_plan_array(x->plan, GL_PLAN_NODES) + d->first_node;

    for (uint32_t i = 1; i < d->n_nodes; i++)
        join(t, x->graph->nodes[nodes[i]].index, node_of(x, d));
}

void tune_join_alike(const struct tuner *t, const struct gl_executable *x)
{
    const struct gl_plan_dispatch *d = gl_plan_array(x->plan, GL_PLAN_DISPATCHES);

    for (uint32_t i = 0; i < gl_plan_n(x->plan, GL_PLAN_DISPATCHES); i++)
        for (uint32_t j = 0; j < i; j++)
            if (is_same(x, &d[i], &d[j]))
                join(t, node_of(x, &d[i]), node_of(x, &d[j]));
}

void tune_spread(const struct tuner *t, bool *some)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (some[i])
            some[tune_unit_of(t, i)] = true;
    for (uint32_t i = 0; i < t->n; i++)
        some[i] = some[tune_unit_of(t, i)];
}

double tune_ns_of_unit(const struct tuner *t, const struct figure *of, uint32_t node)
{
    double ns = 0;

    for (uint32_t i = 0; i < t->n; i++)
        if (tune_unit_of(t, i) == tune_unit_of(t, node))
            ns += of[i].ns;
    return ns;
}

static void set_ns_of_unit(const struct tuner *t, struct figure *of, uint32_t node, double ns)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (tune_unit_of(t, node) == tune_unit_of(t, i))
            of[i].ns = 0;
    of[tune_unit_of(t, node)].ns = ns;
}

enum status tune_make_room(struct tuner *t, const struct gl_executable *x, struct err *err)
{
    const uint32_t n = gl_plan_n(x->plan, GL_PLAN_DISPATCHES);
    uint32_t *which = n < t->cap_which ? t->which : realloc(t->which, (n + 1) * sizeof *which);

    if (!which)
        return ir_nomem(err);
    t->which = which;
    t->cap_which = n < t->cap_which ? t->cap_which : n + 1;
    return ST_OK;
}

uint32_t tune_list_of(const struct tuner *t, struct gl_executable *x, uint32_t unit)
{
    const struct gl_plan_dispatch *d = gl_plan_array(x->plan, GL_PLAN_DISPATCHES);
    uint32_t n = 0;

    for (uint32_t i = 0; i < gl_plan_n(x->plan, GL_PLAN_DISPATCHES); i++)
        if (tune_unit_of(t, node_of(x, &d[i])) == unit && !gl_is_moved_by_cpu(x, i))
            t->which[n++] = i;
    return n;
}

/* ---- one trial ---- */

/* FNV-1a */
static void mix(uint64_t *hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

enum status tune_look(struct tuner *t, const struct gl_executable *x, struct err *err)
{
    const struct gl_plan_dispatch *d = gl_plan_array(x->plan, GL_PLAN_DISPATCHES);
    const uint32_t n = gl_plan_n(x->plan, GL_PLAN_DISPATCHES);
    enum status st = tune_make_room(t, x, err);

    if (st)
        return st;
    memset(t->now, 0, t->n * sizeof *t->now);
    for (uint32_t i = 0; i < n; i++)
        join_dispatched(t, x, &d[i]);
    tune_spread(t, t->tried);
    for (uint32_t i = 0; i < n; i++) {
        uint64_t *made = &t->now[node_of(x, &d[i])].made;

        mix(made, x->programs.list[d[i].program]->hash, SHA256_HEX_SIZE);
        mix(made, d[i].groups, sizeof d[i].groups);
    }
    for (uint32_t i = 0; i < t->n; i++)
        t->tried[i] = t->tried[i] && t->now[i].made != t->best[i].made;
    tune_spread(t, t->tried);
    return ST_OK;
}

/* The best so far of a unit that was guessed is timed. */
static enum status be_sure(struct tuner *t, uint32_t unit, struct err *err)
{
    const uint32_t n = tune_list_of(t, t->base.x, unit);
    double ns = 0;
    enum status st;

    if (t->sure[unit] || !n)
        return ST_OK;
    t->sure[unit] = true;
    if (!(st = gl_trial_time(&t->trial, t->base.x, t->which, n, &ns, err)))
        set_ns_of_unit(t, t->best, unit, ns);
    return st;
}

enum status tune_time(struct tuner *t, struct gl_executable *x, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < t->trial.g->n_nodes && !st; i++) {
        double ns = 0;
        uint32_t n;

        if (!t->tried[i] || tune_unit_of(t, i) != i || (st = be_sure(t, i, err)) || !(n = tune_list_of(t, x, i)))
            continue;
        st = gl_trial_time(&t->trial, x, t->which, n, &ns, err);
        set_ns_of_unit(t, t->now, i, ns);
    }
    return st;
}

enum status tune_time_base(struct tuner *t, struct err *err)
{
    enum status st = ST_OK;

    for (uint32_t i = 0; i < t->trial.g->n_nodes && !st; i++) {
        double ns = 0;
        uint32_t n;

        if (tune_unit_of(t, i) != i || !(n = tune_list_of(t, t->base.x, i)))
            continue;
        if (t->fast)
            st = gl_trial_guess(&t->trial, t->base.x, t->which, n, &ns, err);
        else
            st = gl_trial_time(&t->trial, t->base.x, t->which, n, &ns, err);
        t->sure[i] = !t->fast;
        set_ns_of_unit(t, t->best, i, ns);
    }
    return st;
}

bool tune_is_at_limit(const struct tuner *t, uint32_t unit)
{
    const struct partition *p = t->trial.part;
    const struct node **nodes = calloc(p->n_nodes + 1, sizeof *nodes);
    struct op_work work = {0};
    uint32_t n = 0;

    for (uint32_t i = 0; i < p->n_nodes && nodes; i++)
        if (tune_unit_of(t, p->nodes[i]->index) == unit)
            nodes[n++] = p->nodes[i];
    if (n)
        work = op_work_of(t->trial.g, nodes, n);
    free(nodes);
    return n && 1e3 * op_work_least_us(&work, &t->peak, false) >= AT_LIMIT * tune_ns_of_unit(t, t->best, unit);
}

/* ---- objects ---- */

/* What the unit takes as each of x[2] has it; FAST: guesses by turns. */
static enum status time_both(struct tuner *t, struct gl_executable *const x[2], uint32_t unit, double ns[2], struct err *err)
{
    const uint32_t turns = t->fast ? TUNE_TURNS : 1;
    double times[2][TUNE_TURNS] = {0};
    enum status st = ST_OK;

    for (uint32_t i = 0; i < 2 * turns && !st; i++) {
        const uint32_t which = (i + i / 2) % 2, n = tune_list_of(t, x[which], unit);

        if (n)
            st = (t->fast ? gl_trial_guess : gl_trial_time)(&t->trial, x[which], t->which, n, &times[which][i / 2], err);
    }
    for (uint32_t i = 0; i < 2; i++) {
        sort_values(times[i], turns);
        ns[i] = sorted_median(times[i], turns);
    }
    return st;
}

enum status tune_compare(struct tuner *t, struct gl_executable *const x[2], uint32_t value, struct err *err)
{
    bool any[2] = {false}; /* is better as set; with `value` */
    enum status st = ST_OK;

    for (uint32_t i = 0; i < t->trial.g->n_nodes && !st; i++) {
        double ns[2];

        if (tune_unit_of(t, i) != i || (st = time_both(t, x, i, ns, err)))
            continue;
        any[0] |= tune_is_less(ns[0], ns[1]);
        any[1] |= tune_is_less(ns[1], ns[0]);
        t->tried[i] = value == GL_OBJECTS_TEXTURES ? !tune_is_less(ns[0], ns[1]) : tune_is_less(ns[1], ns[0]);
    }
    for (uint32_t i = 0; i < t->trial.g->n_nodes; i++)
        if (!t->tried[tune_unit_of(t, i)])
            t->wanted[i].objects = GL_OBJECTS_AS_SET;
    memset(t->tried, !st && any[0] && any[1], t->n * sizeof *t->tried);
    return st;
}
