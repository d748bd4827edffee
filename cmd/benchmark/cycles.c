/* SPDX-License-Identifier: Apache-2.0 */
/* cycles.c - what the process holds after each cycle, and its growth from cycle to cycle. */
#include "cmd/benchmark/cycles.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/results.h"
#include "cmd/tool/report_parts.h"
#include "cmd/tool/signatures.h"
#include "lib/base/outcome.h"
#include "lib/measure/growth.h"

enum { LEAST_CYCLES = 5, OWN_KINDS = 4, HOST_KINDS = 3, MOST_KINDS = 24, USUAL_RUNS = 10 };

/* What may grow. Memory has an allowance; a file, a thread or an object of a driver has none. */
struct kind {
    const char *key, *title;
    double unit; /* of the table, in those of `after` */
    bool memory;
    double *after; /* [n] cycles */
    struct growth growth;
    bool grows;
};

static const struct kind own[OWN_KINDS] = {{"heap_bytes", "heap kB", 1e3, true},
                                           {"anonymous_bytes", "resident kB", 1e3, true},
                                           {"files", "open files", 1, false},
                                           {"threads", "threads", 1, false}};
static const struct kind of_host[HOST_KINDS] = {{"library_anonymous_bytes", "resident kB of the library", 1e3, true},
                                                {"library_files", "open files of the library", 1, false},
                                                {"library_threads", "threads of the library", 1, false}};

struct cycles {
    struct kind kinds[MOST_KINDS]; /* [n_kinds] our own, then those of a library's process, then objects of drivers */
    int n_kinds;
    size_t n, first;                        /* before the first one looked at, caches of drivers and of the C library fill */
    int32_t runs;                           /* in each cycle */
    struct delegate *ds[MAX_DELEGATES + 1]; /* between two cycles: those of a library in a process of its own, which stays */
    bool lasting;                           /* there are such */
    struct arena arena;
};

static enum status run(struct benchmark *b, int32_t runs, struct err *err)
{
    enum status st = ST_OK;

    for (int32_t i = 0; i < runs && !st && !interrupted(); i++)
        st = session_run(b->session, err);
    return st == ST_LATER && interrupted() ? ST_OK : st;
}

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
    return st ? st : run(b, runs, err);
}

static void close_all(struct benchmark *b, struct cycles *c)
{
    session_free(b->session);
    b->session = NULL;
    for (uint32_t i = 0; c->ds[i]; i++) {
        delegate_close(c->ds[i]);
        c->ds[i] = NULL;
    }
    tool_close_model(&b->tool);
}

/* The process of a library that has one of its own ends with its model, and all that it holds: it stays, so that something can
 * grow. */
static enum status one_cycle(struct benchmark *b, struct cycles *c, struct err *err)
{
    enum status st = b->session ? run(b, c->runs, err) : open_and_run(b, c->ds, c->runs, err);

    c->lasting = c->ds[0] && c->ds[0]->library;
    if (!c->lasting)
        close_all(b, c);
    return st;
}

/* Flags of times and of what is written are not dropped in silence. */
static enum status check_flags(const struct benchmark *b, struct err *err)
{
    static const char *const without[] = {"html",      "markdown",        "percentiles", "min_secs",
                                          "max_secs",  "warmup_runs",     "gpu_io",      "warmup_min_secs",
                                          "run_delay", "warmup_max_secs", "machine_root"};
    enum status st = cli_refuse(&b->tool.cli, without, sizeof without / sizeof *without, "with --cycles, which times no runs", err);

    st = st ? st : benchmark_check_single(b, "--cycles", err);
    if (!st && b->measure.cycles < LEAST_CYCLES)
        st = err_set(err, ST_USAGE, "--cycles=%d: growth has an interval from %d cycles on", b->measure.cycles, LEAST_CYCLES);
    return st;
}

static void add_kinds(struct cycles *c, const struct kind *list, int n)
{
    memcpy(c->kinds + c->n_kinds, list, (size_t)n * sizeof *list);
    c->n_kinds += n;
}

/* The objects that the types of the delegates count; asking makes them count. */
static struct delegate_facts objects_now(const struct benchmark *b)
{
    struct delegate_wanted wanted[MAX_DELEGATES];
    const uint32_t n = delegates_list(&b->tool.delegates, wanted);
    struct delegate_facts facts = {0};

    for (uint32_t i = 0; i < n && i < MAX_DELEGATES; i++) {
        const struct delegate_type *type = wanted[i].choice->type;

        if (type->held && (!i || wanted[i - 1].choice->type != type))
            type->held(&facts);
    }
    return facts;
}

/* "gl_buffers" of "GL buffers". */
static char *key_of(struct arena *a, const char *title)
{
    char *key = arena_strdup(a, title);

    for (char *at = key; at && *at; at++)
        *at = *at == ' ' ? '_' : (char)tolower((unsigned char)*at);
    return key;
}

static enum status find_kinds(const struct benchmark *b, struct cycles *c, const struct delegate_facts *objects, struct err *err)
{
    const uint32_t room = MOST_KINDS - OWN_KINDS - HOST_KINDS;
    bool made = true;

    add_kinds(c, own, OWN_KINDS);
    if (c->lasting)
        add_kinds(c, of_host, HOST_KINDS);
    for (uint32_t i = 0; i < objects->n && i < room; i++)
        add_kinds(c, &(struct kind){key_of(&c->arena, objects->list[i].name), objects->list[i].name, 1, false}, 1);
    for (int k = 0; k < c->n_kinds; k++) {
        c->kinds[k].after = arena_alloc(&c->arena, (size_t)b->measure.cycles, sizeof *c->kinds[k].after);
        made &= c->kinds[k].after && c->kinds[k].key;
    }
    return made ? ST_OK : err_set(err, ST_NOMEM, "out of memory for %d cycles", b->measure.cycles);
}

static void note(struct cycles *c, const struct delegate_facts *objects)
{
    const struct held h = held_now(), lib = c->lasting ? held_by(c->ds[0]->library->process_id) : h;
    const double values[] = {h.heap_bytes, h.anonymous_bytes, h.files, h.threads, lib.anonymous_bytes, lib.files, lib.threads};
    const int n = OWN_KINDS + (c->lasting ? HOST_KINDS : 0);

    for (int k = 0; k < c->n_kinds; k++)
        c->kinds[k].after[c->n] = k < n ? values[k] : (double)objects->list[k - n].value;
    c->n++;
}

static enum status run_cycles(struct benchmark *b, struct cycles *c, struct err *err)
{
    struct delegate_facts objects = objects_now(b);
    enum status st = ST_OK;

    interrupt_catch();
    while (c->n < (size_t)b->measure.cycles && !interrupted() && !(st = one_cycle(b, c, err))) {
        objects = objects_now(b);
        if (!c->n && (st = find_kinds(b, c, &objects, err)))
            break;
        note(c, &objects);
    }
    close_all(b, c);
    return st;
}

static enum status judge(struct cycles *c, double max_growth, struct err *err)
{
    enum status st = ST_OK;

    c->first = c->n / 4;
    for (int i = 0; i < c->n_kinds && !st; i++) {
        struct kind *k = &c->kinds[i];

        if (c->n && isnan(k->after[c->n - 1]))
            k->growth = (struct growth){NAN, {NAN, NAN}};
        else
            st = growth_of(k->after + c->first, c->n - c->first, &k->growth, err);
        k->grows = k->growth.interval.low > (k->memory ? max_growth : 0);
    }
    return st;
}

static bool anything_grows(const struct cycles *c)
{
    bool grows = false;

    for (int k = 0; k < c->n_kinds; k++)
        grows |= c->kinds[k].grows;
    return grows;
}

/* Ctrl-C may come before there is an interval: then nothing is known, and nothing passed. */
static bool passed(const struct cycles *c)
{
    return c->n >= LEAST_CYCLES && !anything_grows(c);
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

    for (int i = 0; i < c->n_kinds; i++) {
        const struct kind *k = &c->kinds[i];
        const struct growth *g = &k->growth;

        result_text(t, "%s", k->title);
        if (isnan(g->slope)) {
            result_skip(t, 1);
            result_text(t, "not measured here");
            continue;
        }
        result_number(t, k->after[c->first] / k->unit);
        result_number(t, k->after[c->n - 1] / k->unit);
        result_text(t, "%.3g%s", g->slope, k->memory ? " bytes" : "");
        if (isnan(g->interval.low))
            result_none(t);
        else
            result_text(t, "%.3g to %.3g", g->interval.low, g->interval.high);
        result_text(t, "%s", k->grows ? "GROWS" : isnan(g->interval.low) ? "too few cycles" : "ok");
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
    json_bool(out, root, "passed", passed(c));
    json_bool(out, root, "interrupted", interrupted());
    list = json_array(out, root, "held");
    for (int k = 0; k < c->n_kinds; k++) {
        const struct kind *kind = &c->kinds[k];
        struct json *o = json_object(out, list, NULL), *values;

        json_string(out, o, "what", kind->key);
        JSON_NUMBERS(out, o, {"growth", kind->growth.slope}, {"growth_low", kind->growth.interval.low},
                     {"growth_high", kind->growth.interval.high});
        json_bool(out, o, "grows", kind->grows);
        values = json_array(out, o, "after_cycles");
        for (size_t i = 0; i < c->n; i++)
            json_number(out, values, NULL, kind->after[i]);
    }
}

static enum status say_cycles(const struct benchmark *b, const struct cycles *c, struct err *err)
{
    char count[SAY_COUNT_SIZE];
    struct results r;
    enum status st;

    results_init(&r, NULL, 1, *b->tool.json != '\0');
    result_line(r.parts[0], RESULT_PLAIN, "%s of %s%d runs%s; growth from cycle %zu on", say_count(c->n, "cycle", count),
                c->lasting ? "" : "load, prepare, ", c->runs,
                c->lasting ? " in one process of the library, which has loaded the model once" : ", close", c->first + 1);
    result_gap(r.parts[0]);
    add_table(&r, c);
    result_gap(r.parts[0]);
    if (anything_grows(c))
        result_line(r.parts[0], RESULT_PLAIN,
                    "FAILED: more than %g bytes of memory, or a file, thread or object, stay behind in each cycle.",
                    b->measure.max_growth);
    else if (!passed(c))
        result_line(r.parts[0], RESULT_PLAIN, "interrupted: growth has an interval from %d cycles on.", LEAST_CYCLES);
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
        code = outcome_exit_code(outcome_of(passed(&c), interrupted()));
    arena_free(&c.arena);
    return code;
}
