/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_html.c - the results as a page to look at: --html. Every number in it is one of the JSON report's. */
#include "cmd/benchmark/benchmark_page.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "cmd/benchmark/memory_text.h"
#include "cmd/host/environment.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/html_chart.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The first one large, the others below it. */
static void put_percentiles(struct html *h, const struct benchmark *b)
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
    html_figure(h, name, page_ms(b->percentile_us[0], value), detail);
}

static void put_headline(struct html *h, const struct benchmark *b)
{
    const struct stats *timed = &b->figures.timed;
    char value[PAGE_VALUE_SIZE], low[PAGE_VALUE_SIZE], high[PAGE_VALUE_SIZE], detail[4 * PAGE_VALUE_SIZE], runs[SAY_COUNT_SIZE];
    double none = timed->count ? 0 : NAN;

    snprintf(detail, sizeof detail, "95 %% interval %s to %s, %s", page_in_ms(timed->median_interval.low + none, low),
             page_ms(timed->median_interval.high + none, high), say_count(timed->count, "run", runs));
    html_figure(h, "Median time of a run", page_ms(timed->median + none, value), detail);
    put_percentiles(h, b);
    snprintf(value, sizeof value, timed->avg > 0 ? "%.4g" : "-", 1e6 / timed->avg);
    html_figure(h, "Runs per second", value, "of the average time");
    html_figure(h, "First run", page_ms(b->figures.first_us, value), "of all, warm-up included");
    html_figure(h, "Initialization", page_ms(b->figures.init_us, value), "until the first run can begin");
}

static void put_doubts(struct html *h, const struct benchmark *b)
{
    const struct bench_figures *f = &b->figures;
    const struct stats *s = &f->timed;
    const struct delegate *d = b->tool.delegates.opened;
    char advice[MACHINE_MAX_ADVICE][MACHINE_ADVICE_SIZE];
    size_t n = machine_advice(&b->machine_start, &b->machine_end, environment_read().cores, advice);

    if (d && d->software)
        html_warning(h, "%s is software: the CPU does its work, so these times say nothing of a GPU.", d->device);
    if (f->scattered)
        html_warning(h, "The run times scatter by %.0f %% of their mean, %zu of %zu are outliers: is something else running?",
                     100 * s->cv, s->outliers, s->count);
    if (f->drifted)
        html_warning(h, "The last quarter of the runs is %.0f %% %s than the first.", 100 * fabs(s->drift),
                     s->drift > 0 ? "slower" : "faster");
    for (size_t i = 0; i < n; i++)
        html_warning(h, "%c%s.", toupper((unsigned char)*advice[i]), advice[i] + 1);
    if (interrupted())
        html_warning(h, "Interrupted: the figures cover the runs until then.");
}

static void put_figures_row(struct html *h, const char *name, const struct stats *s)
{
    char value[PAGE_VALUE_SIZE];
    const double us[] = {s->first, s->last, s->min, s->max, s->avg, s->std, s->p5, s->median, s->p95, s->mad};

    html_cell(h, "%s", name);
    html_cell(h, "%zu", s->count);
    for (size_t i = 0; i < COUNT(us); i++)
        html_cell(h, "%s", page_in_ms(s->count ? us[i] : NAN, value));
    html_cell(h, "%zu", s->outliers);
}

static enum status put_times(struct html *h, const struct benchmark *b, struct err *err)
{
    static const struct html_column columns[] = {{"in ms", false},  {"runs", true},   {"first", true},   {"last", true},
                                                 {"least", true},   {"most", true},   {"average", true}, {"deviation", true},
                                                 {"p5", true},      {"median", true}, {"p95", true},     {"MAD", true},
                                                 {"outliers", true}};
    const struct samples *warmup = &b->times.warmup, *timed = &b->times.timed;
    const struct html_series series[] = {{"timed", timed->us, timed->n, warmup->n + 1}, {"warm-up", warmup->us, warmup->n, 1}};
    const struct html_axes over_time = {"run", "ms", 1e-3, timed->n ? b->figures.timed.median : NAN, "median of the timed runs"};
    const struct html_axes over_ms = {"ms", "runs", 1e-3, NAN, ""};
    enum status st;

    html_section(h, "Time of each run");
    html_lines(h, series, COUNT(series), &over_time);
    if ((st = html_histogram(h, timed->us, timed->n, &over_ms, err)))
        return st;
    html_table(h, columns, COUNT(columns));
    put_figures_row(h, "warm-up", &b->figures.warmup);
    put_figures_row(h, "timed", &b->figures.timed);
    html_note(h, "MAD is the median of the distances from the median; an outlier is farther than 5.2 times that from the median.");
    return ST_OK;
}

struct memory_row {
    const char *what, *means;
    uint64_t bytes;
};

static void put_memory(struct html *h, const struct benchmark *b)
{
    static const struct html_column columns[] = {{"memory", false}, {"MB", true}, {"what it is", false}};
    const struct session_memory *m = &b->memory;
    const struct delegate_memory *d = &m->delegate;
    char weights[180] = "weights on the device: ";
    const struct memory_row rows[] = {
        {"process at the start", "resident when the tool began", b->at_start.rss_bytes},
        {"process after initialization", "resident when the session was ready", b->at_init.rss_bytes},
        {"process at the end", "resident after the timed runs", b->at_end.rss_bytes},
        {"process at most", "resident at any time until then", b->at_end.peak_bytes},
        {"CPU tensors", "memory that tensors share", m->arena_bytes},
        {"CPU weights", "repacked for the CPU kernels", m->packed_bytes},
        {"CPU scratch", "of kernels", m->scratch_bytes},
        {"delegate tensors", "memory that its intermediate values share", d->intermediates},
        {"delegate constants", weights, d->constants},
        {"delegate staging", "for uploads and downloads", d->staging},
    };
    size_t n = b->tool.delegates.opened ? COUNT(rows) : COUNT(rows) - 3;

    memory_weights(weights + strlen(weights), sizeof weights - strlen(weights), d);
    html_section(h, "Memory");
    html_table(h, columns, COUNT(columns));
    for (size_t i = 0; i < n; i++) {
        html_cell(h, "%s", rows[i].what);
        html_cell(h, "%.3f", (double)rows[i].bytes / 1e6);
        html_cell(h, "%s", rows[i].means);
    }
    html_note(h, "1 MB is 1,000,000 bytes.");
}

enum status benchmark_write_html(const struct benchmark *b, struct err *err)
{
    struct html *h = html_new("benchmark_model", b->flags.graph);
    enum status st;

    put_headline(h, b);
    put_doubts(h, b);
    if (!(st = put_times(h, b, err))) {
        page_put_comparisons(h, b);
        page_put_phases(h, b);
        st = page_put_profile(h, b, err);
    }
    if (!st && !(st = page_put_assignment(h, b->session, b->tool.delegates.opened, err))) {
        put_memory(h, b);
        page_put_model(h, b->flags.graph, b->tool.model, b->session);
        page_put_environment(h, &b->tool);
        st = html_write(h, b->flags.html, err);
    }
    html_free(h);
    return st;
}
