/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_text.c - the table of a sweep, aligned for a terminal or as Markdown; TFLite's summary of performance options. */
#include <math.h>
#include <stdlib.h>

#include "cmd/benchmark/benchmark_results.h"
#include "cmd/benchmark/sweep.h"
#include "cmd/host/say.h"
#include "cmd/print/results.h"
#include "lib/delegate/assignment.h"

#define CELL_SIZE 64

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

static void put_case(const struct sweep *s, uint32_t i, struct result_table *t)
{
    const bool failed = s->turns[i].failed, none = !failed && !s->rows[i].stats.count;
    char nodes[CELL_SIZE];

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
    say_info("==============Summary of All Runs w/ Different Performance Options==============");
    for (uint32_t i = 0; i < s->cases.n; i++)
        if (s->turns[order[i]].failed)
            say_info("%26s:  failed!", s->cases.list[order[i]].label);
        else
            say_info("%26s: %s", s->cases.list[order[i]].label, stats_line(&s->rows[order[i]].stats, true, line, sizeof line));
}

enum status sweep_say(const struct sweep *s, struct err *err)
{
    static const struct result_column columns[] = {{.title = "case"},
                                                   {.title = "median ms", .right = true},
                                                   {.title = "95 % interval", .right = true},
                                                   {.title = "per second", .right = true},
                                                   {.title = "ratio to first", .right = true},
                                                   {.title = "p", .right = true},
                                                   {.title = "nodes", .right = true},
                                                   {.title = "max error", .right = true}};
    struct result_section *to = results_alone();
    struct result_table *t = results_table(to, columns, sizeof columns / sizeof *columns - !s->asked->measure.with_accuracy, NULL);

    if (s->perf_options)
        say_perf_options(s);
    for (uint32_t i = 0; i < s->cases.n; i++)
        put_case(s, i, t);
    return results_say_alone(to, s->asked->measure.sweep_format == SWEEP_MARKDOWN ? RESULT_MARKDOWN : RESULT_TEXT, ST_OK, err);
}
