/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - see tune.h */
#include "tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "trial.h"

#define MOST_TRIALS     16   /* more variants no operation has */
#define FAST_INFERENCES 34   /* that fast tuning takes for trials, of 50; the others are for judging all together */
#define WORTH_TRYING    0.02 /* of the time of all nodes, for fast tuning */
#define LEAST_GAIN      0.03 /* of a unit's time; less is noise */

/* Of a node's dispatches together. */
struct figure {
    double ns;
    uint64_t made; /* a hash of their programs and grids */
};

struct tuner {
    struct gl_trial trial;
    struct gl_tuned *out;
    uint64_t deadline;      /* of clock_ns; 0: none */
    struct gl_pick *wanted; /* [graph nodes] what is being tried */

    /* [n] of each node, and behind them of what moves inputs and outputs. */
    uint32_t n;
    bool *tried;               /* it is made otherwise than the best so far */
    struct figure *best, *now; /* of the best so far; of what is being tried */
    uint32_t *unit;            /* what some trial computed in one dispatch leads to the same one: unit_of */
    uint32_t most;             /* variants of the operation with the largest choice */
    uint32_t apart;            /* gl_compiled.apart untuned */
};

/* What is tried one after the other, each with the best of those before. */
enum way { WAY_VARIANT, WAY_OBJECTS, WAY_GROUP, WAY_NUMBERS, WAY_READS, WAY_CONSTANTS, WAYS };

static void set_way(struct gl_pick *p, enum way way, uint32_t value)
{
    switch (way) {
    case WAY_VARIANT: p->variant = (uint16_t)value; break;
    case WAY_GROUP: p->group = (uint8_t)value; break;
    case WAY_NUMBERS: p->numbers = value; break;
    case WAY_OBJECTS: p->objects = value; break;
    case WAY_READS: p->reads = (uint8_t)value; break;
    default: p->constants = (uint8_t)value;
    }
}

static bool is_default(const struct gl_pick *p)
{
    return !p->variant && !p->group && !p->numbers && !p->objects && !p->reads && !p->constants;
}

static bool is_among(const struct tensor *t, struct tensor *const *list, uint32_t n)
{
    while (n && list[n - 1] != t)
        n--;
    return n > 0;
}

/* All inputs and outputs cross to the host whatever the values are kept in: no other partition takes them over (staying.c). */
static bool is_by_itself(const struct tuner *t)
{
    const struct partition *p = t->trial.part;

    for (uint32_t i = 0; i < p->n_inputs; i++)
        if (!is_among(p->inputs[i], t->trial.g->inputs, t->trial.g->n_inputs))
            return false;
    for (uint32_t i = 0; i < p->n_outputs; i++)
        if (!is_among(p->outputs[i], t->trial.g->outputs, t->trial.g->n_outputs))
            return false;
    return true;
}

/* How many there are, 0 included. */
static uint32_t count_of(const struct tuner *t, enum way way)
{
    const struct gl_limits *lim = &t->trial.set->context->limits;

    switch (way) {
    case WAY_VARIANT: return t->most < MOST_TRIALS ? t->most : MOST_TRIALS;
    case WAY_OBJECTS: return t->trial.set->any_objects && lim->texture_reads && is_by_itself(t) ? 2 : 1;
    case WAY_GROUP: return lim->policy.any_batch || lim->policy.row_groups ? 1 : GL_GROUPS;
    case WAY_NUMBERS: return lim->policy.any_batch ? 1 : 2; /* the batch is among them */
    case WAY_READS: return t->trial.set->any_reads ? GL_READS_TEXELS + 1 : 1;
    default: return t->trial.set->any_reads ? GL_READS_TEXTURES + 1 : 1;
    }
}

/* The device has it. Halves through images and texture buffers no self-test has tried, but where the rules read images. */
static bool is_there(const struct tuner *t, enum way way, uint32_t value)
{
    const struct gl_limits *lim = &t->trial.set->context->limits;

    if (way != WAY_READS && way != WAY_CONSTANTS)
        return true;
    if (way == WAY_READS && value == (lim->policy.image_reads ? GL_READS_IMAGES : GL_READS_BLOCKS)) /* as set */
        return false;
    switch (value) {
    case GL_READS_IMAGES: return lim->image_reads && (lim->policy.image_reads || !t->trial.set->precision.half);
    case GL_READS_TEXELS: return lim->image_reads && lim->texel_reads && !t->trial.set->precision.half;
    case GL_READS_UNIFORMS: return lim->uniform_reads > 0;
    case GL_READS_TEXTURES: return lim->texel_reads > 0;
    default: return true;
    }
}

/* ---- one trial ---- */

/* Equal work on equal places takes as long. */
static bool is_same(const struct gl_compiled *k, const struct gl_plan_dispatch *a, const struct gl_plan_dispatch *b)
{
    const char *numbers = gl_plan_array(k->plan, GL_PLAN_NUMBERS);

    return a->program == b->program && !memcmp(a->groups, b->groups, sizeof a->groups) && a->n_numbers == b->n_numbers &&
           !memcmp(numbers + a->numbers, numbers + b->numbers, (size_t)16 * a->n_numbers);
}

/* Its place among figures. */
static uint32_t node_of(const struct gl_compiled *k, const struct gl_plan_dispatch *d)
{
    if (!d->n_nodes)
        return k->graph->n_nodes;
    return k->graph->nodes[((const uint32_t *)gl_plan_array(k->plan, GL_PLAN_NODES))[d->first_node]].index;
}

static uint32_t unit_of(const struct tuner *t, uint32_t node)
{
    while (t->unit[node] != node)
        node = t->unit[node];
    return node;
}

static void join_units(const struct tuner *t, const struct gl_compiled *k, const struct gl_plan_dispatch *d)
{
    const uint32_t *nodes = (const uint32_t *)gl_plan_array(k->plan, GL_PLAN_NODES) + d->first_node;

    for (uint32_t i = 1; i < d->n_nodes; i++)
        t->unit[unit_of(t, k->graph->nodes[nodes[i]].index)] = unit_of(t, node_of(k, d));
}

/* Every unit of which `some` holds for a node is marked as a whole. */
static void spread_to_units(const struct tuner *t, bool *some)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (some[i])
            some[unit_of(t, i)] = true;
    for (uint32_t i = 0; i < t->n; i++)
        some[i] = some[unit_of(t, i)];
}

static double ns_of_unit(const struct tuner *t, const struct figure *of, uint32_t node)
{
    double ns = 0;

    for (uint32_t i = 0; i < t->n; i++)
        if (unit_of(t, i) == unit_of(t, node))
            ns += of[i].ns;
    return ns;
}

/* FNV-1a */
static void mix(uint64_t *hash, const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        *hash = (*hash ^ ((const uint8_t *)bytes)[i]) * 0x100000001b3u;
}

static bool is_tried(const struct tuner *t, const struct gl_compiled *k, const struct gl_plan_dispatch *d)
{
    return t->tried[node_of(k, d)];
}

/* What nodes that are tried are made of goes to t->now; what is made as the best so far is not tried again. */
static void look(const struct tuner *t, const struct gl_compiled *k, const struct gl_plan_dispatch *d, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        join_units(t, k, &d[i]);
    spread_to_units(t, t->tried);
    for (uint32_t i = 0; i < n; i++)
        if (is_tried(t, k, &d[i])) {
            uint64_t *made = &t->now[node_of(k, &d[i])].made;

            mix(made, k->programs.list[d[i].program]->hash, SHA256_HEX_SIZE);
            mix(made, d[i].groups, sizeof d[i].groups);
        }
    for (uint32_t i = 0; i < t->n; i++)
        t->tried[i] = t->tried[i] && t->now[i].made != t->best[i].made;
    spread_to_units(t, t->tried);
}

/* Adds up the dispatches of each node that is tried into t->now. */
static enum status time_all(const struct tuner *t, struct gl_compiled *k, struct err *err)
{
    const struct gl_plan_dispatch *d = gl_plan_array(k->plan, GL_PLAN_DISPATCHES);
    const uint32_t n = gl_plan_n(k->plan, GL_PLAN_DISPATCHES);
    double *ns = calloc(n + 1, sizeof *ns);
    enum status st = ns ? ST_OK : ir_nomem(err);

    look(t, k, d, n);
    for (uint32_t i = 0; i < n && !st; i++) {
        uint32_t same = 0;

        if (!is_tried(t, k, &d[i]) || gl_is_moved_by_cpu(k, i))
            continue;
        while (same < i && !(ns[same] > 0 && is_same(k, &d[same], &d[i])))
            same++;
        if (same < i)
            ns[i] = ns[same];
        else
            st = gl_trial_time(&t->trial, k, i, &ns[i], err);
        t->now[node_of(k, &d[i])].ns += ns[i];
    }
    free(ns);
    return st;
}

/* The programs outlive the trial. */
static enum status keep_programs(struct gl_tuned *out, struct gl_compiled *k, struct err *err)
{
    struct gl_program_set *more = realloc(out->programs, (out->n_programs + 1) * sizeof *more);

    if (!more)
        return ir_nomem(err);
    out->programs = more;
    more += out->n_programs++;
    *more = (struct gl_program_set){0};
    for (uint32_t i = 0, index; i < k->programs.n; i++) {
        enum status st = gl_programs_add_hash(&k->set.context->programs, more, k->programs.list[i]->hash,
                                              k->programs.list[i]->label, &index, err);

        if (st)
            return st;
    }
    return ST_OK;
}

/* *good: t->now says how long each node that is tried takes as t->wanted has it. */
static enum status try_it(struct tuner *t, bool *good, struct err *err)
{
    struct gl_shared shared = {0};
    struct gl_compiled *k = NULL;
    enum status st;

    memset(t->now, 0, t->n * sizeof *t->now);
    st = gl_trial_compile(&t->trial, t->wanted, &shared, &k, good, err);
    if (!st && *good && !t->out->trials)
        t->apart = k->apart;
    *good = *good && !st && k->apart == t->apart; /* else it is other operations that are timed */
    if (!st && *good && !(st = gl_follow_shared(k, err)))
        st = time_all(t, k, err);
    if (!st && *good) {
        t->most = k->variants > t->most ? k->variants : t->most;
        t->out->compiled += k->programs.compiled;
        st = keep_programs(t->out, k, err);
    }
    gl_compiled_free(k);
    free(shared.textures);
    return st;
}

/* ---- what all picks together are worth ---- */

/* What nodes gain each by itself may be lost where they run one after the other, or was noise: then nothing is picked. By turns, as
 * a machine's speed changes; the least of each counts. */
static enum status judge_picks(struct tuner *t, struct err *err)
{
    double as_is = INFINITY, picked = INFINITY, ns = 0;
    enum status st = ST_OK;

    for (int turn = 0; turn < 4 && !st; turn++) {
        double *least = turn == 0 || turn == 3 ? &as_is : &picked;

        memset(t->wanted, 0, (t->trial.g->n_nodes + 1) * sizeof *t->wanted);
        if (least == &picked)
            memcpy(t->wanted, t->out->picks, t->trial.g->n_nodes * sizeof *t->wanted);
        st = gl_trial_time_whole(&t->trial, t->wanted, &ns, err);
        if (!t->trial.set->context->stuck) /* else what has no room on the device, say, takes for ever */
            st = ST_OK;
        *least = ns < *least ? ns : *least;
    }
    if (!st && picked >= as_is)
        memset(t->out->picks, 0, t->trial.g->n_nodes * sizeof *t->out->picks);
    return st;
}

/* ---- all of them ---- */

static bool is_over(const struct tuner *t)
{
    return t->deadline && clock_ns() > t->deadline;
}

/* What is tried next: `value`, of all nodes that are worth it; of objects all, since who writes a value and who reads it must
 * agree, and so do inputs and outputs. */
static void want(struct tuner *t, enum way way, uint32_t value, double all)
{
    t->tried[t->trial.g->n_nodes] = way == WAY_OBJECTS;
    for (uint32_t i = 0; i < t->trial.g->n_nodes; i++) {
        t->tried[i] = way == WAY_OBJECTS || t->best[i].ns > (t->deadline ? WORTH_TRYING * all : 0);
        t->wanted[i] = t->out->picks[i];
        if (t->tried[i])
            set_way(&t->wanted[i], way, value);
    }
}

static bool is_less(double now, double best)
{
    return now > 0 && now < (1 - LEAST_GAIN) * best;
}

/* All that was tried together takes less. */
static bool all_take_less(const struct tuner *t)
{
    double now = 0, best = 0;

    for (uint32_t i = 0; i < t->n; i++) {
        now += t->tried[i] ? t->now[i].ns : 0;
        best += t->tried[i] ? t->best[i].ns : 0;
    }
    return is_less(now, best);
}

/* What was tried becomes the best so far. */
static void take(struct tuner *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        if (t->tried[i])
            t->best[i] = t->now[i];
    for (uint32_t i = 0; i < t->trial.g->n_nodes; i++)
        if (t->tried[i])
            t->out->picks[i] = t->wanted[i];
}

/* Of the units that were tried those that take less. */
static void take_better(struct tuner *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        t->tried[i] = t->tried[i] && is_less(ns_of_unit(t, t->now, i), ns_of_unit(t, t->best, i));
    take(t);
}

static enum status try_way(struct tuner *t, enum way way, double all, struct err *err)
{
    enum status st = ST_OK;
    bool good;

    for (uint32_t value = 1; value < count_of(t, way) && !is_over(t) && !st; value++) {
        if (!is_there(t, way, value))
            continue;
        want(t, way, value, all);
        st = try_it(t, &good, err);
        if (!st && good && way != WAY_OBJECTS)
            take_better(t);
        else if (!st && good && all_take_less(t))
            take(t);
        if (!t->trial.set->context->stuck) /* else what has no room on the device, say, is no pick */
            st = ST_OK;
        t->out->trials++;
    }
    return st;
}

static bool picks_something(const struct tuner *t)
{
    for (uint32_t i = 0; i < t->trial.g->n_nodes; i++)
        if (!is_default(&t->out->picks[i]))
            return true;
    return false;
}

static enum status try_all(struct tuner *t, enum gpu_tuning how, struct err *err)
{
    const uint64_t start = clock_ns();
    double all = 0;
    bool good;
    enum status st;

    memset(t->tried, true, t->n * sizeof *t->tried);
    if ((st = try_it(t, &good, err)) || !good)
        return st;
    t->out->trials++;
    memcpy(t->best, t->now, t->n * sizeof *t->best);
    for (uint32_t i = 0; i < t->n; i++)
        all += t->best[i].ns;
    t->deadline = how == GPU_TUNING_FAST ? start + (uint64_t)(FAST_INFERENCES * all) + 1 : 0;
    for (int way = 0; way < WAYS && !st; way++)
        st = try_way(t, (enum way)way, all, err);
    return st || !picks_something(t) ? st : judge_picks(t, err);
}

enum status gl_tune(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct gl_tuned *out,
                    struct err *err)
{
    const enum gpu_tuning how = set->tuning;
    const uint64_t start = clock_ns();
    struct tuner t = {.trial = {set, g, part}, .n = g->n_nodes + 1, .out = out};
    enum status st;

    *out = (struct gl_tuned){.picks = calloc(g->n_nodes + 1, sizeof *out->picks)};
    t.wanted = calloc(g->n_nodes + 1, sizeof *t.wanted);
    t.tried = calloc(t.n, sizeof *t.tried);
    t.best = calloc(t.n, sizeof *t.best);
    t.now = calloc(t.n, sizeof *t.now);
    t.unit = calloc(t.n, sizeof *t.unit);
    for (uint32_t i = 0; i < t.n && t.unit; i++)
        t.unit[i] = i;
    st = out->picks && t.wanted && t.tried && t.best && t.now && t.unit ? try_all(&t, how, err) : ir_nomem(err);
    for (uint32_t i = 0; i < g->n_nodes && out->picks; i++)
        out->nodes += !is_default(&out->picks[i]);
    out->ns = clock_ns() - start;
    free(t.wanted);
    free(t.tried);
    free(t.best);
    free(t.now);
    free(t.unit);
    return st;
}

void gl_tuned_tell(const struct gl_tuned *t, struct delegate_memory *m)
{
    m->programs_compiled = t->compiled;
    m->nodes_tuned = t->nodes;
    m->trials = t->trials;
    m->tuning_ns = t->ns;
}

void gl_tuned_free(struct gl_context *c, struct gl_tuned *t)
{
    for (uint32_t i = 0; i < t->n_programs; i++)
        gl_programs_release(&c->programs, &t->programs[i]);
    free(t->programs);
    free(t->picks);
    *t = (struct gl_tuned){0};
}

enum status gl_compile_tuned(const struct gl_settings *set, const struct graph *g, const struct partition *p,
                             struct reason *refused, struct gl_compiled **out, struct err *err)
{
    struct gl_settings tuned_set = *set;
    struct gl_tuned tuned;
    enum status st = gl_tune(set, g, p, &tuned, err);

    tuned_set.picks = tuned.picks;
    if (!st && !(st = gl_compile(&tuned_set, g, p, refused, out, err))) {
        (*out)->set.picks = NULL;
        gl_tuned_tell(&tuned, &(*out)->memory);
    }
    gl_tuned_free(set->context, &tuned);
    return st;
}
