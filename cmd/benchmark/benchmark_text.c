/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_text.c - the results as TFLite's benchmark_model prints them: scripts look for these lines. */
#include <math.h>

#include "cmd/benchmark/benchmark.h"
#include "cmd/benchmark/memory_text.h"
#include "cmd/benchmark/summary_text.h"
#include "cmd/host/environment.h"
#include "cmd/host/say.h"
#include "lib/delegate/assignment.h"

void benchmark_say_loop(const struct loop_limits *l)
{
    say_info("Running benchmark for at least %d iterations and at least %g seconds but terminate if exceeding %g seconds.",
             l->min_runs, l->min_secs, l->max_secs);
}

void benchmark_say_phase(const struct stats *us)
{
    char line[320];

    say_info("%s\n", stats_line(us, true, line, sizeof line));
}

void benchmark_say_async(const struct benchmark *b)
{
    const struct async_runs *u = &b->async;
    const struct delegate *d = b->tool.delegates.opened;
    char runs[SAY_COUNT_SIZE], waits[SAY_COUNT_SIZE];

    say_info("Submitted %s, %s; all were done after %.6gus: throughput, no latency\n", say_count(u->runs, "run", runs),
             async_outputs(u), u->total_us);
    if (u->waits)
        say_warn("each run waits for %s all the same, as the CPU goes on with what %s makes",
                 say_count(u->waits, "partition", waits), u->waits == 1 ? "it" : "each of them");
    else if (!session_submits(b->session))
        say_warn("nothing is left to be waited for at the end of a run: %s runs one after the other", d->type->label);
}

void benchmark_say_dynamic(const struct benchmark *b)
{
    const struct session_dynamic *l = &b->dynamic;
    char nodes[SAY_COUNT_SIZE], parts[SAY_COUNT_SIZE], sets[SAY_COUNT_SIZE], names[64];

    if (l->groups)
        say_info(
            "%s on the CPU had shapes that are known only while running: the %s ran %u of them all the same, in %s, planned for %s "
            "of shapes\n",
            say_count(l->nodes, "node", nodes), delegates_label(b->tool.delegates.all, names), l->delegated,
            say_count(l->partitions, "partition", parts), say_count(l->plans, "set", sets));
}

void benchmark_say_called(const struct benchmark *b)
{
    const struct session_called *c = &b->called;
    char nodes[SAY_COUNT_SIZE], graphs[SAY_COUNT_SIZE], parts[SAY_COUNT_SIZE], names[64];
    char not_run[64] = "";

    if (c->not_run)
        snprintf(not_run, sizeof not_run, "; %s not run", say_count(c->not_run, "subgraph", graphs));
    if (c->subgraphs && b->tool.delegates.opened)
        say_info("Called subgraphs: %u of %s of %s on the %s, in %s%s%s", c->delegated, say_count(c->nodes, "node", nodes),
                 say_count(c->subgraphs, "subgraph", graphs), delegates_label(b->tool.delegates.all, names),
                 say_count(c->partitions, "partition", parts), not_run,
                 c->ahead ? "; what loops' conditions count the CPU finds ahead, so that no round waits" : "");
}

static void warn_of_loops(const struct benchmark *b)
{
    const struct delegate *d = b->tool.delegates.opened;
    const uint32_t on_cpu = d ? assignment_of(session_graph(b->session), session_partitioning(b->session)).n_cpu : 0;
    char nodes[SAY_COUNT_SIZE];

    if (on_cpu && d->loops > 1)
        say_warn("%s on the CPU run once where the %s computes %u inferences, and their time is divided too: figures are too small",
                 say_count(on_cpu, "node", nodes), d->type->label, d->loops);
}

void benchmark_say_warmup_end(const struct benchmark *b)
{
    static const char *const why[] = {[LOOP_MINIMA] = "the least that was asked for",
                                      [LOOP_STEADY] = "run times are steady within 5 %",
                                      [LOOP_UNSTEADY] = "its time is over (--warmup_max_secs), and run times are not steady yet",
                                      [LOOP_MAX_SECS] = "its time is over (--max_secs)",
                                      [LOOP_STOPPED] = "interrupted"};
    char runs[SAY_COUNT_SIZE];

    say_info("Warm-up ended after %s and %.3g s: %s", say_count(b->times.warmup.n, "run", runs), b->warmup_result.secs,
             why[b->warmup_result.end]);
}

/* Says when the average of the timed runs should not be trusted. */
static void warn_doubts(const struct bench_figures *f)
{
    const struct stats *s = &f->timed;

    if (f->scattered)
        say_warn("the run times scatter by %.0f%% of their mean (%zu outliers in %zu): is something else running? median=%.6g "
                 "is steadier than avg=%g",
                 100 * s->cv, s->outliers, s->count, s->median, s->avg);
    if (f->drifted)
        say_warn("the last quarter of the runs is %.0f%% %s than the first: %s", 100 * fabs(s->drift),
                 s->drift > 0 ? "slower" : "faster",
                 s->drift > 0 ? "the machine may be throttling" : "more warm-up runs would help");
}

static void warn_of_machine(const struct benchmark *b)
{
    char advice[MACHINE_MAX_ADVICE][MACHINE_ADVICE_SIZE];
    size_t n = machine_advice(&b->machine_start, &b->machine_end, environment_read().cores, advice);

    for (size_t i = 0; i < n; i++)
        say_warn("%s", advice[i]);
}

static void say_sustained(const struct sustained *s)
{
    char interval[64] = "";

    if (!s->n_first)
        return;
    if (!isnan(s->ratio.interval.low))
        snprintf(interval, sizeof interval, "95 %% interval %.3g to %.3g, ", s->ratio.interval.low, s->ratio.interval.high);
    say_info("Sustained: first %.3g s median=%.6gus, last median=%.6gus: %.3g times (%sp = %.2g)", s->window_secs, s->first_us,
             s->last_us, s->ratio.ratio, interval, s->test.p);
}

/* Nothing where the delegate does not count it. */
static void say_submission(const struct benchmark *b)
{
    const struct stats *submitted = &b->submission_stats, *all = &b->figures.timed;

    if (submitted->count)
        say_info("Submission median=%.6gus of %.6gus a run", submitted->median, all->avg);
}

static void say_plausible(const struct plausible *p, const struct op_profile *profile)
{
    const double percent = op_profile_delegate_percent(profile);

    char halves[48] = "";

    if (p->peak.half_gflops > 0)
        snprintf(halves, sizeof halves, ", %.4g in 16-bit floats", p->peak.half_gflops);
    if (p->peak.gflops > 0)
        say_info("Delegate: %.4g GFLOP/s over whole runs; a probe of the device: %.4g GFLOP/s%s, %.4g GB/s copied, %.4g GB/s read",
                 p->gflops, p->peak.gflops, halves, p->peak.gbytes, p->peak.read_gbytes);
    if (isfinite(percent))
        say_info("Delegate: what its operators ask for takes a device of these figures %.3g %% of the profiled time", percent);
    if (p->beyond)
        say_warn("%.4g GFLOP/s are more than the device can do: the runs cannot have been finished when their clock stopped",
                 p->gflops);
}

static enum status write_profile(const struct benchmark *b, struct err *err)
{
    const struct profile_result result = {.model = b->flags.graph,
                                          .session = b->session,
                                          .times = &b->times,
                                          .timed_us = b->times.timed.n ? b->figures.timed.avg : NAN,
                                          .run = &b->profile};

    return b->profile.runs ? profile_write(&b->flags.profile, &result, err) : ST_OK;
}

enum status benchmark_say_results(const struct benchmark *b, struct err *err)
{
    const struct bench_figures *f = &b->figures;
    char warmup[STATS_AVG_SIZE], timed[STATS_AVG_SIZE];
    enum status wrote, said;

    /* TFLite has whole numbers for the first two, and 0 where there was no run. */
    say_info("Inference timings in us: Init: %.0f, First inference: %.0f, Warmup (avg): %s, Inference (avg): %s", f->init_us,
             isnan(f->first_us) ? 0 : f->first_us, stats_avg(f->warmup.avg, warmup), stats_avg(f->timed.avg, timed));
    memory_say(b);
    say_sustained(&b->sustained);
    say_submission(b);
    warn_of_loops(b);
    say_plausible(&b->plausible, &b->profile);
    warn_doubts(f);
    warn_of_machine(b);
    wrote = write_profile(b, err);
    said = summary_say(b, wrote ? NULL : err); /* also where a file could not be written */
    return wrote ? wrote : said;
}
