/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_results.c - the table of a sweep, aligned for a terminal or as Markdown; TFLite's summary of performance options; the
 * report "benchmark_sweep" in schema/json/report.schema.json. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/benchmark/benchmark_results.h"
#include "cmd/benchmark/sweep.h"
#include "cmd/host/environment.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/results.h"
#include "cmd/tool/page_parts.h"
#include "cmd/tool/report_parts.h"
#include "lib/base/clock.h"
#include "lib/delegate/assignment.h"

#define CELL_SIZE    64
#define COLUMN(name) .title = (name), .heading = (name)

/* Of one case that ran, the first cell being its name. */
static void put_figures(const struct sweep *s, uint32_t i, struct result_table *t)
{
    const struct sweep_row *row = &s->rows[i];
    char low[SUMMARY_MS_SIZE], high[SUMMARY_MS_SIZE];

    result_text(t, "%s", summary_ms(row->stats.median, low));
    if (isnan(row->stats.median_interval.low))
        result_text(t, "%s", "");
    else
        result_text(t, "%s to %s", summary_ms(row->stats.median_interval.low, low),
                    summary_ms(row->stats.median_interval.high, high));
    result_text(t, "%.4g", row->stats.avg > 0 ? 1e6 / row->stats.avg : 0);
    if (row->baseline == i)
        result_text(t, "1");
    else if (isnan(row->ratio.interval.low))
        result_text(t, "%.3g", row->ratio.ratio);
    else
        result_text(t, "%.3g (%.3g to %.3g)", row->ratio.ratio, row->ratio.interval.low, row->ratio.interval.high);
    if (row->baseline == i)
        result_text(t, "%s", "");
    else
        result_text(t, "%.2g", row->test.p);
}

/* "29 GPU, 2 CPU" */
static const char *nodes_of(const struct benchmark *b, char out[CELL_SIZE])
{
    struct assignment sum = assignment_of(session_graph(b->session), session_partitioning(b->session));

    if (b->tool.delegates.opened)
        snprintf(out, CELL_SIZE, "%u %s, %u CPU", sum.n_delegated, b->tool.delegates.opened->type->label, sum.n_cpu);
    else
        snprintf(out, CELL_SIZE, "%u CPU", sum.n_cpu);
    return out;
}

static void put_settings(struct report *r, struct json *in, const struct sweep_case *c)
{
    struct json *list = json_array(r, in, "settings");

    for (uint32_t k = 0; k < c->n_settings; k++) {
        struct json *o = json_object(r, list, NULL);

        JSON_STRINGS(r, o, {"flag", c->settings[k].name}, {"value", c->settings[k].value});
    }
}

static void put_members(struct report *r, struct json *o, const struct sweep *s, uint32_t i)
{
    const struct sweep_row *row = &s->rows[i];
    const struct contender *turn = &s->turns[i];
    const struct delegate *d = row->b->tool.delegates.opened;

    JSON_STRINGS(r, o, {"label", s->cases.list[i].label}, {"graph", row->b->flags.graph});
    put_settings(r, o, &s->cases.list[i]);
    JSON_STRINGS(r, o, {"failed", turn->failed ? turn->err.msg : NULL}, {"device", d ? d->device : NULL});
    json_number(r, o, "init_us", turn->failed ? NAN : bench_init_us(&row->b->times));
    report_stats(r, o, "inference_us", &row->stats, turn->samples.us);
    json_number(r, o, "baseline", row->baseline);
    if (turn->failed || !row->stats.count)
        json_null(r, o, "over_baseline");
    else
        measure_put_ratio(r, o, "over_baseline", &row->ratio, &row->test);
    json_number(r, o, "max_abs_error", row->max_abs_error);
    if (turn->failed)
        json_null(r, o, "assignment");
    else
        report_assignment(r, o, session_graph(row->b->session), session_partitioning(row->b->session));
}

static bool is_told(const struct sweep *s, uint32_t n, const char *name)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < s->rows[i].b->tool.delegates.n_variables; k++)
            if (!strcmp(s->rows[i].b->tool.delegates.variables[k].name, name))
                return true;
    return false;
}

/* As they are: where cases set another value, the last of them. */
static void put_variables(struct report *r, const struct sweep *s)
{
    struct json *o = json_object(r, report_root(r), "driver_environment");

    for (uint32_t i = 0; i < s->cases.n; i++) {
        const struct delegates *ds = &s->rows[i].b->tool.delegates;

        for (uint32_t k = 0; k < ds->n_variables; k++)
            if (!is_told(s, i, ds->variables[k].name))
                json_string(r, o, ds->variables[k].name, getenv(ds->variables[k].name));
    }
}

static void add_case(struct results *r, struct result_table *t, struct json *list, const struct sweep *s, uint32_t i)
{
    const bool failed = s->turns[i].failed, none = !failed && !s->rows[i].stats.count;
    char nodes[CELL_SIZE];

    put_members(r->report, json_object(r->report, list, NULL), s, i);
    result_text(t, "%s", s->cases.list[i].label);
    if (failed || none) {
        result_text(t, failed ? "failed!" : "no run");
        result_skip(t, 0);
        return;
    }
    put_figures(s, i, t);
    result_text(t, "%s", nodes_of(s->rows[i].b, nodes));
    if (s->asked->measure.with_accuracy)
        result_text(t, "%.3g", s->rows[i].max_abs_error);
}

/* Positions of the cases, the fastest on average first, those that failed last. */
static const struct sweep *sorted_sweep;

static int by_average(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    bool x_failed = sorted_sweep->turns[x].failed, y_failed = sorted_sweep->turns[y].failed;
    double x_avg = sorted_sweep->rows[x].stats.avg, y_avg = sorted_sweep->rows[y].stats.avg;

    if (x_failed != y_failed)
        return x_failed - y_failed;
    return x_failed ? (x > y) - (x < y) : (x_avg > y_avg) - (x_avg < y_avg);
}

static void say_perf_options(const struct sweep *s)
{
    uint32_t order[SWEEP_MAX_CASES];
    char line[320];

    for (uint32_t i = 0; i < s->cases.n; i++)
        order[i] = i;
    sorted_sweep = s;
    qsort(order, s->cases.n, sizeof *order, by_average);
    say_info_known("==============Summary of All Runs w/ Different Performance Options==============");
    for (uint32_t i = 0; i < s->cases.n; i++)
        if (s->turns[order[i]].failed)
            say_info_known("%26s:  failed!", s->cases.list[order[i]].label);
        else
            say_info_known("%26s: %s", s->cases.list[order[i]].label,
                           stats_line(&s->rows[order[i]].stats, true, line, sizeof line));
}

enum { IN_CASES, IN_DOUBTS, IN_BARS, IN_ENVIRONMENT, PARTS };

/* The medians beside each other. */
static void add_bars(struct result_section *to, const struct sweep *s)
{
    double most = 0;
    char ms[SUMMARY_MS_SIZE];

    for (uint32_t i = 0; i < s->cases.n; i++)
        most = s->turns[i].failed ? most : fmax(most, s->rows[i].stats.median);
    for (uint32_t i = 0; i < s->cases.n; i++)
        if (!s->turns[i].failed && s->rows[i].stats.count && most > 0)
            result_bar(to, s->cases.list[i].label, s->rows[i].stats.median / most, "%s ms",
                       summary_ms(s->rows[i].stats.median, ms));
}

/* What speaks against the figures, as of a single benchmark. */
static void add_doubts(struct result_section *to, const struct sweep *s)
{
    struct machine_advice advice[MACHINE_MAX_ADVICE];
    const size_t n = machine_advice(&s->machine_start, &s->machine_end, environment_read().cores, advice);

    for (uint32_t i = 0; i < s->cases.n; i++)
        if (bench_scattered(&s->rows[i].stats))
            result_line(to, RESULT_WARNING, "the run times scatter by %.0f%% of their mean: %s", 100 * s->rows[i].stats.cv,
                        s->cases.list[i].label);
    for (size_t i = 0; i < n; i++)
        result_line(to, RESULT_WARNING, "%s", advice[i].text);
}

static void add_table(struct results *r, const struct sweep *s)
{
    static const struct result_column columns[] = {{COLUMN("case")},
                                                   {COLUMN("median ms"), .right = true},
                                                   {COLUMN("95 % interval"), .right = true},
                                                   {COLUMN("per second"), .right = true},
                                                   {COLUMN("ratio to first"), .right = true},
                                                   {COLUMN("p"), .right = true},
                                                   {COLUMN("nodes"), .right = true},
                                                   {COLUMN("max error"), .right = true}};
    const size_t n = sizeof columns / sizeof *columns - !s->asked->measure.with_accuracy;
    struct result_table *t = results_table(r->parts[IN_CASES], columns, n, NULL);
    struct json *list = json_array(r->report, report_root(r->report), "cases");

    for (uint32_t i = 0; i < s->cases.n; i++)
        add_case(r, t, list, s, i);
}

static enum status write_files(const struct results *r, const struct sweep *s, struct err *err)
{
    static const int on_page[] = {IN_DOUBTS, IN_BARS, IN_CASES, IN_ENVIRONMENT};
    const struct benchmark *b = s->asked;
    enum status st = ST_OK;

    if (*b->measure.markdown)
        st = results_write_markdown(r, (const int[]){IN_CASES}, 1, b->measure.markdown, err);
    if (!st && *b->tool.json)
        st = report_write(r->report, b->tool.json, err);
    if (!st && *b->flags.html)
        st = results_write_page(r, on_page, sizeof on_page / sizeof *on_page, html_new("benchmark_model", b->flags.graph),
                                b->flags.html, err);
    return st;
}

enum status sweep_report(const struct sweep *s, struct err *err)
{
    static const char *const headings[PARTS] = {
        [IN_CASES] = "Cases", [IN_BARS] = "Median of each case", [IN_ENVIRONMENT] = "Environment"};
    const struct tool *tool = &s->asked->tool;
    struct results r;
    enum status st;

    results_init(&r, headings, PARTS, *tool->json);
    report_origin(r.report, tool, "benchmark_sweep");
    json_bool(r.report, report_root(r.report), "interrupted", interrupted());
    json_number(r.report, report_root(r.report), "elapsed_seconds", (double)(clock_ns() - s->asked->start_ns) / 1e9);
    put_variables(r.report, s);
    if (s->perf_options)
        say_perf_options(s);
    add_table(&r, s);
    add_bars(r.parts[IN_BARS], s);
    add_doubts(r.parts[IN_DOUBTS], s);
    page_add_environment(r.parts[IN_ENVIRONMENT], tool);
    st = results_say(r.parts[IN_CASES], s->asked->measure.sweep_format == SWEEP_MARKDOWN ? RESULT_MARKDOWN : RESULT_TEXT, err);
    if (!st)
        st = results_say(r.parts[IN_DOUBTS], RESULT_TEXT, err);
    st = st ? st : write_files(&r, s, err);
    results_fini(&r);
    return st;
}
