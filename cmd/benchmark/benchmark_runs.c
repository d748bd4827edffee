/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_runs.c - warm-up runs, timed runs, and what is looked at before and after them. */
#include "cmd/benchmark/benchmark.h"

#include <math.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/progress.h"
#include "lib/base/clock.h"
#include "lib/measure/session_runs.h"

/* What is done after each run, while no clock runs. */
struct between {
    struct progress progress;
    struct delegate *delegate;  /* whose submission is kept; NULL: nobody's */
    struct samples *submission; /* of the runs so far */
    uint32_t inferences;        /* session_inferences */
    bool silent;                /* progress is not shown, as the device goes on meanwhile */
    struct energy *energy;      /* read now and then, and */
    struct machine_track *track;
    enum status failed;
    struct err err;
};

static void after_run(void *arg, size_t runs, double secs)
{
    struct between *w = arg;

    energy_read(w->energy, false);
    machine_track_note(w->track);
    if (!w->silent)
        progress_show(&w->progress, runs, secs);
    if (!w->delegate || w->failed)
        return;
    w->failed = samples_add(w->submission, (double)w->delegate->submission.ns / 1e3 / w->inferences, &w->err);
    w->delegate->submission.ns = 0;
}

static uint32_t disturbed(void *watch)
{
    return disturbance_of_run(watch, interrupted);
}

static void begin_traffic(const struct benchmark *b)
{
    for (uint32_t i = 0; b->tool.delegates.all[i]; i++) {
        b->tool.delegates.all[i]->traffic = (struct delegate_traffic){0};
        if (b->tool.delegates.all[i]->library)
            b->tool.delegates.all[i]->library->times = (struct delegate_library_times){0};
    }
}

/* What a run takes at least; NAN where none was made. The first one may have compiled, so that it alone tells nothing. */
static enum status time_run(const struct benchmark *b, const struct loop_job *job, double *us, struct err *err)
{
    const struct stats *warmup = &b->figures.warmup;
    const uint64_t start = clock_ns();
    enum status st;

    *us = warmup->count ? warmup->min * job->inferences : NAN;
    if (warmup->count != 1)
        return ST_OK;
    if ((st = session_run(b->session, err)))
        return st;
    *us = fmin(*us, (double)(clock_ns() - start) / 1e3);
    begin_traffic(b);
    return ST_OK;
}

/* Timed runs that are handed over one behind the other make one sample. */
static enum status run_async(struct benchmark *b, struct loop_job *job, const struct loop_limits *limits, struct err *err)
{
    struct async_runs *u = &b->async;
    double run_us;
    enum status st = time_run(b, job, &run_us, err);

    st = st ? st : async_run(b->session, job, limits, run_us, u, &b->timed_result, err);
    if (st || !u->runs)
        return st;
    return samples_add(&b->times.timed, u->total_us / (double)u->runs / job->inferences, err);
}

static void end_traffic(struct benchmark *b)
{
    const size_t runs = b->async.runs ? b->async.runs : b->times.timed.n;
    struct delegate_traffic all = {0};

    for (uint32_t i = 0; b->tool.delegates.all[i]; i++) {
        all.written += b->tool.delegates.all[i]->traffic.written;
        all.read += b->tool.delegates.all[i]->traffic.read;
        all.waits += b->tool.delegates.all[i]->traffic.waits;
    }
    b->written_bytes = runs ? (double)all.written / (double)runs : NAN;
    b->read_bytes = runs ? (double)all.read / (double)runs : NAN;
    b->waits = runs ? (double)all.waits / (double)runs : NAN;
}

static enum status run_phase(struct benchmark *b, const char *what, const struct loop_limits *limits, struct samples *samples,
                             struct loop_result *result, struct err *err)
{
    const bool timed = samples == &b->times.timed;
    struct delegate *d = b->tool.delegates.opened;
    struct between between = {
        .progress = {.what = what, .min_runs = limits->min_runs, .min_secs = limits->min_secs, .max_secs = limits->max_secs},
        .delegate = d && d->submission.counted ? d : NULL,
        .submission = &b->submission,
        .inferences = session_inferences(b->session),
        .silent = d && d->submission.counted && timed,
        .energy = &b->energy,
        .track = &b->track};
    struct loop_job job = {.run = session_runs_once,
                           .arg = b->session,
                           .inferences = between.inferences,
                           .stop = interrupted,
                           .progress = after_run,
                           .progress_arg = &between,
                           .outside_ns = session_runs_outside_ns,
                           .disturbed = timed && b->measure.leave_out_disturbed ? disturbed : NULL,
                           .disturbed_arg = &b->disturbances,
                           .left_out = &b->times.left_out};
    enum status st;

    b->submission.n = 0; /* the timed runs alone are kept */

    benchmark_say_loop(limits);
    st = between.silent ? run_async(b, &job, limits, err) : bench_loop(&job, limits, samples, result, err);
    progress_end(&between.progress);
    if (!st && between.failed) {
        *err = between.err;
        return between.failed;
    }
    if (!st && (st = bench_figures(&b->times, &b->figures, err)))
        return st;
    if (!st && between.silent && !b->times.warmup.n)
        b->figures.first_us = NAN; /* nobody knows */
    if (!st)
        return ST_OK;
    if (inputs_random_integers(&b->inputs, b->session))
        say_warn("integer inputs hold random numbers; where they are indices, --input_layer_value_range bounds them");
    return st;
}

struct loop_limits benchmark_warmup_limits(const struct benchmark *b)
{
    const struct benchmark_flags *f = &b->flags;
    double most = b->measure.warmup_max_secs;

    if (f->dry_run)
        return (struct loop_limits){.max_secs = f->max_secs};
    return (struct loop_limits){.min_runs = f->warmup_runs,
                                .min_secs = f->warmup_min_secs,
                                .max_secs = f->max_secs,
                                .delay_secs = f->run_delay,
                                .runs_per_sec = f->run_frequency,
                                .steady_secs = most < 0 ? 4 * f->warmup_min_secs : most};
}

struct loop_limits benchmark_timed_limits(const struct benchmark *b)
{
    const struct benchmark_flags *f = &b->flags;
    struct loop_limits limits = {.min_runs = f->num_runs,
                                 .min_secs = f->min_secs,
                                 .max_secs = f->max_secs,
                                 .delay_secs = f->run_delay,
                                 .runs_per_sec = f->run_frequency,
                                 .narrow = b->stop_at};

    if (f->dry_run)
        return (struct loop_limits){.max_secs = f->max_secs};
    if (b->measure.sustained > limits.min_secs)
        limits.min_secs = b->measure.sustained;
    if (b->measure.sustained > limits.max_secs)
        limits.max_secs = b->measure.sustained;
    return limits;
}

static enum status after_runs(struct benchmark *b, struct err *err)
{
    const struct samples *timed = &b->times.timed;
    enum status st;

    b->machine_end = machine_now(b->measure.machine_root);
    energy_read(&b->energy, true);
    b->sampled_peak_bytes = memory_monitor_stop(b->monitor);
    b->monitor = NULL;
    b->at_end = memory_now();
    session_memory(b->session, &b->memory);
    session_facts(b->session, NULL, &b->facts);
    session_dynamic(b->session, &b->dynamic);
    session_called(b->session, &b->called);
    if ((st = stats_percentiles(timed->us, timed->n, b->percent, b->n_percent, b->percentile_us, err)) ||
        (st = stats_of(b->submission.us, b->submission.n, &b->submission_stats, err)))
        return st;
    if (profile_wanted(&b->flags.profile) && timed->n &&
        (st = plausible_of(b->session, b->tool.delegates.opened, b->figures.timed.median, &b->plausible, err)))
        return st;
    return b->measure.sustained > 0 ? sustained_of(timed->us, timed->n, &b->sustained, err) : ST_OK;
}

/* What would come between runs that are handed over one behind the other. */
static enum status check_async(const struct benchmark *b, const struct loop_limits *timed, struct err *err)
{
    const struct delegate *d = b->tool.delegates.opened;
    const char *flag = timed->runs_per_sec > 0 ? "run_frequency" : timed->delay_secs > 0 ? "run_delay" : NULL;

    if (b->measure.sustained > 0)
        flag = "sustained";
    if (b->measure.leave_out_disturbed)
        flag = "leave_out_disturbed";
    if (b->stop_at > 0)
        flag = "stop_at";
    if (!d || !d->submission.counted || !flag)
        return ST_OK;
    return err_set(err, ST_USAGE, "--%s needs the time of each run, and none is timed alone (--gpu_wait_type=none)", flag);
}

static enum status compare_cpu(struct benchmark *b, const struct loop_limits *warmup, const struct loop_limits *timed,
                               struct err *err)
{
    struct session *cpu = NULL;
    enum status st;

    if (!(st = benchmark_new_session(b, b->flags.cpu_kernels, NULL, &cpu, err)) && !(st = inputs_fill(&b->inputs, cpu, 0, err)))
        st = cpu_comparison_run(&b->versus_cpu, b->session, cpu, warmup, timed, err);
    session_free(cpu);
    return st;
}

static void watch_disturbances(struct benchmark *b)
{
    b->disturbances = disturbance_begin(b->measure.machine_root, b->measure.recover_secs);
    if (!disturbance_known(&b->disturbances))
        say_warn("this machine tells neither clocks nor throttling nor quotas, so no run will be left out");
}

enum status benchmark_run(struct benchmark *b, struct err *err)
{
    struct loop_limits warmup = benchmark_warmup_limits(b), timed = benchmark_timed_limits(b);
    enum status st;

    interrupt_catch();
    if (b->flags.profile.mode == PROFILE_TRACE) {
        b->times.warmup.begins = b->times.timed.begins = true;
        b->track.root = b->measure.machine_root;
    }
    machine_track_note(&b->track);
    if ((st = check_async(b, &timed, err)) || (st = run_phase(b, "warm-up", &warmup, &b->times.warmup, &b->warmup_result, err)))
        return st;
    benchmark_say_phase(&b->figures.warmup);
    if (!b->flags.dry_run)
        benchmark_say_warmup_end(b);
    b->machine_start = machine_now(b->measure.machine_root);
    if (b->measure.leave_out_disturbed)
        watch_disturbances(b);
    if (b->measure.energy)
        energy_begin(&b->energy, b->measure.machine_root);
    begin_traffic(b);
    if ((st = run_phase(b, "timed runs", &timed, &b->times.timed, &b->timed_result, err)))
        return st;
    end_traffic(b);
    if (b->async.runs)
        benchmark_say_async(b);
    else
        benchmark_say_phase(&b->figures.timed);
    delegates_say_runs(b->tool.delegates.opened);
    if ((st = after_runs(b, err)))
        return st;
    benchmark_say_dynamic(b);
    benchmark_say_called(b);
    if (b->measure.compare_cpu && !b->flags.dry_run && !interrupted())
        st = compare_cpu(b, &warmup, &timed, err);
    if (interrupted())
        say_warn("interrupted: the figures cover the runs up to then");
    return st;
}
