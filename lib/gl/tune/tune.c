/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c - see tune.h */
#include "lib/gl/tune/tune.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/gl/cache/cache_entries.h"
#include "lib/gl/device/probe.h"
#include "lib/gl/tune/tune_impl.h"

#define FAST_INFERENCES 50 /* that fast tuning may take */
#define FAST_RUNS       3  /* by which it knows how long that is, */
#define FAST_JUDGES     5  /* and by which all picks are judged together; for exhaustive tuning: */
#define JUDGES          18
#define MOST_DISPATCHES 100  /* that exhaustive tuning times each */
#define WORTH_TRYING    0.02 /* of the time of all nodes, for fast tuning */
#define LATE_NS         6e7  /* at least, for a program of a driver that compiles late (llvmpipe) and has it in no cache */
#define PROBE_NS        4e8  /* no probe takes longer, */
#define PROBE_SHARE     0.1  /* nor more than this of the time that there is */

/* ---- one trial ---- */

/* The programs outlive the trial. */
static enum status keep_programs(struct gl_tuned *out, const struct gl_executable *x, struct err *err)
{
    struct gl_program_set *more = realloc(out->programs, (out->n_programs + 1) * sizeof *more);

    if (!more)
        return ir_nomem(err);
    out->programs = more;
    more += out->n_programs++;
    *more = (struct gl_program_set){0};
    for (uint32_t i = 0, index; i < x->programs.n; i++) {
        enum status st = gl_programs_add_hash(&x->set.context->programs, more, x->programs.list[i]->hash,
                                              x->programs.list[i]->label, &index, err);

        if (st)
            return st;
    }
    return ST_OK;
}

static enum status make(struct tuner *t, const struct gl_pick *picks, struct gl_made *m, struct cost *cost, struct err *err)
{
    enum status st = gl_trial_make(&t->trial, picks, m, err);

    cost->trials++;
    cost->fixed_ns += (double)m->fixed_ns;
    if (st || !m->x)
        return st;
    t->out->compiled += m->x->programs.compiled;
    return keep_programs(t->out, m->x, err);
}

static enum status warm(struct tuner *t, struct gl_made *m, struct cost *cost, struct err *err)
{
    enum status st = gl_trial_warm(&t->trial, m, err);

    cost->programs += m->programs;
    if (m->programs && (double)m->programs_ns > cost->program_ns * m->programs)
        cost->program_ns = (double)m->programs_ns / m->programs;
    return st;
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
        t->tried[i] = t->tried[i] && tune_is_less(tune_ns_of_unit(t, t->now, i), tune_ns_of_unit(t, t->best, i));
    take(t);
}

static const struct gl_pick *picks_or_none(const struct gl_pick *picks, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!gl_pick_is_none(&picks[i]))
            return picks;
    return NULL;
}

static bool is_stopped(const struct tuner *t)
{
    return delegate_stopped(t->trial.part->delegate);
}

/* What all takes together: ns[0] as picked so far, ns[1] as `m` has it; 0 where the device takes no such picks. */
static enum status time_whole(struct tuner *t, struct gl_made *m, double ns[2], struct err *err)
{
    const struct gl_pick *picks = t->out->picks;
    const uint32_t n = t->trial.g->n_nodes;
    const bool is_base = !memcmp(picks, t->before, n * sizeof *picks);
    struct gl_made other = {0};
    enum status st = ST_OK;

    ns[0] = ns[1] = 0;
    if (!is_base && !(st = make(t, picks_or_none(picks, n), &other, &t->cost, err)) && other.x)
        st = warm(t, &other, &t->cost, err);
    if (!st && (is_base || other.x))
        st = gl_trial_whole(&t->trial, (struct gl_executable *const[]){is_base ? t->base.x : other.x, m->x}, 2,
                            t->fast || is_stopped(t) ? FAST_JUDGES : JUDGES, ns, err);
    gl_made_free(&other);
    return st;
}

/* What moves inputs and outputs counts, too. */
static enum status try_objects(struct tuner *t, struct gl_made *m, struct err *err)
{
    double ns[2];
    enum status st = time_whole(t, m, ns, err);

    if (!st && tune_is_less(ns[1], ns[0]))
        take(t);
    return st;
}

static bool tries_something(const struct tuner *t)
{
    return memchr(t->tried, true, t->n * sizeof *t->tried);
}

/* Takes of t->wanted what is faster. */
static enum status try_it(struct tuner *t, enum way way, struct err *err)
{
    struct gl_made m;
    enum status st = make(t, t->wanted, &m, &t->cost, err);

    if (!st && m.x && m.apart == t->base.apart) /* else other operations would be timed */
        st = tune_look(t, m.x, err);
    else
        memset(t->tried, false, t->n * sizeof *t->tried);
    if (!st && tries_something(t) && !(st = warm(t, &m, &t->cost, err))) {
        if (way >= WAY_OBJECTS)
            st = try_objects(t, &m, err);
        else if (!(st = tune_time(t, m.x, err)))
            take_better(t);
    }
    gl_made_free(&m);
    t->out->trials++;
    return t->trial.set->run.context->stuck ? st : ST_OK; /* what has no room on the device, say, is no pick */
}

/* ---- objects of each unit by itself ---- */

/* Two worlds, one of `value` and one as set, show what each unit takes in either. */
static enum status want_mixed(struct tuner *t, uint32_t value, struct err *err)
{
    struct gl_made m[2] = {0};
    enum status st = ST_OK;

    for (uint32_t world = 0; world < 2 && !st; world++) {
        for (uint32_t i = 0; i < t->trial.g->n_nodes; i++)
            t->wanted[i].objects = world ? (uint8_t)value : GL_OBJECTS_AS_SET;
        if (!(st = make(t, t->wanted, &m[world], &t->cost, err)) && m[world].x && !(st = warm(t, &m[world], &t->cost, err)))
            st = tune_make_room(t, m[world].x, err);
    }
    if (!st && m[0].x && m[1].x)
        st = tune_compare(t, (struct gl_executable *const[]){m[0].x, m[1].x}, value, err);
    else
        memset(t->tried, false, t->n * sizeof *t->tried);
    gl_made_free(&m[0]);
    gl_made_free(&m[1]);
    t->out->trials += 2;
    return t->trial.set->run.context->stuck ? st : ST_OK;
}

/* ---- what is tried next ---- */

static double fixed_ns(const struct tuner *t)
{
    const struct cost *c = t->cost.trials ? &t->cost : &t->untuned;

    return c->fixed_ns / c->trials;
}

/* What compiling a program may take: the most that trials showed, in this start or the last one; else as it seems of what is
 * compiled untuned, which a driver's cache may have. */
static double program_ns(const struct tuner *t)
{
    const bool is_late = t->trial.set->run.context->limits.policy.dynamic_compile && !t->trial.set->trial_ns;
    double ns = t->untuned.program_ns;

    if (t->cost.programs || t->state->program_ns)
        ns = t->cost.programs ? t->cost.program_ns : (double)t->state->program_ns;
    return is_late && ns < LATE_NS ? LATE_NS : ns;
}

/* What a trial of the unit takes, as it seems: all but programs, and one of these, a first run, batches, and those of the best so
 * far where that was only guessed. */
static double price(const struct tuner *t, uint32_t unit)
{
    const double ns = gl_trial_rounds(&t->trial, tune_list_of(t, t->base.x, unit)) * tune_ns_of_unit(t, t->best, unit);

    return fixed_ns(t) + program_ns(t) + t->inference_ns + ns * (t->sure[unit] ? 1 : 2);
}

enum fitting { FITS, NOT_NOW, NEVER }; /* nor would it at the next start, as all of the time is there yet */

static enum fitting fits(struct tuner *t, double ns)
{
    if (!t->deadline || (double)gl_trial_clock(&t->trial) + ns <= (double)t->deadline)
        return FITS;
    if (t->out->trials)
        return NOT_NOW;
    if (!t->passed || ns < (double)t->out->trial_ns)
        t->out->trial_ns = (uint64_t)ns;
    t->passed = true;
    return NEVER;
}

/* The one that takes most of those that are worth it; n: there is none. */
static uint32_t next_unit(const struct tuner *t, enum way way)
{
    double most = t->fast ? WORTH_TRYING * t->all_ns : 0;
    uint32_t next = t->n;

    for (uint32_t i = 0; i < t->trial.g->n_nodes; i++)
        if (tune_unit_of(t, i) == i && !t->done[i] && !t->tried[i] && tune_concerns(t, way, i) &&
            tune_ns_of_unit(t, t->best, i) > most) {
            most = tune_ns_of_unit(t, t->best, i);
            next = i;
        }
    return next;
}

/* Units to be tried together: all; FAST: one, as what compiling takes may be foretold wrongly. False: there is no time for the
 * next.
 */
static bool want_units(struct tuner *t, enum way way)
{
    uint32_t unit;

    while ((unit = next_unit(t, way)) < t->n) {
        if (!tune_is_at_limit(t, unit)) {
            enum fitting f = fits(t, price(t, unit));

            if (f == NOT_NOW)
                return false;
            t->tried[unit] = f == FITS;
        }
        t->done[unit] = true;
        if (t->fast && t->tried[unit])
            break;
    }
    return true;
}

/* Of objects all, since who writes a value and who reads it must agree, and so do inputs and outputs. */
static bool want_all(struct tuner *t, enum way way)
{
    const uint32_t makes = way == WAY_MIXED ? 4 : 2, runs = makes + 2 * FAST_JUDGES + (way == WAY_MIXED ? 2 * TUNE_TURNS : 0);
    const double ns = makes * fixed_ns(t) + program_ns(t) * t->base.x->programs.n + runs * t->inference_ns;
    const bool known = !t->fast || t->cost.programs || t->state->program_ns; /* else so many may take very long */
    const enum fitting f = t->done[0] || !known ? NEVER : fits(t, ns);

    if (f != FITS)
        return f == NEVER;
    memset(t->tried, true, t->n * sizeof *t->tried);
    t->done[0] = true;
    return true;
}

/* *left: there was no time for all, or it was stopped. */
static enum status try_value(struct tuner *t, enum way way, uint32_t value, bool *left, struct err *err)
{
    enum status st = ST_OK;
    bool any = true;

    while (!st && any && !*left) {
        memset(t->tried, false, t->n * sizeof *t->tried);
        tune_spread(t, t->done);
        *left = is_stopped(t) || !(way >= WAY_OBJECTS ? want_all(t, way) : want_units(t, way));
        tune_spread(t, t->tried);
        for (uint32_t i = 0; i < t->trial.g->n_nodes; i++) {
            t->wanted[i] = t->out->picks[i];
            if (t->tried[i])
                tune_set_way(&t->wanted[i], way, value);
        }
        if (way == WAY_MIXED && tries_something(t))
            st = want_mixed(t, value, err);
        if (!st && (any = tries_something(t)))
            st = try_it(t, way, err);
    }
    return st;
}

static enum status try_ways(struct tuner *t, bool *left, struct err *err)
{
    enum status st = ST_OK;

    for (; t->state->way < WAYS; t->state->way++, t->state->value = 1)
        for (; t->state->value < tune_count_of(t, (enum way)t->state->way); t->state->value++) {
            if (tune_is_there(t, (enum way)t->state->way, t->state->value))
                st = try_value(t, (enum way)t->state->way, t->state->value, left, err);
            if (st || *left)
                return st;
            memset(t->done, false, t->n * sizeof *t->done);
        }
    return ST_OK;
}

/* What nodes gain each by itself may be lost where they run one after the other, or was noise: then it is as it was. */
static enum status judge_picks(struct tuner *t, struct err *err)
{
    const size_t bytes = t->trial.g->n_nodes * sizeof *t->before;
    double ns[2] = {0};
    enum status st;

    if (!memcmp(t->out->picks, t->before, bytes))
        return ST_OK;
    st = time_whole(t, &t->base, ns, err);
    if (st || !(ns[0] > 0 && ns[0] < ns[1]))
        memcpy(t->out->picks, t->before, bytes);
    return t->trial.set->run.context->stuck ? st : ST_OK;
}

/* ---- all of them ---- */

/* How long fast tuning may go on. */
static enum status set_deadline(struct tuner *t, struct err *err)
{
    enum status st = gl_trial_whole(&t->trial, &t->base.x, 1, FAST_RUNS, &t->inference_ns, err);
    const double bound = FAST_INFERENCES * t->inference_ns, judging = fixed_ns(t) + (2 * FAST_JUDGES + 1) * t->inference_ns;

    t->out->bound_ns = (uint64_t)bound;
    t->deadline = t->start + (uint64_t)(bound > judging ? bound - judging : 0) + 1;
    return st;
}

/* What the device does at best, if that costs little. */
static enum status ask_device(struct tuner *t, struct err *err)
{
    const struct gl_settings *set = t->trial.set;
    struct err why;
    enum status st;

    if (set->recipe.precision.half) /* which the device may do faster than what is probed */
        return ST_OK;
    if (set->trial_ns || (t->fast && PROBE_NS > PROBE_SHARE * (double)t->out->bound_ns)) {
        t->peak = set->trial_peak ? *set->trial_peak : t->peak;
        return ST_OK;
    }
    if ((st = gl_probe(set->run.context, &set->run.wait, GL_FP16_NONE, &t->peak, &why)))
        t->peak = (struct device_peak){0};
    return set->run.context->stuck ? err_set(err, st, "%s", why.msg) : ST_OK;
}

static void say_what_comes(const struct tuner *t)
{
    uint32_t trials = 0;
    double ns;

    for (int way = 0; way < WAYS; way++)
        for (uint32_t value = 1; value < tune_count_of(t, (enum way)way); value++)
            trials += (way == WAY_MIXED ? 3 : 1) * tune_is_there(t, (enum way)way, value);
    ns = trials * (fixed_ns(t) + program_ns(t) * t->base.x->programs.n + MOST_DISPATCHES * t->all_ns);
    delegate_tell(t->trial.part->delegate, "Tuning: up to %u trials of up to %u programs, which may take %.0f s", trials,
                  t->base.x->programs.n, ns / 1e9 + 1);
}

/* Looks at what there is before anything is tried. */
static enum status begin(struct tuner *t, struct err *err)
{
    enum status st = t->fast ? set_deadline(t, err) : ST_OK;

    memset(t->tried, true, t->n * sizeof *t->tried);
    tune_join_alike(t, t->base.x);
    if (st || (st = tune_look(t, t->base.x, err)))
        return st;
    memcpy(t->best, t->now, t->n * sizeof *t->best);
    if ((st = tune_time_base(t, err)) || (st = ask_device(t, err)))
        return st;
    for (uint32_t i = 0; i < t->n; i++)
        t->all_ns += t->best[i].ns;
    if (!t->fast)
        say_what_comes(t);
    return ST_OK;
}

static enum status try_all(struct tuner *t, struct err *err)
{
    const uint32_t way = t->state->way, value = t->state->value;
    bool left = false;
    enum status st = make(t, picks_or_none(t->before, t->trial.g->n_nodes), &t->base, &t->untuned, err);

    if (st || !t->base.x || (st = warm(t, &t->base, &t->untuned, err)))
        return st;
    t->start = gl_trial_clock(&t->trial);
    if (!(st = begin(t, err)) && !(st = try_ways(t, &left, err)))
        st = judge_picks(t, err);
    t->out->beyond_ns = gl_trial_clock(&t->trial) - t->start;
    t->out->program_ns = (uint64_t)program_ns(t);
    t->state->program_ns = t->cost.programs ? (uint64_t)t->cost.program_ns : 0;
    t->state->idle = t->out->trials || !t->passed || is_stopped(t) ? 0 : t->state->idle + 1;
    if (t->state->idle == 1) { /* another start may find in the driver's cache what this one would have to compile */
        left = true;
        t->state->way = way;
        t->state->value = value;
        gl_tuning_take(t->state, t->wanted, t->done);
    }
    t->state->is_cut = left;
    return st;
}

enum status gl_tune(const struct gl_settings *set, const struct graph *g, const struct partition *part, struct gl_tuned *out,
                    struct err *err)
{
    const uint64_t start = clock_ns();
    struct tuner t = {
        .trial = {.set = set, .g = g, .part = part}, .n = g->n_nodes + 1, .out = out, .fast = set->tuning == GPU_TUNING_FAST};
    enum status st;

    *out = (struct gl_tuned){.picks = calloc(t.n, sizeof *out->picks), .tuning = gl_restore_tuning(set->stored, g, part)};
    if (!out->tuning)
        out->tuning = gl_tuning_new(g->n_nodes);
    t.state = out->tuning;
    if ((st = tune_alloc(&t) && out->picks && t.state ? ST_OK : ir_nomem(err)))
        goto done;
    t.state->value += !t.state->value;
    gl_tuning_take(t.state, out->picks, t.done);
    memcpy(t.before, out->picks, g->n_nodes * sizeof *t.before);
    if (t.state->way < WAYS)
        st = try_all(&t, err);
    for (uint32_t i = 0; i < g->n_nodes; i++)
        out->nodes += !gl_pick_is_none(&out->picks[i]);
    t.state->nodes = out->nodes;
    tune_spread(&t, t.done);
    gl_tuning_note(t.state, out->picks, t.done);
done:
    out->ns = clock_ns() - start;
    tune_fini(&t);
    return st;
}

void gl_tuned_free(struct gl_context *c, struct gl_tuned *t)
{
    for (uint32_t i = 0; i < t->n_programs; i++)
        gl_programs_release(&c->programs, &t->programs[i]);
    free(t->programs);
    free(t->picks);
    free(t->tuning);
    *t = (struct gl_tuned){0};
}
