/* SPDX-License-Identifier: Apache-2.0 */
/* measure_results.c - how it was measured, what was measured beside the timed runs, and what speaks against the figures. */
#include "cmd/benchmark/benchmark_results.h"

#include <math.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/tool/page_parts.h"
#include "cmd/tool/report_parts.h"
#include "lib/base/clock.h"

static void put_phase(struct report *r, struct json *in, const char *key, const struct loop_result *result)
{
    static const char *const ends[] = {
        [LOOP_MINIMA] = "minima", [LOOP_STEADY] = "steady", [LOOP_UNSTEADY] = "unsteady",  [LOOP_MAX_SECS] = "max_secs",
        [LOOP_NARROW] = "narrow", [LOOP_WIDE] = "wide",     [LOOP_STOPPED] = "interrupted"};
    struct json *o = json_object(r, in, key);

    json_string(r, o, "end", ends[result->end]);
    json_number(r, o, "seconds", result->secs);
}

static void put_percentiles(struct report *r, struct json *in, const struct benchmark *b)
{
    struct json *list = json_array(r, in, "percentiles");

    for (uint32_t i = 0; i < b->n_percent; i++) {
        struct json *o = json_object(r, list, NULL);

        JSON_NUMBERS(r, o, {"percent", b->percent[i]}, {"us", b->percentile_us[i]});
    }
}

void measure_put_ratio(struct report *r, struct json *in, const char *key, const struct median_ratio *ratio,
                       const struct mann_whitney *test)
{
    struct json *o = json_object(r, in, key);

    JSON_NUMBERS(r, o, {"ratio", ratio->ratio}, {"low", ratio->interval.low}, {"high", ratio->interval.high}, {"p", test->p});
}

/* "95 % interval 1.8 to 2.1, p = 0.01", without the interval where there is none. */
static const char *doubt(const struct median_ratio *ratio, const struct mann_whitney *test, char out[PAGE_VALUE_SIZE])
{
    int n = 0;

    if (!isnan(ratio->interval.low))
        n = snprintf(out, PAGE_VALUE_SIZE, "95 %% interval %.3g to %.3g, ", ratio->interval.low, ratio->interval.high);
    snprintf(out + n, PAGE_VALUE_SIZE - (size_t)n, "p = %.2g", test->p);
    return out;
}

const char *measure_sustained(const struct sustained *s, char out[SUSTAINED_SIZE])
{
    static const char *const verdicts[] = {[SUSTAINED_UNKNOWN] = "undecided",
                                           [SUSTAINED_SAME] = "no change",
                                           [SUSTAINED_SLOWER] = "slower",
                                           [SUSTAINED_FASTER] = "faster"};
    const struct interval *in = &s->ratio.interval;

    if (isnan(in->low))
        snprintf(out, SUSTAINED_SIZE, "too few runs for an interval: undecided");
    else
        snprintf(out, SUSTAINED_SIZE, "(95 %%: %.3f to %.3f): %s", in->low, in->high, verdicts[s->verdict]);
    return out;
}

static void add_sustained(struct results *results, struct json *in, const struct sustained *s)
{
    struct result_section *to = results->parts[BENCH_SUSTAINED];
    struct report *r = results->report;
    static const char *const verdicts[] = {"undecided", "no_change", "slower", "faster"};
    char name[PAGE_VALUE_SIZE], value[PAGE_VALUE_SIZE], doubts[SUSTAINED_SIZE], runs[SAY_COUNT_SIZE];
    struct json *o;

    if (!json_given(r, in, "sustained", s->n_first))
        return;
    measure_sustained(s, doubts);
    result_line(to, RESULT_LOG,
                "Sustained: first %.3g s median=%.6gus, last median=%.6gus: %.3f times as long %s; a change is %g %% or more",
                s->window_secs, s->first_us, s->last_us, s->ratio.ratio, doubts, 100 * SUSTAINED_LEAST);
    snprintf(name, sizeof name, "First %.3g s", s->window_secs);
    result_figure(to, name, say_count(s->n_first, "run", runs), "%s", page_ms(s->first_us, value));
    snprintf(name, sizeof name, "Last %.3g s", s->window_secs);
    result_figure(to, name, say_count(s->n_last, "run", runs), "%s", page_ms(s->last_us, value));
    result_figure(to, "Last over first", doubts, "%.3f times as long", s->ratio.ratio);
    result_line(to, RESULT_NOTE, "Medians; above 1, it became slower. A change is %g %% or more. The chart of all runs shows when.",
                100 * SUSTAINED_LEAST);
    o = json_object(r, in, "sustained");
    JSON_NUMBERS(r, o, {"window_seconds", s->window_secs}, {"first_count", (double)s->n_first}, {"last_count", (double)s->n_last},
                 {"first_us", s->first_us}, {"last_us", s->last_us});
    measure_put_ratio(r, o, "last_over_first", &s->ratio, &s->test);
    json_string(r, o, "verdict", verdicts[s->verdict]);
}

static void add_versus_cpu(struct results *results, struct json *in, const struct benchmark *b)
{
    struct result_section *to = results->parts[BENCH_VERSUS_CPU];
    const struct cpu_comparison *c = &b->versus_cpu;
    struct report *r = results->report;
    char cpu[SUMMARY_MS_SIZE], delegate[SUMMARY_MS_SIZE], value[PAGE_VALUE_SIZE], runs[SAY_COUNT_SIZE];
    struct json *o;

    if (!json_given(r, in, "compare_cpu", c->made))
        return;
    o = json_object(r, in, "compare_cpu");
    report_stats(r, o, "delegate_us", &c->delegate_stats, c->delegate.us);
    report_stats(r, o, "cpu_us", &c->cpu_stats, c->cpu.us);
    measure_put_ratio(r, o, "speedup", &c->speedup, &c->test);
    if (isnan(c->speedup.ratio))
        return;
    say_count(c->cpu.n, "run", runs);
    result_line(to, RESULT_LOG, "Speed-up: %.3g times the CPU", c->speedup.ratio);
    if (!isnan(c->speedup.interval.low))
        result_more(to, " (95 %% interval %.3g to %.3g)", c->speedup.interval.low, c->speedup.interval.high);
    result_more(to, ": %s ms against %s ms, %s each in turns, p = %.2g", summary_ms(c->delegate_stats.median, delegate),
                summary_ms(c->cpu_stats.median, cpu), runs, c->test.p);
    result_figure(to, "Speed-up", doubt(&c->speedup, &c->test, value), "%.3g times", c->speedup.ratio);
    result_figure(to, b->tool.delegates.opened->type->label, "median of these runs", "%s",
                  page_ms(c->delegate_stats.median, value));
    result_figure(to, "CPU", "median of these runs", "%s", page_ms(c->cpu_stats.median, value));
    result_line(to, RESULT_NOTE, "%s of each in turns, after the timed runs, on equal inputs. Above 1, the delegate is faster.",
                runs);
}

/* Nothing where the delegate does not count it. */
static void add_submission(struct results *r, struct json *in, const struct benchmark *b)
{
    const struct stats *submitted = &b->submission_stats, *all = &b->figures.timed;
    struct result_section *to = r->parts[BENCH_SUBMISSION];
    char value[PAGE_VALUE_SIZE];

    if (!json_given(r->report, in, "submission_us", submitted->count))
        return;
    report_stats(r->report, in, "submission_us", submitted, b->submission.us);
    result_line(to, RESULT_LOG, "Submission median=%.6gus of %.6gus a run", submitted->median, all->avg);
    result_figure(to, "Submitted after", "median", "%s", page_ms(submitted->median, value));
    result_figure(to, "All done after", async_outputs(&b->async), "%s", page_ms(b->async.total_us, value));
    result_figure(to, "A run", "of that, by their number: throughput, no latency", "%s", page_ms(all->avg, value));
}

static void put_async(struct report *r, struct json *in, const struct benchmark *b)
{
    struct json *o;

    json_number(r, in, "inferences_per_run", session_inferences(b->session));
    if (!json_given(r, in, "unwaited", b->async.runs))
        return;
    o = json_object(r, in, "unwaited");
    JSON_NUMBERS(r, o, {"runs", (double)b->async.runs}, {"total_us", b->async.total_us}, {"waits_per_run", b->async.waits});
    json_string(r, o, "outputs_read", b->async.ahead == UINT32_MAX ? "never" : b->async.ahead ? "during_next" : "before_next");
}

static void add_speed(struct result_section *to, const struct plausible *p)
{
    result_line(to, RESULT_LOG, "Delegate: %.4g GFLOP/s over whole runs; a probe of the device: %.4g GFLOP/s", p->gflops,
                p->peak.gflops);
    if (p->peak.half_gflops > 0)
        result_more(to, ", %.4g in 16-bit floats", p->peak.half_gflops);
    result_more(to, ", %.4g GB/s copied, %.4g GB/s read", p->peak.gbytes, p->peak.read_gbytes);
    result_figure(to, "Delegate", "two operations a multiply-accumulate, over whole runs", "%.4g GFLOP/s", p->gflops);
    result_figure(to, "Probe", "what a shader of nothing else reaches", "%.4g GFLOP/s", p->peak.gflops);
    if (p->peak.half_gflops > 0)
        result_figure(to, "Probe", "the same in 16-bit floats", "%.4g GFLOP/s", p->peak.half_gflops);
}

static void add_plausible(struct results *results, struct json *in, const struct plausible *p, const struct op_profile *profile)
{
    struct result_section *to = results->parts[BENCH_PLAUSIBLE];
    const double percent = op_profile_delegate_percent(profile);
    struct report *r = results->report;
    struct json *o;

    if (p->peak.gflops > 0)
        add_speed(to, p);
    if (isfinite(percent))
        result_line(to, RESULT_LOG, "Delegate: at the probe's speeds its operators would take %.3g %% of their time in the profile",
                    percent);
    if (p->beyond) {
        result_line(to, RESULT_ALERT,
                    "%.4g GFLOP/s are more than the device can do: the runs cannot have been finished when their clock stopped",
                    p->gflops);
        result_line(to, RESULT_CAUTION,
                    "That is more than the device can do: the runs cannot have been finished when their clock stopped.");
    }
    if (!json_given(r, in, "plausible", p->peak.gflops > 0))
        return;
    o = json_object(r, in, "plausible");
    JSON_NUMBERS(r, o, {"gflops", p->gflops}, {"peak_gflops", p->peak.gflops},
                 {"peak_half_gflops", p->peak.half_gflops > 0 ? p->peak.half_gflops : NAN}, {"peak_gbytes_per_s", p->peak.gbytes},
                 {"peak_read_gbytes_per_s", p->peak.read_gbytes}, {"limit_percent", percent});
    json_bool(r, o, "beyond", p->beyond);
}

/* When the average of the timed runs should not be trusted. */
static void add_doubts(struct result_section *to, const struct benchmark *b)
{
    const struct bench_figures *f = &b->figures;
    const struct delegate *d = b->tool.delegates.opened;
    const struct stats *s = &f->timed;

    if (d && d->software)
        result_line(to, RESULT_CAUTION, "%s is software: the CPU does its work, so these times say nothing of a GPU.", d->device);
    if (f->scattered) {
        result_line(
            to, RESULT_ALERT,
            "the run times scatter by %.0f%% of their mean (%zu outliers in %zu): is something else running? median=%.6g is "
            "steadier than avg=%g",
            100 * s->cv, s->outliers, s->count, s->median, s->avg);
        result_line(to, RESULT_CAUTION,
                    "The run times scatter by %.0f %% of their mean, %zu of %zu are outliers: is something else running?",
                    100 * s->cv, s->outliers, s->count);
    }
    if (b->timed_result.end == LOOP_WIDE)
        result_line(to, RESULT_WARNING, "the interval of the median was not yet within %g %% (--stop_at) when --max_secs was over",
                    100 * b->stop_at);
    if (f->drifted) {
        const char *how = s->drift > 0 ? "slower" : "faster";

        result_line(to, RESULT_ALERT, "the last quarter of the runs is %.0f%% %s than the first: %s", 100 * fabs(s->drift), how,
                    s->drift > 0 ? "the machine may be throttling" : "more warm-up runs would help");
        result_line(to, RESULT_CAUTION, "The last quarter of the runs is %.0f %% %s than the first.", 100 * fabs(s->drift), how);
    }
}

void measure_results(struct results *results, const struct benchmark *b)
{
    struct report *r = results->report;
    struct json *o = json_object(r, report_root(r), "measurement");

    json_number(r, o, "elapsed_seconds", (double)(clock_ns() - b->start_ns) / 1e9);
    put_phase(r, o, "warmup", &b->warmup_result);
    put_phase(r, o, "inference", &b->timed_result);
    put_percentiles(r, o, b);
    json_number(r, o, "inferences_per_second", b->figures.per_sec);
    json_bool(r, o, "scattered", b->figures.scattered);
    json_bool(r, o, "drifted", b->figures.drifted);
    add_doubts(results->parts[BENCH_DOUBTS], b);
    machine_results(results, o, b);
    if (interrupted())
        result_line(results->parts[BENCH_DOUBTS], RESULT_CAUTION, "Interrupted: the figures cover the runs until then.");
    add_sustained(results, o, &b->sustained);
    add_versus_cpu(results, o, b);
    add_submission(results, o, b);
    put_async(r, o, b);
    add_plausible(results, o, &b->plausible, &b->profile);
}
