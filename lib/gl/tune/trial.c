/* SPDX-License-Identifier: Apache-2.0 */
/* trial.c - see trial.h */
#include "lib/gl/tune/trial.h"

#include <stdlib.h>

#include "lib/base/clock.h"
#include "lib/base/sorted.h"
#include "lib/gl/run/memory_limit.h"

#define BATCH        20
#define MOST_BATCHES 5
#define FAST_BATCH   7 /* 21 dispatches in all */
#define FAST_BATCHES 3
#define MOST_RUNS    32

uint64_t gl_trial_clock(const struct gl_trial *t)
{
    return t->set->trial_ns ? t->told : clock_ns();
}

/* m->x stays NULL where that exceeds the limit of memory. */
static enum status prepare(const struct gl_settings *set, struct gl_draft *draft, struct gl_executable **x, struct err *err)
{
    const struct gl_memory_limit *limit = set->limit;
    struct gl_plan *plan;
    enum status st = gl_make_plans(&set->run, &draft, 1, &plan, err);

    if (!st && limit->held <= limit->most &&
        gl_plans_bytes((const struct gl_plan *const *)&plan, 1, 1, set->run.shared) <= limit->most - limit->held)
        return gl_load_plans(&set->run, &draft, 1, &plan, x, err);
    free(plan);
    return st;
}

/* m->x stays NULL where the device does not take all of it. */
static enum status compile(const struct gl_trial *t, const struct gl_pick *picks, struct gl_made *m, struct err *err)
{
    struct reason *refused = calloc(t->g->n_nodes + 1, sizeof *refused);
    struct gl_settings set = *t->set;
    struct gl_draft *draft = NULL;
    enum status st = refused ? ST_OK : ir_nomem(err);
    bool good;

    set.run.shared = &m->shared;
    set.run.submission_ns = NULL;
    set.run.ahead = false;
    set.recipe.picks = picks;
    set.tuning = GPU_TUNING_OFF;
    set.is_trial = true;
    set.recipe.dump_ir = NULL;
    set.stored = NULL;
    if (!st)
        st = gl_compile(&set, t->g, t->part, refused, &draft, err);
    good = !st;
    for (uint32_t i = 0; i < t->part->n_nodes && good; i++)
        good = refused[t->part->nodes[i]->index].code == REASON_NONE;
    free(refused);
    if (good) {
        m->variants = draft->variants;
        m->apart = draft->apart;
        st = prepare(&set, draft, &m->x, err);
    }
    gl_draft_free(set.run.context, draft);
    return st;
}

enum status gl_trial_make(struct gl_trial *t, const struct gl_pick *picks, struct gl_made *m, struct err *err)
{
    const uint64_t start = clock_ns();
    enum status st;

    *m = (struct gl_made){0};
    st = compile(t, picks, m, err);
    m->fixed_ns = clock_ns() - start;
    if (st || !m->x)
        return st;
    m->programs = m->x->programs.first;
    m->programs_ns = m->x->programs.build_ns;
    m->fixed_ns -= m->programs_ns;
    if (t->set->trial_ns) {
        m->fixed_ns = (uint64_t)t->set->trial_ns("compile");
        m->programs_ns = m->programs ? m->programs * (uint64_t)t->set->trial_ns("program") : 0;
        t->told += m->fixed_ns + m->programs_ns;
    }
    return gl_follow_shared(m->x, err);
}

enum status gl_trial_warm(struct gl_trial *t, struct gl_made *m, struct err *err)
{
    const uint64_t start = clock_ns();
    uint64_t ran;
    enum status st = gl_compile_ahead(m->x, err);

    if (!st)
        st = gl_run_repeated(m->x, NULL, gl_plan_n(m->x->plan, GL_PLAN_DISPATCHES), 1, &ran, err);
    if (!t->set->trial_ns)
        m->programs_ns += clock_ns() - start;
    return st;
}

void gl_made_free(struct gl_made *m)
{
    gl_executable_free(m->x);
    free(m->shared.textures);
    *m = (struct gl_made){0};
}

/* ---- timing ---- */

static uint32_t batches_of(const struct gl_trial *t)
{
    return t->set->tuning == GPU_TUNING_FAST ? FAST_BATCHES : MOST_BATCHES;
}

uint32_t gl_trial_rounds(const struct gl_trial *t, uint32_t n)
{
    const uint32_t batch = t->set->tuning == GPU_TUNING_FAST ? FAST_BATCH : BATCH;

    return batches_of(t) * ((batch + n - 1) / n);
}

static double told_ns(const struct gl_trial *t, const struct gl_executable *x, const uint32_t *which, uint32_t n)
{
    const struct gl_plan_dispatch *d = gl_plan_array(x->plan, GL_PLAN_DISPATCHES);
    double ns = 0;

    for (uint32_t i = 0; i < n; i++)
        ns += t->set->trial_ns(gl_plan_string(x->plan, d[which ? which[i] : i].label));
    return ns;
}

/* A round of a batch; `told` is what trial_ns says of it. */
static enum status time_batch(struct gl_trial *t, struct gl_executable *x, const uint32_t *which, uint32_t n, uint32_t rounds,
                              double told, double *ns, struct err *err)
{
    uint64_t took = 0;
    enum status st;

    *ns = told;
    t->told += (uint64_t)(rounds * told);
    if (t->set->trial_ns)
        return ST_OK;
    st = gl_run_repeated(x, which, n, rounds, &took, err);
    *ns = (double)took / rounds;
    return st;
}

enum status gl_trial_guess(struct gl_trial *t, struct gl_executable *x, const uint32_t *which, uint32_t n, double *ns,
                           struct err *err)
{
    return time_batch(t, x, which, n, 1, t->set->trial_ns ? told_ns(t, x, which, n) : 0, ns, err);
}

enum status gl_trial_time(struct gl_trial *t, struct gl_executable *x, const uint32_t *which, uint32_t n, double *ns,
                          struct err *err)
{
    const double told = t->set->trial_ns ? told_ns(t, x, which, n) : 0;
    const uint32_t batches = batches_of(t), rounds = gl_trial_rounds(t, n) / batches;
    double times[MOST_BATCHES];
    enum status st = ST_OK;

    for (uint32_t b = 0; b < batches && !st; b++)
        st = time_batch(t, x, which, n, rounds, told, &times[b], err);
    if (st)
        return st;
    sort_values(times, batches);
    *ns = sorted_median(times, batches);
    return ST_OK;
}

enum status gl_trial_whole(struct gl_trial *t, struct gl_executable *const *x, uint32_t n, uint32_t runs, double *ns,
                           struct err *err)
{
    double times[2][MOST_RUNS], told[2] = {0};
    enum status st = ST_OK;

    for (uint32_t i = 0; i < n && t->set->trial_ns; i++)
        told[i] = told_ns(t, x[i], NULL, gl_plan_n(x[i]->plan, GL_PLAN_DISPATCHES));
    for (uint32_t r = 0; r < runs; r++)
        for (uint32_t i = 0; i < n && !st; i++) /* ABBA: nobody is always the second */
            st = time_batch(t, x[(i + r) % n], NULL, gl_plan_n(x[(i + r) % n]->plan, GL_PLAN_DISPATCHES), 1, told[(i + r) % n],
                            &times[(i + r) % n][r], err);
    for (uint32_t i = 0; i < n && !st; i++) {
        sort_values(times[i], runs);
        ns[i] = sorted_median(times[i], runs);
    }
    return st;
}
