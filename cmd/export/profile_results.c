/* SPDX-License-Identifier: Apache-2.0 */
/* profile_results.c - where the time goes: parts of a whole, programs, and the operators with their work. */
#include "cmd/export/profile_results.h"

#include <inttypes.h>
#include <math.h>

#include "cmd/host/say.h"
#include "cmd/tool/page_parts.h"
#include "cmd/tool/report_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static void add_title(struct result_section *to, const char *title)
{
    result_line(to, RESULT_TITLE, "============================== %s ==============================", title);
}

/* ---- parts of a whole ---- */

static void add_part(struct result_table *t, const char *name, double us, double all)
{
    result_text(t, "%s", name);
    RESULT_NUMBERS(t, us / 1e3, 100 * us / all);
}

static void add_phases(struct result_section *to, struct report *r, struct json *in, const char *key, const struct phases *p)
{
    static const struct result_column columns[] = {{.title = "[part]", .pad = "\t%16s"},
                                                   {.title = "[ms]", .pad = "\t%10s", .number = "%.3f"},
                                                   {.title = "[%]", .pad = "\t%8s", .number = "%.3f%%"},
                                                   {.title = "[what]", .pad = "\t%s"}};
    const double all = p->total_us > 0 ? p->total_us : 1;
    struct result_table *t = results_table(to, columns, COUNT(columns), NULL);
    struct json *o = json_object(r, in, key);
    char value[PAGE_VALUE_SIZE];

    for (uint32_t i = 0; i < p->n; i++) {
        const struct phase *part = &p->parts[i];

        json_number(r, o, part->name, part->us);
        if (part->us == 0)
            continue;
        add_part(t, part->name, part->us, all);
        result_text(t, "%s", part->what);
        result_bar(to, part->what, part->us / all, "%s, %.1f %%", page_ms(part->us, value), 100 * part->us / all);
    }
    json_number(r, o, "total", p->total_us);
    add_part(t, "total", p->total_us, all);
    result_skip(t, 0);
    result_gap(to);
}

static void add_programs(struct result_section *to, struct json *list, const struct session *s)
{
    static const struct result_column columns[] = {{.key = "label", .heading = "program"},
                                                   {.key = "us", .title = "[ms]", .pad = "\t%10s", .number = "%.3f", .scale = 1e-3},
                                                   {PAGE_NUMBER("ms")},
                                                   {.key = "loaded"},
                                                   {.title = "[from]", .pad = "\t%8s"},
                                                   {.heading = "from"},
                                                   {.title = "[program]", .pad = "\t%.95s"}};
    struct delegate_program program;
    struct result_table *t;
    char value[PAGE_VALUE_SIZE];

    if (!session_program(s, 0, &program))
        return;
    add_title(to, "Programs");
    t = results_table(to, columns, COUNT(columns), list);
    for (uint32_t i = 0; session_program(s, i, &program); i++) {
        result_text(t, "%s", program.label);
        result_number(t, (double)program.ns / 1e3);
        result_text(t, "%s", page_in_ms((double)program.ns / 1e3, value));
        result_bool(t, program.loaded);
        result_text(t, program.loaded ? "store" : "source");
        result_text(t, program.loaded ? "a stored start" : "source");
        result_text(t, "%s", program.label);
    }
    result_gap(to);
}

/* In points of percent, between the quartiles: as far as shares still count as one figure. */
static const double SHARE_HOLDS = 5;

static void add_scatter(struct result_section *to, const struct op_profile *p)
{
    const struct op_scatter s = op_profile_scatter(p);
    char runs[SAY_COUNT_SIZE];

    say_count(p->runs, "profiled run", runs);
    if (s.type)
        result_line(to, RESULT_PLAIN, "Shares %s: that of %.63s, which varies most, is %.1f to %.1f %% in the middle half of %s.",
                    s.high - s.low > SHARE_HOLDS ? "scatter" : "hold", s.type, s.low, s.high, runs);
    else
        result_line(to, RESULT_PLAIN, "Shares may scatter: %s cannot show it.", runs);
}

static void add_share(struct result_section *to, const struct op_profile *p, double timed_us)
{
    const char *end = p->wall.avg > timed_us ? ": times are too long" : "";
    char value[PAGE_VALUE_SIZE], timed[PAGE_VALUE_SIZE];

    if (!(timed_us > 0))
        return;
    result_line(to, RESULT_TITLE, "A profiled run takes %.3f ms, %.2f times as long as the %.3f ms of a timed one%s.",
                p->wall.avg / 1e3, p->wall.avg / timed_us, timed_us / 1e3, end);
    result_line(to, RESULT_NOTE, "A profiled run takes %s, %.2f times as long as the %s of a timed one%s.",
                page_ms(p->wall.avg, value), p->wall.avg / timed_us, page_ms(timed_us, timed), end);
    add_scatter(to, p);
    result_gap(to);
}

void profile_phases(const struct profile_sections *to, struct report *r, const struct session *s, const struct bench_times *t,
                    const struct op_profile *p, double timed_us)
{
    struct json *o = json_object(r, report_root(r), "phases_us");
    struct session_times times;
    struct phases parts;

    session_times(s, &times);
    phases_of_start(t, &times, &parts);
    add_title(to->start, "Where the time of the start went");
    add_phases(to->start, r, o, "start", &parts);
    if (p->runs) {
        phases_of_run(p, &parts);
        add_title(to->run, "Where the time of a profiled run went");
        add_phases(to->run, r, o, "profiled_run", &parts);
        add_share(to->share, p, timed_us);
    } else {
        json_null(r, o, "profiled_run");
    }
    add_programs(to->programs, json_array(r, report_root(r), "programs"), s);
}

/* ---- operators ---- */

/* In text, rows in the order of execution; on a page the longest first. */
static const struct result_column columns[] = {
    {.title = "[row]", .pad = "\t%5s"},
    {.key = "type", .title = "[node type]", .pad = "\t%24.63s", .heading = "operator"},
    {.key = "name", .heading = "name"},
    {.key = "variant"},
    {.key = "copy_reason"},
    {.key = "backend", .title = "[runs on]", .pad = "\t%8s", .heading = "on"},
    {.key = "partition"},
    {.title = "[avg ms]", .pad = "\t%9s", .number = "%.3f"},
    {PAGE_NUMBER("ms")},
    {PAGE_NUMBER("share"), .shown = "%.1f %%"},
    {.heading = "kernel"},
    {PAGE_NUMBER("row")},
    {.key = "work_row"},
    {.key = "macs", .title = "[1e6 MACs]", .pad = "\t%12s", PAGE_NUMBER("MMAC"), .number = "%.3f", .shown = "%.3f", .scale = 1e-6},
    {.key = "gflops", .title = "[GFLOP/s]", .pad = "\t%9s", PAGE_NUMBER("GFLOP/s"), .number = "%.2f", .shown = "%.2f"},
    {.key = "bytes", .title = "[kB]", .pad = "\t%10s", PAGE_NUMBER("kB"), .number = "%.1f", .shown = "%.1f", .scale = 1e-3},
    {.key = "gbytes_per_s", .title = "[GB/s]", .pad = "\t%8s", PAGE_NUMBER("GB/s"), .number = "%.2f", .shown = "%.2f"},
    {.key = "limit_percent", .title = "[limit]", .pad = "\t%9s", PAGE_NUMBER("limit"), .number = "%.1f%%", .shown = "%.1f"},
    {.key = "timed"},
    {.key = "first_us"},
    {.key = "avg_us"},
    {.key = "percent"},
    {.title = "[output]", .pad = "\t%-28s", .heading = "output"},
    {.title = "[variant, fused]", .pad = "\t%s"},
};

static void add_figure(struct result_table *t, bool known, double value, const char *unknown)
{
    if (known && isfinite(value))
        result_number(t, value);
    else
        result_unknown(t, "%s", unknown);
}

/* The work of a group of rows stands in its first. */
static void add_work(struct result_table *t, const struct op_profile *p, size_t i)
{
    const struct op_row *row = &p->rows[i];
    const double us = op_profile_work_us(p, i);

    result_number(t, row->work_row);
    if (row->work_row != i) {
        result_unknown(t, "with row %u", row->work_row);
        for (int k = 0; k < 4; k++)
            result_unknown(t, "%s", "");
        return;
    }
    add_figure(t, row->work.macs_known, (double)row->work.macs, "unknown");
    add_figure(t, true, op_work_gflops(&row->work, us), "-");
    add_figure(t, row->work.bytes_known, (double)row->work.bytes, "unknown");
    add_figure(t, true, op_work_gbytes(&row->work, us), "-");
    add_figure(t, true, op_profile_limit_percent(p, i), "-");
}

static void put_nested(struct report *r, struct json *o, const struct op_row *row)
{
    struct json *list = json_array(r, o, "nodes");

    for (uint32_t k = 0; k < row->n_nodes; k++)
        json_number(r, list, NULL, row->nodes[k]);
    if (row->tensor)
        report_tensor(r, o, "tensor", row->tensor);
    else
        json_null(r, o, "tensor");
}

static void add_text_or_null(struct result_table *t, const char *text)
{
    if (text)
        result_text(t, "%s", text);
    else
        result_none(t);
}

static void add_row(struct result_table *t, struct report *r, const struct op_profile *p, const struct op_line *line)
{
    const struct op_row *row = line->row;
    const size_t i = (size_t)(row - p->rows);
    const char *detail = row->detail ? row->detail : "", *copies = op_row_copies(row) ? "; only copies: " : "",
               *why = op_row_copies(row) ? row->why_copy : "";
    char value[PAGE_VALUE_SIZE];
    struct json *list;

    result_number(t, (double)i);
    result_text(t, "%s", line->type);
    result_text(t, "%s", row->name);
    add_text_or_null(t, row->detail);
    add_text_or_null(t, op_row_copies(row) ? row->why_copy : NULL);
    result_text(t, "%s", row->backend);
    result_number(t, row->partition);
    if (result_row(t))
        put_nested(r, result_row(t), row);
    result_number(t, line->avg_us / 1e3);
    result_text(t, "%s", row->timed ? page_in_ms(line->avg_us, value) : "no time");
    result_number(t, line->percent);
    result_text(t, "%s%s%s", detail, copies, why);
    result_number(t, (double)i);
    add_work(t, p, i);
    result_bool(t, row->timed);
    RESULT_NUMBERS(t, row->first_us, line->avg_us, line->percent);
    list = result_row(t) ? json_array(r, result_row(t), "samples_us") : NULL;
    for (uint32_t k = 0; list && k < p->runs; k++)
        json_number(r, list, NULL, row->us[k]);
    result_text(t, "%s", row->tensor ? TENSOR_TEXT(row->tensor) : "");
    result_text(t, "%.511s%s%s%s", detail, copies, why, row->timed ? "" : " (no time from the driver)");
}

static void put_copies(struct report *r, struct json *in, const struct op_copies *copies)
{
    if (copies->of)
        JSON_NUMBERS(r, json_object(r, in, "copies"), {"count", copies->n}, {"dispatches", copies->of}, {"avg_us", copies->avg_us},
                     {"percent", copies->percent});
    else
        json_null(r, in, "copies");
}

static struct json *put_profile(struct report *r, const struct op_profile *p, const struct op_copies *copies)
{
    struct json *o = json_object(r, report_root(r), "profile");

    json_number(r, o, "runs", p->runs);
    report_stats(r, o, "total_us", &p->total, p->total_us);
    report_stats(r, o, "wall_us", &p->wall, p->wall_us);
    put_copies(r, o, copies);
    return json_array(r, o, "rows");
}

static enum status add_work_rows(struct result_section *to, struct report *r, struct json *list, const struct op_profile *p,
                                 const struct op_copies *copies, struct err *err)
{
    struct arena arena = {0};
    struct op_line *lines;
    enum status st = op_profile_rows(p, OP_ORDER_RUN, &arena, &lines, err);
    struct result_table *t;

    add_title(to, "Work by row");
    t = results_table(to, columns, COUNT(columns), list);
    for (size_t i = 0; i < p->n_rows && !st; i++)
        add_row(t, r, p, &lines[i]);
    if (copies->of) /* nothing where no delegate tells */
        result_line(to, RESULT_TITLE, "Only copy: %u of %u dispatches, %.3f ms, %.1f%% of the time of all rows", copies->n,
                    copies->of, copies->avg_us / 1e3, copies->percent);
    result_gap(to);
    arena_free(&arena);
    return st;
}

static enum status add_operators(struct result_section *to, const struct op_profile *p, const struct op_copies *copies,
                                 struct err *err)
{
    char value[PAGE_VALUE_SIZE], name[PAGE_VALUE_SIZE], runs[SAY_COUNT_SIZE];
    struct op_line *types, *rows;
    struct arena arena = {0};
    struct result_table *t;
    size_t n_types;
    enum status st;

    if ((st = op_profile_types(p, &arena, &types, &n_types, err)) || (st = op_profile_rows(p, OP_ORDER_TIME, &arena, &rows, err)))
        goto out;
    result_line(to, RESULT_NOTE, "From %s of their own, each step timed: %s a run together.", say_count(p->runs, "run", runs),
                page_ms(p->total.avg, value));
    for (size_t i = 0; i < n_types; i++) {
        snprintf(name, sizeof name, "%s (%u)", types[i].type, types[i].n_rows);
        result_bar(to, name, types[i].percent / 100, "%s, %.1f %%", page_ms(types[i].avg_us, value), types[i].percent);
    }
    t = results_table(to, columns, COUNT(columns), NULL);
    for (size_t i = 0; i < p->n_rows; i++)
        add_row(t, NULL, p, &rows[i]);
    result_line(to, RESULT_NOTE,
                "The longest first; row is the place in the order of execution. MMAC: millions of multiply-accumulates, from the "
                "shapes; GFLOP/s counts two operations for each. kB: what is read from outside and written for others, each tensor "
                "once. limit: the least time that a device of the probe's figures takes for it, in percent of the time it took. A "
                "node that takes several rows has its work in the first, over the time of all.");
    if (copies->of)
        result_line(to, RESULT_NOTE, "Only copy: %u of %u dispatches, %s, %.1f %% of the time of all rows.", copies->n, copies->of,
                    page_ms(copies->avg_us, value), copies->percent);
out:
    arena_free(&arena);
    return st;
}

enum status profile_results(const struct profile_sections *to, struct report *r, const struct op_profile *p, struct err *err)
{
    const struct op_copies copies = op_profile_copies(p);
    enum status st;

    if (!p->runs) {
        json_null(r, report_root(r), "profile");
        result_line(to->operators, RESULT_NOTE, "Not profiled: --enable_op_profiling does it.");
        return ST_OK;
    }
    st = add_work_rows(to->work, r, put_profile(r, p, &copies), p, &copies, err);
    return st ? st : add_operators(to->operators, p, &copies, err);
}

/* ---- CSV ---- */

struct result_table *profile_csv_table(struct result_section *to)
{
    static const char *const keys[] = {"phase",  "row",          "node_type",     "backend",    "partition", "nodes",
                                       "name",   "variant",      "output",        "first_us",   "avg_us",    "median_us",
                                       "min_us", "max_us",       "percent",       "work_row",   "macs",      "gflops",
                                       "bytes",  "gbytes_per_s", "limit_percent", "copy_reason"};
    struct result_column list[COUNT(keys)] = {{.key = NULL}};

    for (size_t i = 0; i < COUNT(keys); i++)
        list[i].key = keys[i];
    return results_table(to, list, COUNT(keys), NULL);
}

static void add_csv_nodes(struct result_table *t, const struct op_row *row)
{
    result_text(t, "%s", "");
    for (uint32_t i = 0; i < row->n_nodes; i++)
        result_append(t, "%s%u", i ? " " : "", row->nodes[i]);
}

static void add_csv_count(struct result_table *t, bool known, uint64_t count)
{
    if (known)
        result_text(t, "%" PRIu64, count);
    else
        result_none(t);
}

static void add_csv_work(struct result_table *t, const struct op_profile *p, size_t i)
{
    const struct op_work *work = &p->rows[i].work;
    const double us = op_profile_work_us(p, i);
    const bool here = p->rows[i].work_row == i;

    result_number(t, p->rows[i].work_row);
    add_csv_count(t, here && work->macs_known, work->macs);
    result_number(t, here ? op_work_gflops(work, us) : NAN);
    add_csv_count(t, here && work->bytes_known, work->bytes);
    RESULT_NUMBERS(t, here ? op_work_gbytes(work, us) : NAN, here ? op_profile_limit_percent(p, i) : NAN);
}

enum status profile_csv_rows(struct result_table *t, const char *phase, const struct op_profile *p, struct err *err)
{
    struct arena arena = {0};
    struct op_line *lines;
    struct stats us = {0};
    enum status st = op_profile_rows(p, OP_ORDER_RUN, &arena, &lines, err);

    for (size_t i = 0; i < p->n_rows && !st; i++) {
        const struct op_row *row = &p->rows[i];

        if ((st = stats_of(row->us, p->runs, &us, err)))
            break;
        result_text(t, "%s", phase);
        result_number(t, (double)i);
        result_text(t, "%s", row->type);
        result_text(t, "%s", row->backend);
        result_number(t, row->partition);
        add_csv_nodes(t, row);
        result_text(t, "%s", row->name);
        result_text(t, "%s", row->detail ? row->detail : "");
        result_text(t, "%s", row->tensor ? TENSOR_TEXT(row->tensor) : "");
        for (size_t k = 0; k < 6; k++)
            result_number(t, row->timed ? (double[]){us.first, us.avg, us.median, us.min, us.max, lines[i].percent}[k] : NAN);
        add_csv_work(t, p, i);
        result_text(t, "%s", row->why_copy ? row->why_copy : "");
    }
    arena_free(&arena);
    return st;
}
