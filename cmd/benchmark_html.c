/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_html.c - the results as a page to look at: --html. Every number in it is one of the JSON report's. */
#include "benchmark_page.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "../lib/assignment.h"
#include "environment.h"
#include "html_chart.h"
#include "interrupt.h"
#include "say.h"

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

static enum status put_refusals(struct html *h, const struct graph *g, const struct partitioning *p, struct err *err)
{
    static const struct html_column columns[] = {{"operator", false}, {"nodes", true}, {"why it stays on the CPU", false}};
    struct refusal *refusals;
    struct arena arena = {0};
    enum status st;
    uint32_t n;

    if (!(st = assignment_refusals(g, p, &arena, &refusals, &n, err)) && n) {
        html_table(h, columns, COUNT(columns));
        for (uint32_t i = 0; i < n; i++) {
            html_cell(h, "%s", refusals[i].op);
            html_cell(h, "%u", refusals[i].n_nodes);
            html_cell(h, "%s", refusals[i].text);
        }
    }
    arena_free(&arena);
    return st;
}

static void put_partitions(struct html *h, const struct partitioning *p)
{
    static const struct html_column columns[] = {{"partition", true}, {"nodes", true},  {"first", true},
                                                 {"last", true},      {"inputs", true}, {"outputs", true}};

    if (!p->n_parts)
        return;
    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < p->n_parts; i++) {
        html_cell(h, "%u", i);
        html_cell(h, "%u", p->parts[i].n_nodes);
        html_cell(h, "%u", p->parts[i].nodes[0]->index);
        html_cell(h, "%u", p->parts[i].nodes[p->parts[i].n_nodes - 1]->index);
        html_cell(h, "%u", p->parts[i].n_inputs);
        html_cell(h, "%u", p->parts[i].n_outputs);
    }
}

static enum status put_assignment(struct html *h, const struct benchmark *b, struct err *err)
{
    const struct partitioning *p = session_partitioning(b->session);
    const struct graph *g = session_graph(b->session);
    struct assignment sum = assignment_of(g, p);
    const struct delegate *d = b->tool.delegates.opened;
    char value[PAGE_VALUE_SIZE];

    html_section(h, "What ran where");
    if (!p || !d) {
        html_note(h, "No delegate was asked for: %u of %u nodes ran on the CPU, %u were folded into constants.", sum.n_cpu,
                  sum.n_nodes, sum.n_folded);
        return ST_OK;
    }
    snprintf(value, sizeof value, "nodes on the %s", d->type->label);
    html_bar(h, value, (double)sum.n_delegated / fmax(sum.n_nodes, 1), false, "");
    html_note(h, "The %s delegate was asked for, on %s. Of %u nodes it runs %u in %u %s, the CPU runs %u, and %u were folded away.",
              d->type->label, d->device, sum.n_nodes, sum.n_delegated, sum.n_partitions,
              sum.n_partitions == 1 ? "partition" : "partitions", sum.n_cpu, sum.n_folded);
    put_partitions(h, p);
    return put_refusals(h, g, p, err);
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
    const struct memory_row rows[] = {
        {"process at the start", "resident when the tool began", b->at_start.rss_bytes},
        {"process after initialization", "resident when the session was ready", b->at_init.rss_bytes},
        {"process at the end", "resident after the timed runs", b->at_end.rss_bytes},
        {"process at most", "resident at any time until then", b->at_end.peak_bytes},
        {"CPU tensors", "memory that tensors share", m->arena_bytes},
        {"CPU weights", "repacked for the CPU kernels", m->packed_bytes},
        {"CPU scratch", "of kernels", m->scratch_bytes},
        {"delegate tensors", "memory that its intermediate values share", d->intermediates},
        {"delegate constants", "weights on the device", d->constants},
        {"delegate staging", "for uploads and downloads", d->staging},
    };
    size_t n = b->tool.delegates.opened ? COUNT(rows) : COUNT(rows) - 3;

    html_section(h, "Memory");
    html_table(h, columns, COUNT(columns));
    for (size_t i = 0; i < n; i++) {
        html_cell(h, "%s", rows[i].what);
        html_cell(h, "%.3f", (double)rows[i].bytes / 1e6);
        html_cell(h, "%s", rows[i].means);
    }
    html_note(h, "1 MB is 1,000,000 bytes.");
}

static void put_tensor(struct html *h, const char *role, const struct tensor *t)
{
    char shape[PAGE_VALUE_SIZE] = "[";
    size_t at = 1;

    for (int32_t i = 0; i < t->rank && at < sizeof shape; i++)
        at += (size_t)snprintf(shape + at, sizeof shape - at, "%s%d", i ? "," : "", t->dim[i]);
    html_cell(h, "%s", role);
    html_cell(h, "%s", t->name);
    html_cell(h, "%s%s]", type_name(t->type), shape);
}

static void put_model(struct html *h, const struct benchmark *b)
{
    static const struct html_column columns[] = {{"", false}, {"tensor", false}, {"type and shape", false}};
    const struct graph *g = session_graph(b->session);
    char nodes[SAY_COUNT_SIZE];

    html_section(h, "Model");
    html_note(h, "%s: %zu bytes, %s.", b->flags.graph, b->tool.model->file_bytes, say_count(g->n_nodes, "node", nodes));
    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < g->n_inputs; i++)
        put_tensor(h, "input", g->inputs[i]);
    for (uint32_t i = 0; i < g->n_outputs; i++)
        put_tensor(h, "output", g->outputs[i]);
}

static void put_pair(struct html *h, const char *name, const char *value)
{
    html_cell(h, "%s", name);
    html_cell(h, "%s", *value ? value : "the system does not tell");
}

static void put_environment(struct html *h, const struct benchmark *b, const struct environment *e)
{
    static const struct html_column columns[] = {{"environment", false}, {"", false}},
                                    flags[] = {{"flag", false}, {"value", false}};
    const struct delegate *d = b->tool.delegates.opened;
    const double load = machine_now("").load_average;
    char value[CLI_VALUE_SIZE];

    html_section(h, "Environment");
    html_table(h, columns, COUNT(columns));
    put_pair(h, "time (UTC)", e->time);
    put_pair(h, "CPU", e->cpu);
    snprintf(value, sizeof value, "%d", e->cores);
    put_pair(h, "cores", value);
    put_pair(h, "frequency governor", e->governor);
    put_pair(h, "kernel", e->kernel);
    snprintf(value, sizeof value, "%.2f", load);
    put_pair(h, "load average", isfinite(load) ? value : "");
    put_pair(h, "delegate's device", d ? d->device : "none: everything ran on the CPU");
    put_pair(h, "what is done in another way on it", d && d->quirks && *d->quirks ? d->quirks : "nothing");
    put_pair(h, "delegauge", DG_VERSION_STRING);
    html_table(h, flags, COUNT(flags));
    for (uint32_t i = 0; i < b->tool.cli.n_rows; i++) {
        const struct cli_row *row = &b->tool.cli.rows[i];

        if (row->given) {
            html_cell(h, "--%s", row->flag->name);
            html_cell(h, "%s", cli_value(row, value));
        }
    }
    html_note(h, "All other flags had the values that --help shows.");
}

enum status benchmark_write_html(const struct benchmark *b, struct err *err)
{
    struct environment e = environment_read();
    struct html *h = html_new("benchmark_model", b->flags.graph);
    enum status st;

    put_headline(h, b);
    put_doubts(h, b);
    if (!(st = put_times(h, b, err))) {
        page_put_comparisons(h, b);
        page_put_phases(h, b);
        st = page_put_profile(h, b, err);
    }
    if (!st && !(st = put_assignment(h, b, err))) {
        put_memory(h, b);
        put_model(h, b);
        put_environment(h, b, &e);
        st = html_write(h, b->flags.html, err);
    }
    html_free(h);
    return st;
}
