/* SPDX-License-Identifier: Apache-2.0 */
/* concurrent_results.c - workers alone and together: a table, a matrix of slow-downs, the answer in a few lines; the report
 * "benchmark_concurrent". */
#include <math.h>
#include <string.h>

#include "cmd/benchmark/benchmark_results.h"
#include "cmd/benchmark/concurrent.h"
#include "cmd/host/environment.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/tool/page_parts.h"
#include "cmd/tool/report_parts.h"
#include "lib/base/clock.h"

enum { IN_DOUBTS, IN_WORKERS, IN_MATRIX, IN_ANSWER, IN_ENVIRONMENT, PARTS };

enum { MATRIX_SEED = 1, FEW_RUNS = 10 };

#define COLUMN(name) .title = (name), .heading = (name)

bool concurrent_passed(const struct concurrent *c)
{
    bool equal = true;

    for (uint32_t i = 0; i < c->n_workers; i++)
        equal &= !*c->shared->workers[i].difference;
    return equal;
}

static void add_interval(struct result_table *t, const struct interval *of, bool ms)
{
    char low[SUMMARY_MS_SIZE], high[SUMMARY_MS_SIZE];

    if (isnan(of->low))
        result_none(t);
    else if (ms)
        result_text(t, "%s to %s", summary_ms(of->low, low), summary_ms(of->high, high));
    else
        result_text(t, "%.3g to %.3g", of->low, of->high);
}

/* ---- workers ---- */

static void add_worker(struct result_table *t, const struct concurrent *c, uint32_t i)
{
    const struct worker *w = &c->shared->workers[i];
    const struct worker_figures *f = &c->figures[i];
    char ms[SUMMARY_MS_SIZE];

    result_text(t, "%u", i + 1);
    result_text(t, "%s", c->labels[c->model_of[i]]);
    if (*w->label)
        result_text(t, "%u %s, %u CPU", w->n_delegated, w->label, w->n_cpu);
    else
        result_text(t, "%u CPU", w->n_cpu);
    result_text(t, "%s", f->alone.count ? summary_ms(f->alone.median, ms) : "-");
    result_text(t, "%s", f->together.count ? summary_ms(f->together.median, ms) : "-");
    if (f->together.count)
        add_interval(t, &f->together.median_interval, true);
    else
        result_none(t);
    result_text(t, "%zu", f->together.count);
    if (isnan(f->slow_down.ratio))
        result_none(t);
    else
        result_text(t, "%.3g", f->slow_down.ratio);
    add_interval(t, &f->slow_down.interval, false);
    result_text(t, *w->difference ? "DIFFER" : "equal");
}

static void add_workers(struct results *r, const struct concurrent *c)
{
    static const struct result_column columns[] = {{COLUMN("worker"), .right = true},
                                                   {COLUMN("model")},
                                                   {COLUMN("nodes")},
                                                   {COLUMN("alone ms"), .right = true},
                                                   {COLUMN("together ms"), .right = true},
                                                   {COLUMN("95 % interval"), .right = true},
                                                   {COLUMN("runs"), .right = true},
                                                   {COLUMN("slow-down"), .right = true},
                                                   {COLUMN("95 % interval"), .right = true},
                                                   {COLUMN("outputs")}};
    struct result_table *t = results_table(r->parts[IN_WORKERS], columns, sizeof columns / sizeof *columns, NULL);

    for (uint32_t i = 0; i < c->n_workers; i++)
        add_worker(t, c, i);
}

static void put_slow_down(struct report *r, struct json *in, const struct median_ratio *slow_down)
{
    struct json *o = json_object(r, in, "slow_down");

    JSON_NUMBERS(r, o, {"ratio", slow_down->ratio}, {"low", slow_down->interval.low}, {"high", slow_down->interval.high});
}

static void put_workers(struct report *r, const struct concurrent *c)
{
    struct json *list = json_array(r, report_root(r), "workers");

    for (uint32_t i = 0; i < c->n_workers; i++) {
        const struct worker *w = &c->shared->workers[i];
        const struct worker_figures *f = &c->figures[i];
        struct json *o = json_object(r, list, NULL);

        json_number(r, o, "model", c->model_of[i]);
        json_string(r, o, "device", *w->device ? w->device : NULL);
        JSON_NUMBERS(r, o, {"delegated", w->n_delegated}, {"cpu", w->n_cpu}, {"init_us", w->init_us});
        report_stats(r, o, "alone_us", &f->alone, c->mixes[c->model_of[i]].counted[0].samples.us);
        report_stats(r, o, "together_us", &f->together, c->mixes[c->n_mixes - 1].counted[i].samples.us);
        put_slow_down(r, o, &f->slow_down);
        json_number(r, o, "relative_throughput", c->relative[i]);
        json_number(r, o, "runs_compared", (double)w->compared);
        json_string(r, o, "difference", *w->difference ? w->difference : NULL);
    }
}

/* ---- the matrix ---- */

/* How much member `i` of a pair is slower than alone. */
static enum status pair_slow_down(const struct concurrent *c, const struct mix *pair, uint32_t i, struct median_ratio *out,
                                  struct err *err)
{
    const struct samples *alone = &c->mixes[c->model_of[pair->members[i]]].counted[0].samples;

    return median_ratio(alone->us, alone->n, pair->counted[i].samples.us, pair->counted[i].samples.n, MATRIX_SEED, out, err);
}

/* The slow-down of model `of` beside `with`; NAN if that was not measured. Of two instances of one model the first is taken. */
static enum status beside(const struct concurrent *c, uint32_t of, uint32_t with, struct median_ratio *out, struct err *err)
{
    *out = (struct median_ratio){NAN, {NAN, NAN}};
    for (uint32_t k = c->n_models; k < c->n_mixes; k++) {
        const struct mix *m = &c->mixes[k];

        for (uint32_t i = 0; i < 2 && m->n == 2; i++)
            if (c->model_of[m->members[i]] == of && c->model_of[m->members[1 - i]] == with)
                return pair_slow_down(c, m, i, out, err);
    }
    return ST_OK;
}

static void add_cell(struct result_table *t, const struct median_ratio *r)
{
    if (isnan(r->ratio))
        result_none(t);
    else if (isnan(r->interval.low))
        result_text(t, "%.3g", r->ratio);
    else
        result_text(t, "%.3g (%.3g to %.3g)", r->ratio, r->interval.low, r->interval.high);
}

static void put_cell(struct report *r, struct json *list, uint32_t of, uint32_t with, const struct median_ratio *slow_down)
{
    struct json *o;

    if (isnan(slow_down->ratio))
        return;
    o = json_object(r, list, NULL);
    JSON_NUMBERS(r, o, {"model", of}, {"beside", with});
    put_slow_down(r, o, slow_down);
}

static enum status add_matrix(struct results *r, const struct concurrent *c, struct err *err)
{
    static const struct result_column columns[] = {
        {COLUMN("slow-down of")}, {COLUMN("beside")}, {COLUMN("slow-down"), .right = true}};
    struct json *list = json_array(r->report, report_root(r->report), "pairs");
    struct result_table *t = c->n_workers > 2 ? results_table(r->parts[IN_MATRIX], columns, 3, NULL) : NULL;

    for (uint32_t of = 0; of < c->n_models; of++)
        for (uint32_t with = 0; with < c->n_models; with++) {
            struct median_ratio slow_down;
            const enum status st = beside(c, of, with, &slow_down, err);

            if (st)
                return st;
            put_cell(r->report, list, of, with, &slow_down);
            if (isnan(slow_down.ratio))
                continue;
            result_text(t, "%s", c->labels[of]);
            result_text(t, "%s", c->labels[with]);
            add_cell(t, &slow_down);
        }
    return ST_OK;
}

/* ---- the answer ---- */

static const char *context_words(const struct concurrent *c)
{
    bool wanted = false;

    for (uint32_t i = 0; i < c->n_workers; i++)
        wanted |= delegates_wanted(&c->benches[i]->tool.delegates) != NULL;
    if (!wanted)
        return "";
    return c->shared->share_context ? ", one GL context for all" : ", delegates of their own";
}

static void add_outputs(struct result_section *to, const struct concurrent *c)
{
    uint64_t compared = 0;

    for (uint32_t i = 0; i < c->n_workers; i++)
        compared += c->shared->workers[i].compared;
    if (concurrent_passed(c))
        result_line(to, RESULT_TITLE | RESULT_GOOD, "  outputs of %llu runs are equal in every bit to those of a first run alone",
                    (unsigned long long)compared);
    for (uint32_t i = 0; i < c->n_workers; i++)
        if (*c->shared->workers[i].difference)
            result_line(to, RESULT_TITLE | RESULT_BAD, "  FAILED: worker %u, %s, %s", i + 1, c->labels[c->model_of[i]],
                        c->shared->workers[i].difference);
}

static size_t least_runs(const struct concurrent *c)
{
    size_t least = SIZE_MAX;

    for (uint32_t i = 0; i < c->n_workers; i++)
        least = c->figures[i].together.count < least ? c->figures[i].together.count : least;
    return least;
}

static void add_trust(struct result_section *to, const struct concurrent *c)
{
    struct machine_advice advice[MACHINE_MAX_ADVICE];
    const size_t n = machine_advice(&c->machine_start, &c->machine_end, environment_read().cores, advice);
    const size_t runs = least_runs(c);

    if (interrupted())
        result_line(to, RESULT_TITLE | RESULT_FAIR, "  trust LOW: interrupted: let it finish");
    else if (n)
        result_line(to, RESULT_TITLE | RESULT_FAIR, "  trust LOW: %s: rerun when the machine is idle and cool", advice[0].brief);
    else if (runs < FEW_RUNS)
        result_line(to, RESULT_TITLE | RESULT_FAIR, "  trust LOW: only %zu runs together: raise --num_runs", runs);
    else
        result_line(to, RESULT_TITLE | RESULT_GOOD, "  trust OK: at least %zu runs together of each", runs);
}

static void add_answer(struct result_section *to, const struct concurrent *c)
{
    double least = INFINITY, most = 0;

    for (uint32_t i = 0; i < c->n_workers; i++) {
        least = fmin(least, c->figures[i].slow_down.ratio);
        most = fmax(most, c->figures[i].slow_down.ratio);
    }
    result_line(to, RESULT_TITLE, "RESULT %u workers at the same time, each in a %s of its own%s", c->n_workers,
                c->processes ? "process" : "thread", context_words(c));
    if (least_runs(c)) {
        result_line(to, RESULT_TITLE, "  slow-down %.3g to %.3g  fairness %.3g (Jain's index; 1: all slowed alike)", least, most,
                    c->fairness);
        result_line(to, RESULT_TITLE, "  throughput %.3g times that of one after the other", c->total);
    }
    add_outputs(to, c);
    add_trust(to, c);
}

static void add_doubts(struct result_section *to, const struct concurrent *c)
{
    struct machine_advice advice[MACHINE_MAX_ADVICE];
    const size_t n = machine_advice(&c->machine_start, &c->machine_end, environment_read().cores, advice);

    for (uint32_t i = 0; i < c->n_workers; i++)
        if ((!i || c->model_of[i] != c->model_of[i - 1]) && bench_scattered(&c->figures[i].alone))
            result_line(to, RESULT_WARNING, "the run times scatter by %.0f%% of their mean: %s alone", 100 * c->figures[i].alone.cv,
                        c->labels[c->model_of[i]]);
    for (uint32_t k = 0; k < c->n_mixes; k++)
        if (c->mixes[k].short_of_runs) {
            result_line(to, RESULT_WARNING, "--max_secs=%g ended the runs of a combination before all had --num_runs=%d",
                        c->asked->flags.max_secs, c->asked->flags.num_runs);
            break;
        }
    for (size_t i = 0; i < n; i++)
        result_line(to, RESULT_WARNING, "%s", advice[i].text);
}

/* ---- all of it ---- */

static void put_head(struct report *r, const struct concurrent *c)
{
    struct json *root = report_root(r), *models;
    double secs = 0;

    report_origin(r, &c->asked->tool, "benchmark_concurrent");
    json_bool(r, root, "interrupted", interrupted());
    json_bool(r, root, "passed", concurrent_passed(c));
    json_string(r, root, "by", c->processes ? "processes" : "threads");
    json_bool(r, root, "shared_context", c->shared->share_context);
    for (uint32_t k = 0; k < c->n_mixes; k++)
        secs += c->mixes[k].secs;
    JSON_NUMBERS(r, root, {"elapsed_seconds", (double)(clock_ns() - c->asked->start_ns) / 1e9}, {"measured_seconds", secs},
                 {"rounds", c->rounds}, {"fairness", c->fairness}, {"total_throughput", c->total});
    models = json_array(r, root, "models");
    for (uint32_t m = 0; m < c->n_models; m++) {
        struct json *o = json_object(r, models, NULL);
        const struct benchmark *b = c->benches[m * (uint32_t)c->asked->measure.instances];

        JSON_STRINGS(r, o, {"label", c->labels[m]}, {"model_path", b->flags.graph});
    }
}

static enum status write_files(const struct results *r, const struct concurrent *c, struct err *err)
{
    static const int on_page[] = {IN_DOUBTS, IN_ANSWER, IN_WORKERS, IN_MATRIX, IN_ENVIRONMENT};
    const struct benchmark *b = c->asked;
    enum status st = ST_OK;

    if (*b->measure.markdown)
        st = results_write_markdown(r, (const int[]){IN_WORKERS, IN_MATRIX}, 2, b->measure.markdown, err);
    if (!st && *b->tool.json)
        st = report_write(r->report, b->tool.json, err);
    if (!st && *b->flags.html)
        st = results_write_page(r, on_page, sizeof on_page / sizeof *on_page, html_new("benchmark_model", c->labels[0]),
                                b->flags.html, err);
    return st;
}

enum status concurrent_report(const struct concurrent *c, struct err *err)
{
    static const char *const headings[PARTS] = {[IN_WORKERS] = "Alone and together",
                                                [IN_MATRIX] = "Slow-down in pairs",
                                                [IN_ANSWER] = "Result",
                                                [IN_ENVIRONMENT] = "Environment"};
    static const int in_text[] = {IN_WORKERS, IN_MATRIX, IN_DOUBTS, IN_ANSWER};
    struct results r;
    enum status st;

    results_init(&r, headings, PARTS, *c->asked->tool.json);
    put_head(r.report, c);
    put_workers(r.report, c);
    add_workers(&r, c);
    st = add_matrix(&r, c, err);
    add_doubts(r.parts[IN_DOUBTS], c);
    add_answer(r.parts[IN_ANSWER], c);
    page_add_environment(r.parts[IN_ENVIRONMENT], &c->asked->tool);
    st = st ? st : results_say_parts(&r, in_text, sizeof in_text / sizeof *in_text, err);
    st = st ? st : write_files(&r, c, err);
    results_fini(&r);
    return st;
}
