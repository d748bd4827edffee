/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c - see trial.h */
#include "trial.h"

#include <math.h>
#include <stdlib.h>

#include "../sorted.h"

#define BATCH        20 /* dispatches between two waits, so that these count little */
#define MOST_BATCHES 5  /* the median of them counts */
#define MOST_RUNS    9  /* of all dispatches, likewise */
#define FAST_RUNS    3

static bool is_fast(const struct gl_trial *t)
{
    return t->set->tuning == GPU_TUNING_FAST;
}

enum status gl_trial_compile(const struct gl_trial *t, struct gl_pick *picks, struct gl_shared *shared, struct gl_compiled **k,
                             bool *good, struct err *err)
{
    struct reason *refused = calloc(t->g->n_nodes + 1, sizeof *refused);
    struct gl_settings set = *t->set;
    enum status st = refused ? ST_OK : ir_nomem(err);

    set.shared = shared;
    set.picks = picks;
    set.tuning = GPU_TUNING_OFF;
    set.is_trial = true;
    set.submission_ns = NULL;
    set.ahead = false;
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

enum status gl_trial_time(const struct gl_trial *t, struct gl_compiled *k, uint32_t i, double *ns, struct err *err)
{
    const struct gl_plan_dispatch *d = (const struct gl_plan_dispatch *)gl_plan_array(k->plan, GL_PLAN_DISPATCHES) + i;
    const uint32_t batches = is_fast(t) ? 1 : MOST_BATCHES;
    double times[MOST_BATCHES] = {0};
    uint64_t took;
    enum status st;

    if (t->set->trial_ns) {
        *ns = t->set->trial_ns(gl_plan_string(k->plan, d->label));
        return ST_OK;
    }
    st = gl_run_repeated(k, i, i + 1, 1, &took, err); /* some drivers compile now */
    for (uint32_t b = 0; b < batches && !st; b++) {
        st = gl_run_repeated(k, i, i + 1, BATCH, &took, err);
        times[b] = (double)took / BATCH;
    }
    sort_values(times, batches);
    *ns = sorted_median(times, batches);
    return st;
}

/* The median of runs of all dispatches. */
static enum status time_runs(const struct gl_trial *t, struct gl_compiled *k, double *ns, struct err *err)
{
    const struct gl_plan_dispatch *d = gl_plan_array(k->plan, GL_PLAN_DISPATCHES);
    const uint32_t n = gl_plan_n(k->plan, GL_PLAN_DISPATCHES), runs = is_fast(t) ? FAST_RUNS : MOST_RUNS;
    double times[MOST_RUNS] = {0};
    uint64_t took;
    enum status st = gl_run_repeated(k, 0, n, 1, &took, err); /* some drivers compile now */

    *ns = 0;
    for (uint32_t i = 0; i < n && t->set->trial_ns; i++)
        *ns += t->set->trial_ns(gl_plan_string(k->plan, d[i].label));
    if (t->set->trial_ns)
        return st;
    for (uint32_t i = 0; i < runs && !st; i++) {
        st = gl_run_repeated(k, 0, n, 1, &took, err);
        times[i] = (double)took;
    }
    sort_values(times, runs);
    *ns = sorted_median(times, runs);
    return st;
}

enum status gl_trial_time_whole(const struct gl_trial *t, struct gl_pick *picks, double *ns, struct err *err)
{
    struct gl_shared shared = {0};
    struct gl_compiled *k = NULL;
    bool good;
    enum status st = gl_trial_compile(t, picks, &shared, &k, &good, err);

    *ns = INFINITY;
    if (!st && good && !(st = gl_follow_shared(k, err)) && !(st = gl_compile_ahead(k, err)))
        st = time_runs(t, k, ns, err);
    gl_compiled_free(k);
    free(shared.textures);
    return st;
}
