/* SPDX-License-Identifier: Apache-2.0 */
/* benchmark_page.c - what else was measured, and where the time goes. */
#include "cmd/benchmark/benchmark_page.h"

#include <math.h>
#include <string.h>

#include "cmd/host/say.h"
#include "cmd/print/html_chart.h"
#include "lib/measure/phases.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* ---- beside the timed runs ---- */

/* "95 % interval 1.8 to 2.1, p = 0.01", without the interval where there is none. */
static const char *doubt(const struct median_ratio *ratio, const struct mann_whitney *test, char out[PAGE_VALUE_SIZE])
{
    int n = 0;

    if (!isnan(ratio->interval.low))
        n = snprintf(out, PAGE_VALUE_SIZE, "95 %% interval %.3g to %.3g, ", ratio->interval.low, ratio->interval.high);
    snprintf(out + n, PAGE_VALUE_SIZE - (size_t)n, "p = %.2g", test->p);
    return out;
}

static void put_versus_cpu(struct html *h, const struct benchmark *b)
{
    const struct cpu_comparison *c = &b->versus_cpu;
    char value[PAGE_VALUE_SIZE], detail[PAGE_VALUE_SIZE], runs[SAY_COUNT_SIZE];

    if (!c->made || isnan(c->speedup.ratio))
        return;
    html_section(h, "Against the CPU");
    snprintf(value, sizeof value, "%.3g times", c->speedup.ratio);
    html_figure(h, "Speed-up", value, doubt(&c->speedup, &c->test, detail));
    html_figure(h, b->tool.delegates.opened->type->label, page_ms(c->delegate_stats.median, value), "median of these runs");
    html_figure(h, "CPU", page_ms(c->cpu_stats.median, value), "median of these runs");
    html_note(h, "%s of each in turns, after the timed runs, on equal inputs. Above 1, the delegate is faster.",
              say_count(c->cpu.n, "run", runs));
}

static void put_sustained(struct html *h, const struct benchmark *b)
{
    const struct sustained *s = &b->sustained;
    char name[PAGE_VALUE_SIZE], value[PAGE_VALUE_SIZE], detail[PAGE_VALUE_SIZE], runs[SAY_COUNT_SIZE];

    if (!s->n_first)
        return;
    html_section(h, "Sustained");
    snprintf(name, sizeof name, "First %.3g s", s->window_secs);
    html_figure(h, name, page_ms(s->first_us, value), say_count(s->n_first, "run", runs));
    snprintf(name, sizeof name, "Last %.3g s", s->window_secs);
    html_figure(h, name, page_ms(s->last_us, value), say_count(s->n_last, "run", runs));
    snprintf(value, sizeof value, "%.3g times", s->ratio.ratio);
    html_figure(h, "Last over first", value, doubt(&s->ratio, &s->test, detail));
    html_note(h, "Medians; above 1, it became slower. The chart of all runs shows when.");
}

static void put_submission(struct html *h, const struct benchmark *b)
{
    char value[PAGE_VALUE_SIZE];

    if (!b->submission_stats.count)
        return;
    html_section(h, "Submission and completion");
    html_figure(h, "Submitted after", page_ms(b->submission_stats.median, value), "median");
    html_figure(h, "All done after", page_ms(b->async.total_us, value), async_outputs(&b->async));
    html_figure(h, "A run", page_ms(b->figures.timed.avg, value), "of that, by their number: throughput, no latency");
}

static void put_plausible(struct html *h, const struct plausible *p)
{
    char value[PAGE_VALUE_SIZE];

    if (!(p->peak.gflops > 0))
        return;
    html_section(h, "Speed of the device");
    snprintf(value, sizeof value, "%.4g GFLOP/s", p->gflops);
    html_figure(h, "Delegate", value, "two operations a multiply-accumulate, over whole runs");
    snprintf(value, sizeof value, "%.4g GFLOP/s", p->peak.gflops);
    html_figure(h, "Probe", value, "what a shader of nothing else reaches");
    if (p->peak.half_gflops > 0) {
        snprintf(value, sizeof value, "%.4g GFLOP/s", p->peak.half_gflops);
        html_figure(h, "Probe", value, "the same in 16-bit floats");
    }
    if (p->beyond)
        html_warning(h, "That is more than the device can do: the runs cannot have been finished when their clock stopped.");
}

void page_put_comparisons(struct html *h, const struct benchmark *b)
{
    put_versus_cpu(h, b);
    put_sustained(h, b);
    put_submission(h, b);
    put_plausible(h, &b->plausible);
}

/* ---- where the time goes ---- */

static void put_parts(struct html *h, const struct phases *p)
{
    const double all = p->total_us > 0 ? p->total_us : 1;
    char value[PAGE_VALUE_SIZE], text[2 * PAGE_VALUE_SIZE];

    for (uint32_t i = 0; i < p->n; i++) {
        const struct phase *part = &p->parts[i];

        if (part->us == 0)
            continue;
        snprintf(text, sizeof text, "%s, %.1f %%", page_ms(part->us, value), 100 * part->us / all);
        html_bar(h, part->what, part->us / all, false, text);
    }
}

static void put_programs(struct html *h, const struct session *s)
{
    static const struct html_column columns[] = {{"program", false}, {"ms", true}, {"from", false}};
    struct delegate_program program;
    char value[PAGE_VALUE_SIZE];

    if (!session_program(s, 0, &program))
        return;
    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; session_program(s, i, &program); i++) {
        html_cell(h, "%s", program.label);
        html_cell(h, "%s", page_in_ms((double)program.ns / 1e3, value));
        html_cell(h, program.loaded ? "a stored start" : "source");
    }
}

void page_put_phases(struct html *h, const struct benchmark *b)
{
    char value[PAGE_VALUE_SIZE], timed[PAGE_VALUE_SIZE];
    const struct op_profile *p = &b->profile;
    struct session_times times;
    struct phases parts;

    html_section(h, "Where the time of the start goes");
    session_times(b->session, &times);
    phases_of_start(&b->times, &times, &parts);
    put_parts(h, &parts);
    put_programs(h, b->session);
    if (!p->runs)
        return;
    html_section(h, "Where the time of a profiled run goes");
    phases_of_run(p, &parts);
    put_parts(h, &parts);
    if (b->times.timed.n)
        html_note(h, "A profiled run takes %s, %.2f times as long as the %s of a timed one%s.", page_ms(p->wall.avg, value),
                  p->wall.avg / b->figures.timed.avg, page_ms(b->figures.timed.avg, timed),
                  p->wall.avg > b->figures.timed.avg ? ": shares hold, times are too long" : "");
}

/* ---- operators ---- */

static void put_number(struct html *h, double value, const char *unknown, int decimals)
{
    if (isfinite(value))
        html_cell(h, "%.*f", decimals, value);
    else
        html_cell(h, "%s", unknown);
}

/* The work of a group of rows stands in its first, as in the text. */
static void put_work(struct html *h, const struct op_profile *p, size_t i)
{
    const struct op_row *row = &p->rows[i];
    const double us = op_profile_work_us(p, i);

    if (row->work_row != i) {
        html_cell(h, "with row %u", row->work_row);
        for (int k = 0; k < 4; k++)
            html_cell(h, "%s", "");
        return;
    }
    put_number(h, row->work.macs_known ? (double)row->work.macs / 1e6 : NAN, "unknown", 3);
    put_number(h, op_work_gflops(&row->work, us), "-", 2);
    put_number(h, row->work.bytes_known ? (double)row->work.bytes / 1e3 : NAN, "unknown", 1);
    put_number(h, op_work_gbytes(&row->work, us), "-", 2);
    put_number(h, op_profile_limit_percent(p, i), "-", 1);
}

/* The longest first. */
static void put_rows(struct html *h, const struct op_profile *p, const struct op_line *lines)
{
    static const struct html_column columns[] = {
        {"operator", false}, {"name", false},   {"on", false}, {"ms", true},   {"share", true}, {"kernel", false}, {"row", true},
        {"MMAC", true},      {"GFLOP/s", true}, {"kB", true},  {"GB/s", true}, {"limit", true}, {"output", false}};
    char value[PAGE_VALUE_SIZE];

    html_table(h, columns, COUNT(columns));
    for (size_t i = 0; i < p->n_rows; i++) {
        const struct op_row *row = lines[i].row;

        html_cell(h, "%s", lines[i].type);
        html_cell(h, "%s", row->name);
        html_cell(h, "%s", row->backend);
        html_cell(h, "%s", row->timed ? page_in_ms(lines[i].avg_us, value) : "no time");
        html_cell(h, "%.1f %%", lines[i].percent);
        html_cell(h, "%s%s%s", row->detail ? row->detail : "", op_row_copies(row) ? "; only copies: " : "",
                  op_row_copies(row) ? row->why_copy : "");
        html_cell(h, "%zu", (size_t)(row - p->rows));
        put_work(h, p, (size_t)(row - p->rows));
        html_cell(h, "%s", row->tensor ? TENSOR_TEXT(row->tensor) : "");
    }
    html_note(
        h, "The longest first; row is the place in the order of execution. MMAC: millions of multiply-accumulates, from the "
           "shapes; GFLOP/s counts two operations for each. kB: what is read from outside and written for others, each "
           "tensor once. limit: the least time that a device of the probe's figures takes for it, in percent of the time it took. "
           "A node that takes several rows has its work in the first, over the time of all.");
}

static void put_copies(struct html *h, const struct op_profile *p)
{
    const struct op_copies copies = op_profile_copies(p);
    char value[PAGE_VALUE_SIZE];

    if (copies.of)
        html_note(h, "Only copy: %u of %u dispatches, %s, %.1f %% of the time of all rows.", copies.n, copies.of,
                  page_ms(copies.avg_us, value), copies.percent);
}

enum status page_put_profile(struct html *h, const struct benchmark *b, struct err *err)
{
    const struct op_profile *p = &b->profile;
    struct op_line *types, *rows;
    struct arena arena = {0};
    size_t n_types;
    enum status st;

    html_section(h, "Operators");
    if (!p->runs) {
        html_note(h, "Not profiled: --enable_op_profiling does it.");
        return ST_OK;
    }
    if (!(st = op_profile_types(p, &arena, &types, &n_types, err)) &&
        !(st = op_profile_rows(p, OP_ORDER_TIME, &arena, &rows, err))) {
        char value[PAGE_VALUE_SIZE], text[2 * PAGE_VALUE_SIZE], runs[SAY_COUNT_SIZE];

        html_note(h, "From %s of their own, each step timed: %s a run together.", say_count(p->runs, "run", runs),
                  page_ms(p->total.avg, value));
        for (size_t i = 0; i < n_types; i++) {
            snprintf(text, sizeof text, "%s, %.1f %%", page_ms(types[i].avg_us, value), types[i].percent);
            snprintf(value, sizeof value, "%s (%u)", types[i].type, types[i].n_rows);
            html_bar(h, value, types[i].percent / 100, false, text);
        }
        put_rows(h, p, rows);
        put_copies(h, p);
    }
    arena_free(&arena);
    return st;
}
