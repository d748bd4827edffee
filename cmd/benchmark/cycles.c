/* SPDX-License-Identifier: Apache-2.0 */
/* cycles.c - what the process holds after each cycle, and its growth from cycle to cycle. */
#include "cmd/benchmark/cycles.h"

#include <math.h>
#include <string.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/results.h"
#include "cmd/tool/report_parts.h"
#include "cmd/tool/signatures.h"
#include "lib/base/outcome.h"
#include "lib/measure/growth.h"

enum { KINDS = 4, USUAL_RUNS = 10 };

/* What may grow. Memory has an allowance; a file or a thread has none. */
static const struct kind {
    const char *key, *title;
    double unit; /* of the table, in those of struct held */
    bool memory;
} kinds[KINDS] = {{"heap_bytes", "heap kB", 1e3, true},
                  {"anonymous_bytes", "resident kB", 1e3, true},
                  {"files", "open files", 1, false},
                  {"threads", "threads", 1, false}};

struct cycles {
    double *held[KINDS]; /* [n] after each cycle */
    size_t n, first;     /* before the first one looked at, caches of drivers and of the C library fill */
    int32_t runs;        /* in each cycle */
    struct growth growth[KINDS];
    bool grows[KINDS];
    struct arena arena;
};

/* Everything from the model file to a result, as often as a cycle has runs. */
static enum status open_and_run(struct benchmark *b, struct delegate **ds, int32_t runs, struct err *err)
{
    struct delegate_wanted wanted[MAX_DELEGATES];
    const uint32_t n = delegates_list(&b->tool.delegates, wanted);
    enum status st = tool_open_model(&b->tool, "graph", b->flags.graph, err);

    st = st ? st : signatures_choose(b->tool.model, "signature_to_run_for", b->flags.signature, &b->tool.subgraph, err);
    if (st)
        return st;
    tool_open_shapes(&b->tool, b->input_flags.shapes);
    for (uint32_t i = 0; i < n && !st; i++)
        st = delegates_open_wanted(&b->tool.delegates, &wanted[i], false, &ds[i], err);
    st = st ? st : benchmark_new_session(b, b->flags.cpu_kernels, ds, &b->session, err);
    st = st ? st : inputs_fill(&b->inputs, b->session, 0, err);
    for (int32_t i = 0; i < runs && !st && !interrupted(); i++)
        st = session_run(b->session, err);
    return st;
}

static enum status one_cycle(struct benchmark *b, int32_t runs, struct err *err)
{
    struct delegate *ds[MAX_DELEGATES + 1] = {NULL};
    const enum status st = open_and_run(b, ds, runs, err);

    session_free(b->session);
    b->session = NULL;
    for (uint32_t i = 0; ds[i]; i++)
        delegate_close(ds[i]);
    tool_close_model(&b->tool);
    return st;
}

/* Flags of times and of what is written are not dropped in silence. */
static enum status check_flags(const struct benchmark *b, struct err *err)
{
    static const char *const without[] = {"html",        "markdown", "percentiles",     "min_secs",  "max_secs",
                                          "warmup_runs", "gpu_io",   "warmup_min_secs", "run_delay", "warmup_max_secs"};
    const struct cli_row *row;

    for (size_t i = 0; i < sizeof without / sizeof *without; i++)
        if ((row = cli_find(&b->tool.cli, without[i])) && row->given)
            return err_set(err, ST_USAGE, "--%s changes nothing with --cycles, which times no runs", without[i]);
    return benchmark_check_single(b, "--cycles", err);
}

static enum status run_cycles(struct benchmark *b, struct cycles *c, struct err *err)
{
    const size_t n = (size_t)b->measure.cycles;
    enum status st = ST_OK;

    for (int k = 0; k < KINDS; k++)
        if (!(c->held[k] = arena_alloc(&c->arena, n, sizeof **c->held)))
            return err_set(err, ST_NOMEM, "out of memory for %zu cycles", n);
    while (c->n < n && !interrupted() && !(st = one_cycle(b, c->runs, err))) {
        const struct held h = held_now();

        c->held[0][c->n] = h.heap_bytes;
        c->held[1][c->n] = h.anonymous_bytes;
        c->held[2][c->n] = h.files;
        c->held[3][c->n++] = h.threads;
    }
    return st;
}

static enum status judge(struct cycles *c, double max_growth, struct err *err)
{
    enum status st = ST_OK;

    c->first = c->n / 4;
    for (int k = 0; k < KINDS && !st; k++) {
        if (c->n && isnan(c->held[k][c->n - 1]))
            c->growth[k] = (struct growth){NAN, {NAN, NAN}};
        else
            st = growth_of(c->held[k] + c->first, c->n - c->first, &c->growth[k], err);
        c->grows[k] = c->growth[k].interval.low > (kinds[k].memory ? max_growth : 0);
    }
    return st;
}

static bool anything_grows(const struct cycles *c)
{
    bool grows = false;

    for (int k = 0; k < KINDS; k++)
        grows |= c->grows[k];
    return grows;
}

static void add_table(struct results *r, const struct cycles *c)
{
    static const struct result_column columns[] = {{.title = "after a cycle"},
                                                   {.title = "first", .number = "%.1f", .right = true},
                                                   {.title = "last", .number = "%.1f", .right = true},
                                                   {.title = "growth a cycle", .right = true},
                                                   {.title = "95 % interval", .right = true},
                                                   {.title = "verdict"}};
    struct result_table *t = results_table(r->parts[0], columns, sizeof columns / sizeof *columns, NULL);

    for (int k = 0; k < KINDS && c->n; k++) {
        const struct growth *g = &c->growth[k];
        const char *unit = kinds[k].memory ? " bytes" : "";

        result_text(t, "%s", kinds[k].title);
        if (isnan(g->slope)) {
            result_skip(t, 1);
            result_text(t, "not measured here");
            continue;
        }
        result_number(t, c->held[k][c->first] / kinds[k].unit);
        result_number(t, c->held[k][c->n - 1] / kinds[k].unit);
        result_text(t, "%.3g%s", g->slope, unit);
        if (isnan(g->interval.low))
            result_none(t);
        else
            result_text(t, "%.3g to %.3g", g->interval.low, g->interval.high);
        result_text(t, "%s", c->grows[k] ? "GROWS" : isnan(g->interval.low) ? "too few cycles" : "ok");
    }
}

static void add_json(struct results *r, const struct benchmark *b, const struct cycles *c)
{
    struct report *out = r->report;
    struct json *root = report_root(out), *list;

    report_origin(out, &b->tool, "benchmark_cycles");
    json_string(out, root, "model_path", b->flags.graph);
    JSON_NUMBERS(out, root, {"cycles", (double)c->n}, {"runs_per_cycle", c->runs}, {"first_judged", (double)c->first},
                 {"max_growth_bytes", b->measure.max_growth});
    json_bool(out, root, "passed", !anything_grows(c));
    json_bool(out, root, "interrupted", interrupted());
    list = json_array(out, root, "held");
    for (int k = 0; k < KINDS; k++) {
        struct json *o = json_object(out, list, NULL), *values;

        json_string(out, o, "what", kinds[k].key);
        JSON_NUMBERS(out, o, {"growth", c->growth[k].slope}, {"growth_low", c->growth[k].interval.low},
                     {"growth_high", c->growth[k].interval.high});
        json_bool(out, o, "grows", c->grows[k]);
        values = json_array(out, o, "after_cycles");
        for (size_t i = 0; i < c->n; i++)
            json_number(out, values, NULL, c->held[k][i]);
    }
}

static enum status say_cycles(const struct benchmark *b, const struct cycles *c, struct err *err)
{
    char count[SAY_COUNT_SIZE];
    struct results r;
    enum status st;

    results_init(&r, NULL, 1, *b->tool.json != '\0');
    result_line(r.parts[0], RESULT_PLAIN, "%s of load, prepare, %d runs, close; growth from cycle %zu on",
                say_count(c->n, "cycle", count), c->runs, c->first + 1);
    result_gap(r.parts[0]);
    add_table(&r, c);
    result_gap(r.parts[0]);
    if (anything_grows(c))
        result_line(r.parts[0], RESULT_PLAIN,
                    "FAILED: more than %g bytes of memory, or a file or thread, stay behind in each cycle.", b->measure.max_growth);
    else
        result_line(r.parts[0], RESULT_PLAIN, "passed: nothing is shown to grow by more than %g bytes a cycle.",
                    b->measure.max_growth);
    if (r.report)
        add_json(&r, b, c);
    st = results_say(r.parts[0], RESULT_TEXT, err);
    if (!st && r.report)
        st = report_write(r.report, b->tool.json, err);
    results_fini(&r);
    return st;
}

int cycles_main(struct benchmark *b)
{
    struct cycles c = {.runs = cli_find(&b->tool.cli, "num_runs")->given ? b->flags.num_runs : USUAL_RUNS};
    struct err err;
    enum status st = check_flags(b, &err);
    int code;

    st = st ? st : inputs_init(&b->inputs, &b->input_flags, RNG_UNIFORM, &err);
    if (!st)
        tool_echo(&b->tool);
    if (st || (st = run_cycles(b, &c, &err)) || (st = judge(&c, b->measure.max_growth, &err)) || (st = say_cycles(b, &c, &err)))
        code = say_error(st, &err);
    else
        code = outcome_exit_code(outcome_of(!anything_grows(&c), interrupted()));
    arena_free(&c.arena);
    return code;
}
