/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_results.c - the whole of a benchmark's results, and the order of their parts in text and on the page. */
#include "cmd/benchmark/benchmark_results.h"

#include <math.h>
#include <string.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/html_chart.h"
#include "cmd/tool/page_parts.h"
#include "cmd/tool/report_parts.h"
#include "lib/delegate/assignment.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const char *const headings[BENCH_PARTS] = {[BENCH_RUNS] = "Time of each run",
                                                  [BENCH_VERSUS_CPU] = "Against the CPU",
                                                  [BENCH_TOP] = "Largest outputs",
                                                  [BENCH_SUSTAINED] = "Sustained",
                                                  [BENCH_SUBMISSION] = "Submission and completion",
                                                  [BENCH_PLAUSIBLE] = "Speed of the device",
                                                  [BENCH_MEMORY] = "Memory",
                                                  [BENCH_WHERE] = "What ran where",
                                                  [BENCH_MODEL] = "Model",
                                                  [BENCH_ENVIRONMENT] = "Environment",
                                                  [BENCH_START] = "Where the time of the start goes",
                                                  [BENCH_RUN] = "Where the time of a profiled run goes",
                                                  [BENCH_OPERATORS] = "Operators"};

static const int in_text[] = {BENCH_TIMINGS, BENCH_MEMORY,    BENCH_SUSTAINED, BENCH_SUBMISSION,
                              BENCH_LOOPS,   BENCH_PLAUSIBLE, BENCH_DOUBTS};
static const int answer[] = {BENCH_VERSUS_CPU, BENCH_TOP, BENCH_SUMMARY}; /* last, behind the profile */
static const int on_page[] = {BENCH_HEADLINE,   BENCH_TOP,       BENCH_DOUBTS, BENCH_RUNS,     BENCH_VERSUS_CPU, BENCH_SUSTAINED,
                              BENCH_SUBMISSION, BENCH_PLAUSIBLE, BENCH_START,  BENCH_PROGRAMS, BENCH_RUN,        BENCH_SHARE,
                              BENCH_OPERATORS,  BENCH_WHERE,     BENCH_MEMORY, BENCH_MODEL,    BENCH_ENVIRONMENT};

/* ---- the page ---- */

/* The first one large, the others below it. */
static void add_percentiles(struct result_section *to, const struct benchmark *b)
{
    const struct stats *timed = &b->figures.timed;
    char name[PAGE_VALUE_SIZE], value[PAGE_VALUE_SIZE], low[PAGE_VALUE_SIZE], detail[512] = "";
    const double none = timed->count ? 0 : NAN;

    for (uint32_t i = 1; i < b->n_percent; i++) {
        size_t n = strlen(detail);

        snprintf(detail + n, sizeof detail - n, "%.15gth: %s; ", b->percent[i], page_ms(b->percentile_us[i], value));
    }
    snprintf(name, sizeof name, "least %s, most %s", page_in_ms(timed->min + none, low), page_ms(timed->max + none, value));
    strncat(detail, name, sizeof detail - strlen(detail) - 1);
    snprintf(name, sizeof name, "%.15gth percentile", b->percent[0]);
    result_figure(to, name, detail, "%s", page_ms(b->percentile_us[0], value));
}

static void add_headline(struct result_section *to, const struct benchmark *b)
{
    const struct stats *timed = &b->figures.timed;
    char value[PAGE_VALUE_SIZE], low[PAGE_VALUE_SIZE], high[PAGE_VALUE_SIZE], detail[4 * PAGE_VALUE_SIZE], runs[SAY_COUNT_SIZE];
    double none = timed->count ? 0 : NAN;

    snprintf(detail, sizeof detail, "95 %% interval %s to %s, %s", page_in_ms(timed->median_interval.low + none, low),
             page_ms(timed->median_interval.high + none, high), say_count(timed->count, "run", runs));
    result_figure(to, "Median time of a run", detail, "%s", page_ms(timed->median + none, value));
    add_percentiles(to, b);
    snprintf(value, sizeof value, timed->avg > 0 ? "%.4g" : "-", 1e6 / timed->avg);
    result_figure(to, "Runs per second", "of the average time", "%s", value);
    result_figure(to, "First run", "of all, warm-up included", "%s", page_ms(b->figures.first_us, value));
    result_figure(to, "Initialization", "until the first run can begin", "%s", page_ms(b->figures.init_us, value));
}

/* The chart draws it. */
static enum status draw_runs(struct html *h, const void *arg, struct err *err)
{
    const struct benchmark *b = arg;
    const struct samples *warmup = &b->times.warmup, *timed = &b->times.timed;
    const struct html_series series[] = {{"timed", timed->us, timed->n, warmup->n + 1}, {"warm-up", warmup->us, warmup->n, 1}};
    const struct html_axes over_time = {"run", "ms", 1e-3, timed->n ? b->figures.timed.median : NAN, "median of the timed runs"};
    const struct html_axes over_ms = {"ms", "runs", 1e-3, NAN, ""};

    html_lines(h, series, COUNT(series), &over_time);
    return html_histogram(h, timed->us, timed->n, &over_ms, err);
}

static void add_stats(struct result_table *t, const char *name, const struct stats *s)
{
    const double us[] = {s->first, s->last, s->min, s->max, s->avg, s->std, s->p5, s->median, s->p95, s->mad};
    char value[PAGE_VALUE_SIZE];

    result_text(t, "%s", name);
    result_number(t, (double)s->count);
    for (size_t i = 0; i < COUNT(us); i++)
        result_text(t, "%s", page_in_ms(s->count ? us[i] : NAN, value));
    result_number(t, (double)s->outliers);
}

static void add_runs(struct result_section *to, const struct benchmark *b)
{
    static const struct result_column columns[] = {
        {.heading = "in ms"},  {PAGE_NUMBER("runs")},    {PAGE_NUMBER("first")},     {PAGE_NUMBER("last")}, {PAGE_NUMBER("least")},
        {PAGE_NUMBER("most")}, {PAGE_NUMBER("average")}, {PAGE_NUMBER("deviation")}, {PAGE_NUMBER("p5")},   {PAGE_NUMBER("median")},
        {PAGE_NUMBER("p95")},  {PAGE_NUMBER("MAD")},     {PAGE_NUMBER("outliers")}};
    struct result_table *t;

    result_chart(to, draw_runs, b);
    t = results_table(to, columns, COUNT(columns), NULL);
    add_stats(t, "warm-up", &b->figures.warmup);
    add_stats(t, "timed", &b->figures.timed);
    result_line(to, RESULT_NOTE,
                "MAD is the median of the distances from the median; an outlier is farther than 5.2 times that from the median.");
}

/* ---- text ---- */

/* TFLite has whole numbers for the first two, and 0 where there was no run. */
static void add_timings(struct result_section *to, const struct bench_figures *f)
{
    char warmup[STATS_AVG_SIZE], timed[STATS_AVG_SIZE];

    result_line(to, RESULT_LOG | RESULT_WHOLE,
                "Inference timings in us: Init: %.0f, First inference: %.0f, Warmup (avg): %s, Inference (avg): %s", f->init_us,
                isnan(f->first_us) ? 0 : f->first_us, stats_avg(f->warmup.avg, warmup), stats_avg(f->timed.avg, timed));
}

static void add_loops(struct result_section *to, const struct benchmark *b)
{
    const struct delegate *d = b->tool.delegates.opened;
    const uint32_t on_cpu = d ? assignment_of(session_graph(b->session), session_partitioning(b->session)).n_cpu : 0;
    char nodes[SAY_COUNT_SIZE];

    if (on_cpu && d->loops > 1)
        result_line(
            to, RESULT_ALERT,
            "%s on the CPU run once where the %s computes %u inferences, and their time is divided too: figures are too small",
            say_count(on_cpu, "node", nodes), d->type->label, d->loops);
}

/* ---- the report ---- */

static void put_times(struct report *r, const struct benchmark *b)
{
    struct json *times = json_object(r, report_root(r), "times_us");

    JSON_NUMBERS(r, times, {"load", b->times.load_us}, {"open_delegate", b->times.open_us}, {"prepare", b->times.prepare_us},
                 {"init", b->figures.init_us}, {"first_inference", b->figures.first_us});
    report_stats(r, times, "warmup", &b->figures.warmup, b->times.warmup.us);
    report_stats(r, times, "inference", &b->figures.timed, b->times.timed.us);
}

static void put_delegate_work(struct report *r, const struct benchmark *b)
{
    struct json *o;

    if (!json_given(r, report_root(r), "delegate_work", b->tool.delegates.opened))
        return;
    o = json_object(r, report_root(r), "delegate_work");
    report_facts(r, o, "work.", &b->facts);
    JSON_NUMBERS(r, o, {"written_bytes_per_run", b->written_bytes}, {"read_bytes_per_run", b->read_bytes},
                 {"waits_per_run", b->waits});
    report_dynamic(r, o, &b->dynamic);
    report_called(r, o, &b->called);
}

static void put_delegate_start(struct report *r, const struct benchmark *b)
{
    const struct delegates *ds = &b->tool.delegates;
    struct json *o, *environment;

    if (!json_given(r, report_root(r), "delegate_start", ds->opened))
        return;
    o = json_object(r, report_root(r), "delegate_start");
    report_facts(r, o, "start.", &b->facts);
    report_facts(r, json_object(r, o, "tuning"), "start.tuning.", &b->facts);
    environment = json_object(r, o, "environment");
    for (uint32_t i = 0; i < ds->n_variables; i++)
        json_string(r, environment, ds->variables[i].name, ds->variables[i].value);
}

/* ---- the whole ---- */

static struct profile_sections profile_of(const struct results *r)
{
    return (struct profile_sections){r->parts[BENCH_START], r->parts[BENCH_PROGRAMS],  r->parts[BENCH_RUN],
                                     r->parts[BENCH_SHARE], r->parts[BENCH_OPERATORS], r->parts[BENCH_WORK]};
}

static enum status build(struct results *r, const struct benchmark *b, struct err *err)
{
    const double timed_us = b->times.timed.n ? b->figures.timed.avg : NAN;
    struct profile_sections profile;
    enum status st;

    results_init(r, headings, BENCH_PARTS, *b->tool.json);
    profile = profile_of(r);
    if (r->report)
        report_head(r->report, &b->tool, b->flags.graph);
    json_bool(r->report, report_root(r->report), "interrupted", interrupted());
    add_headline(r->parts[BENCH_HEADLINE], b);
    add_timings(r->parts[BENCH_TIMINGS], &b->figures);
    add_runs(r->parts[BENCH_RUNS], b);
    add_loops(r->parts[BENCH_LOOPS], b);
    put_times(r->report, b);
    measure_results(r, b);
    memory_results(r, b);
    put_delegate_work(r->report, b);
    put_delegate_start(r->report, b);
    report_delegates(r->report, report_root(r->report), b->session, b->tool.delegates.all);
    report_assignment(r->report, report_root(r->report), session_graph(b->session), session_partitioning(b->session));
    profile_phases(&profile, r->report, b->session, &b->times, &b->profile, timed_us);
    device_io_put(r->report, report_root(r->report), &b->io);
    page_add_model(r->parts[BENCH_MODEL], b->flags.graph, b->tool.model, b->session);
    page_add_environment(r->parts[BENCH_ENVIRONMENT], &b->tool);
    summary_table(r->parts[BENCH_TABLE], b);
    if ((st = page_add_assignment(r->parts[BENCH_WHERE], b->session, b->tool.delegates.opened, err)) ||
        (st = profile_results(&profile, r->report, &b->profile, err)) || (st = top_results(r, b, err)) ||
        (st = summary_results(r, b, err)))
        return st;
    return inputs_ranges(&b->inputs, b->session, r->report, NULL, err);
}

static enum status write_profile(const struct results *r, const struct benchmark *b, struct err *err)
{
    const struct profile_sections sections = profile_of(r);
    const struct profile_result result = {.model = b->flags.graph,
                                          .session = b->session,
                                          .times = &b->times,
                                          .run = &b->profile,
                                          .machine = &b->track,
                                          .sections = &sections};

    return b->profile.runs ? profile_write(&b->flags.profile, &result, err) : ST_OK;
}

/* The answer stands there also where the profile could not be written. */
static enum status say_all(const struct results *r, const struct benchmark *b, struct err *err)
{
    enum status st = results_say_parts(r, in_text, COUNT(in_text), err), said;
    struct err own;

    if (st)
        return st;
    st = write_profile(r, b, err);
    said = results_say_parts(r, answer, COUNT(answer), st ? &own : err);
    return st ? st : said;
}

enum status benchmark_report(const struct benchmark *b, bool files, struct err *err)
{
    struct results r;
    enum status st;

    if (!(st = build(&r, b, err)) && !(st = say_all(&r, b, err)) && files && *b->tool.json)
        st = report_write(r.report, b->tool.json, err);
    if (!st && files && *b->measure.markdown)
        st = results_write_markdown(&r, (const int[]){BENCH_TABLE, BENCH_TOP}, 2, b->measure.markdown, err);
    if (!st && files && *b->flags.html)
        st = results_write_page(&r, on_page, COUNT(on_page), html_new("benchmark_model", b->flags.graph), b->flags.html, err);
    results_fini(&r);
    return st;
}
