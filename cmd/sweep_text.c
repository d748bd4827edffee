/* SPDX-License-Identifier: Apache-2.0 */
/* sweep_text.c - the table of a sweep, aligned for a terminal or as Markdown; TFLite's summary of performance options. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../lib/assignment.h"
#include "say.h"
#include "summary_text.h"
#include "sweep.h"

enum { LABEL, MEDIAN, INTERVAL, PER_SEC, RATIO, P, NODES, ERROR, COLUMNS, CELL_SIZE = 256 };

/* One line of cells, and the head. */
struct line {
    char cell[COLUMNS][CELL_SIZE];
};

static const struct line head = {{"case", "median ms", "95 % interval", "per second", "ratio to first", "p", "nodes", "max error"}};

static void fill_figures(const struct sweep *s, uint32_t i, struct line *l)
{
    const struct sweep_row *row = &s->rows[i];
    char low[SUMMARY_MS_SIZE], high[SUMMARY_MS_SIZE];

    summary_ms(row->stats.median, low);
    snprintf(l->cell[MEDIAN], CELL_SIZE, "%s", low);
    if (!isnan(row->stats.median_interval.low))
        snprintf(l->cell[INTERVAL], CELL_SIZE, "%s to %s", summary_ms(row->stats.median_interval.low, low),
                 summary_ms(row->stats.median_interval.high, high));
    snprintf(l->cell[PER_SEC], CELL_SIZE, "%.4g", row->stats.avg > 0 ? 1e6 / row->stats.avg : 0);
    if (row->baseline == i) {
        snprintf(l->cell[RATIO], CELL_SIZE, "1");
        return;
    }
    if (isnan(row->ratio.interval.low))
        snprintf(l->cell[RATIO], CELL_SIZE, "%.3g", row->ratio.ratio);
    else
        snprintf(l->cell[RATIO], CELL_SIZE, "%.3g (%.3g to %.3g)", row->ratio.ratio, row->ratio.interval.low,
                 row->ratio.interval.high);
    snprintf(l->cell[P], CELL_SIZE, "%.2g", row->test.p);
}

static void fill(const struct sweep *s, uint32_t i, struct line *l)
{
    const struct benchmark *b = s->rows[i].b;
    struct assignment sum;

    *l = (struct line){0};
    say_clean(s->cases.list[i].label, l->cell[LABEL], CELL_SIZE);
    if (s->turns[i].failed) {
        snprintf(l->cell[MEDIAN], CELL_SIZE, "failed!");
        return;
    }
    if (!s->rows[i].stats.count) {
        snprintf(l->cell[MEDIAN], CELL_SIZE, "no run");
        return;
    }
    fill_figures(s, i, l);
    sum = assignment_of(session_graph(b->session), session_partitioning(b->session));
    if (b->tool.delegates.opened)
        snprintf(l->cell[NODES], CELL_SIZE, "%u %s, %u CPU", sum.n_delegated, b->tool.delegates.opened->type->label, sum.n_cpu);
    else
        snprintf(l->cell[NODES], CELL_SIZE, "%u CPU", sum.n_cpu);
    if (s->asked->measure.with_accuracy)
        snprintf(l->cell[ERROR], CELL_SIZE, "%.3g", s->rows[i].max_abs_error);
}

/* What a Markdown table would take for its own is escaped. */
static void say_markdown(const struct line *l, uint32_t columns)
{
    for (uint32_t k = 0; k < columns; k++) {
        say_text("| ");
        for (const char *at = l->cell[k]; *at; at++)
            say_text(*at == '|' || *at == '\\' ? "\\%c" : "%c", *at);
        say_text(" ");
    }
    say_text("|\n");
}

static void say_lines(const struct line *lines, uint32_t n, uint32_t columns)
{
    int width[COLUMNS] = {0};

    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < columns; k++)
            width[k] = (int)strlen(lines[i].cell[k]) > width[k] ? (int)strlen(lines[i].cell[k]) : width[k];
    for (uint32_t i = 0; i < n; i++) {
        say_text("%-*s", width[LABEL], lines[i].cell[LABEL]);
        for (uint32_t k = 1; k < columns; k++)
            say_text("  %*s", width[k], lines[i].cell[k]);
        say_text("\n");
    }
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
    uint32_t columns = s->asked->measure.with_accuracy ? COLUMNS : ERROR;
    struct line *lines = calloc(s->cases.n + 1, sizeof *lines);

    if (!lines)
        return err_set(err, ST_NOMEM, "out of memory for a table of %u cases", s->cases.n);
    if (s->perf_options)
        say_perf_options(s);
    lines[0] = head;
    for (uint32_t i = 0; i < s->cases.n; i++)
        fill(s, i, &lines[i + 1]);
    if (s->asked->measure.sweep_format == SWEEP_TEXT) {
        say_lines(lines, s->cases.n + 1, columns);
    } else {
        for (uint32_t i = 0; i <= s->cases.n; i++) {
            say_markdown(&lines[i], columns);
            for (uint32_t k = 0; i == 0 && k < columns; k++)
                say_text("|%s", k ? " ---: " : " :--- ");
            if (i == 0)
                say_text("|\n");
        }
    }
    free(lines);
    return ST_OK;
}
