/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - see tune.h */
#include "tune.h"

#include <stdlib.h>
#include <string.h>

#include "../clock.h"
#include "../sorted.h"

#define MOST_TRIALS     16   /* more variants no operation has */
#define BATCH           20   /* dispatches between two waits, so that these count little */
#define MOST_BATCHES    5    /* the median of them counts */
#define FAST_INFERENCES 50   /* that fast tuning may take as long as */
#define WORTH_TRYING    0.02 /* of the time of all nodes, for fast tuning */
#define LEAST_GAIN      0.03 /* of a node's time; less is noise */

struct tuner {
    const struct gl_settings *set;
    const struct graph *g;
    const struct partition *part;
    struct gl_tuned *out;
    uint32_t batches;
    uint64_t deadline;     /* of clock_ns; 0: none */
    uint32_t *wanted;      /* [graph nodes] what is being tried */
    double *least, *taken; /* [graph nodes] ns: of the best so far; of what is being tried */
    uint32_t most;         /* variants of the operation with the largest choice */
};

/* ---- one trial ---- */

/* The partition alone, which shares nothing with others that are ready to run. */
static enum status compile(const struct tuner *t, struct gl_shared *shared, struct gl_compiled **k, bool *good, struct err *err)
{
    struct reason *refused = calloc(t->g->n_nodes + 1, sizeof *refused);
    struct gl_settings set = *t->set;
    enum status st = refused ? ST_OK : ir_nomem(err);

    set.shared = shared;
    set.picks = t->wanted;
    set.tuning = GPU_TUNING_OFF;
    set.submission_ns = NULL;
    set.dump_ir = NULL;
    set.stored = NULL;
    if (!st)
        st = gl_compile(&set, t->g, t->part, refused, k, err);
    *good = !st;
    for (uint32_t i = 0; i < t->part->n_nodes && *good; i++)
        *good = refused[t->part->nodes[i]->index].code == REASON_NONE;
    free(refused);
    return st || !*good ? st : gl_prepare(k, 1, err);
}

/* The median of batches of one dispatch; per dispatch. */
static enum status time_dispatch(const struct tuner *t, struct gl_compiled *k, uint32_t i, double *ns, struct err *err)
{
    const struct gl_plan_dispatch *d = (const struct gl_plan_dispatch *)gl_plan_array(k->plan, GL_PLAN_DISPATCHES) + i;
    double times[MOST_BATCHES] = {0};
    uint64_t took;
    enum status st = gl_run_repeated(k, i, 1, &took, err); /* some drivers compile now */

    if (t->set->trial_ns) {
        *ns = t->set->trial_ns(gl_plan_string(k->plan, d->label));
        return st;
    }

    for (uint32_t b = 0; b < t->batches && !st; b++) {
        st = gl_run_repeated(k, i, BATCH, &took, err);
        times[b] = (double)took / BATCH;
    }
    sort_values(times, t->batches);
    *ns = sorted_median(times, t->batches);
    return st;
}

/* Equal work on equal places takes as long. */
static bool is_same(const struct gl_compiled *k, const struct gl_plan_dispatch *a, const struct gl_plan_dispatch *b)
{
    const char *numbers = gl_plan_array(k->plan, GL_PLAN_NUMBERS);

    return a->program == b->program && !memcmp(a->groups, b->groups, sizeof a->groups) && a->n_numbers == b->n_numbers &&
           !memcmp(numbers + a->numbers, numbers + b->numbers, (size_t)16 * a->n_numbers);
}

static uint32_t node_of(const struct gl_compiled *k, const struct gl_plan_dispatch *d)
{
    return k->graph->nodes[((const uint32_t *)gl_plan_array(k->plan, GL_PLAN_NODES))[d->first_node]].index;
}

/* Adds the times of the dispatches to t->taken of their nodes. Those of nodes that no longer make a choice are not looked at. */
static enum status time_all(const struct tuner *t, struct gl_compiled *k, struct err *err)
{
    const struct gl_plan_dispatch *d = gl_plan_array(k->plan, GL_PLAN_DISPATCHES);
    const uint32_t n = gl_plan_n(k->plan, GL_PLAN_DISPATCHES);
    double *ns = calloc(n + 1, sizeof *ns);
    enum status st = ns ? ST_OK : ir_nomem(err);

    for (uint32_t i = 0; i < n && !st; i++) {
        uint32_t same = 0;

        if (!d[i].n_nodes || (t->out->trials && !t->wanted[node_of(k, &d[i])]))
            continue;
        while (same < i && !(ns[same] > 0 && is_same(k, &d[same], &d[i])))
            same++;
        if (same < i)
            ns[i] = ns[same];
        else
            st = time_dispatch(t, k, i, &ns[i], err);
        t->taken[node_of(k, &d[i])] += ns[i];
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

/* *good: t->taken says how long each node takes as t->wanted has it. */
static enum status try_it(struct tuner *t, bool *good, struct err *err)
{
    struct gl_shared shared = {0};
    struct gl_compiled *k = NULL;
    enum status st;

    memset(t->taken, 0, t->g->n_nodes * sizeof *t->taken);
    st = compile(t, &shared, &k, good, err);
    if (!st && *good && !(st = gl_follow_shared(k, err)))
        st = time_all(t, k, err);
    if (!st && *good) {
        t->most = k->variants > t->most ? k->variants : t->most;
        st = keep_programs(t->out, k, err);
    }
    gl_compiled_free(k);
    free(shared.textures);
    return st;
}

/* ---- all of them ---- */

static bool is_over(const struct tuner *t)
{
    return t->deadline && clock_ns() > t->deadline;
}

/* What is tried next: number `pick` for all nodes that are worth it. */
static void want(struct tuner *t, uint32_t pick, double all)
{
    for (uint32_t i = 0; i < t->g->n_nodes; i++)
        t->wanted[i] = t->least[i] > (t->deadline ? WORTH_TRYING * all : 0) ? pick : 0;
}

static void take_better(struct tuner *t, uint32_t pick)
{
    for (uint32_t i = 0; i < t->g->n_nodes; i++)
        if (t->wanted[i] && t->taken[i] > 0 && t->taken[i] < (1 - LEAST_GAIN) * t->least[i]) {
            t->least[i] = t->taken[i];
            t->out->picks[i] = pick;
        }
}

static enum status try_all(struct tuner *t, enum gpu_tuning how, struct err *err)
{
    const uint64_t start = clock_ns();
    double all = 0;
    bool good;
    enum status st = try_it(t, &good, err);

    if (st || !good)
        return st;
    t->out->trials++;
    for (uint32_t i = 0; i < t->g->n_nodes; i++)
        all += t->least[i] = t->taken[i];
    t->deadline = how == GPU_TUNING_FAST ? start + (uint64_t)(FAST_INFERENCES * all) + 1 : 0;
    for (uint32_t pick = 1; pick < t->most && pick < MOST_TRIALS && !is_over(t) && !st; pick++) {
        want(t, pick, all);
        st = try_it(t, &good, err);
        if (!st && good)
            take_better(t, pick);
        if (!t->set->context->stuck) /* else what has no room on the device, say, is no pick */
            st = ST_OK;
        t->out->trials++;
    }
    return st;
}

enum status gl_tune(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct gl_tuned *out,
                    struct err *err)
{
    const enum gpu_tuning how = set->tuning;
    const uint64_t start = clock_ns();
    struct tuner t = {.set = set, .g = g, .part = part, .out = out, .batches = how == GPU_TUNING_FAST ? 1 : MOST_BATCHES};
    enum status st;

    *out = (struct gl_tuned){.picks = calloc(g->n_nodes + 1, sizeof *out->picks)};
    t.wanted = calloc(g->n_nodes + 1, sizeof *t.wanted);
    t.least = calloc(g->n_nodes + 1, sizeof *t.least);
    t.taken = calloc(g->n_nodes + 1, sizeof *t.taken);
    st = out->picks && t.wanted && t.least && t.taken ? try_all(&t, how, err) : ir_nomem(err);
    for (uint32_t i = 0; i < g->n_nodes && out->picks; i++)
        out->nodes += out->picks[i] != 0;
    out->ns = clock_ns() - start;
    free(t.wanted);
    free(t.least);
    free(t.taken);
    return st;
}

void gl_tuned_tell(const struct gl_tuned *t, struct delegate_memory *m)
{
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
