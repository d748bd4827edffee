/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_several.c - many models, one line each: those of a folder, or of the command line. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cmd/coverage/coverage_words.h"
#include "cmd/coverage/op_coverage.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/results.h"
#include "cmd/tool/models.h"
#include "cmd/tool/report_parts.h"
#include "cmd/tool/signatures.h"
#include "lib/base/outcome.h"

/* The answer of one of several rule sets about a model. */
struct coverage_row_set {
    const char *name, *title;
    struct coverage_answers answers;
    struct requirements requirements; /* judged */
};

/* One model, and the answer of the delegate or the first rule set about it; the row of totals holds the counts alone. */
struct coverage_row {
    const char *path;
    const char *signature;                   /* one of several of the model, if all were asked for; else NULL */
    enum status failed;                      /* ST_OK: the model was asked about */
    const char *reason;                      /* reason of the failure; else of the first node that is not covered, or "" */
    uint32_t nodes, covered, folded, to_run; /* as in struct coverage */
    uint32_t partitions;
    uint64_t macs, macs_covered, bytes_in, bytes_out;
    bool runs_nowhere, met;           /* met: true if all requirements are met */
    struct requirements requirements; /* judged */
    struct coverage_row_set *sets;    /* [n_sets] rule sets of --rules, the first again among them; none for a model that failed */
    uint32_t n_sets;
    struct coverage_change change; /* between two sets; its texts are in coverage_several.arena */
};

struct coverage_several {
    struct coverage_row *rows; /* [n], of which n_asked are filled: Ctrl-C */
    struct coverage_row total;
    bool of_cpu;        /* the CPU kernels were asked: there are no partitions */
    bool of_signatures; /* a row for each signature of each model */
    uint32_t n, n_asked, n_failed, n_full, n_met;
    struct arena arena;
};

bool coverage_is_several(const struct coverage_run *r)
{
    return models_are_several(&r->tool.cli, r->flags.graph) || signatures_are_all(r->flags.signature);
}

/* Flags of files that one model alone fills. */
static enum status check_flags(const struct coverage_run *r, struct err *err)
{
    static const char *const of_one[] = {"html", "dot", "node_data_dir", "extract_partitions", "times", "fix"};

    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++) {
        const struct cli_row *row = cli_find(&r->tool.cli, of_one[i]);
        char buf[CLI_VALUE_SIZE];

        if (row && *cli_value(row, buf))
            return err_set(err, ST_USAGE, "--%s is for one model, and there are several", of_one[i]);
    }
    return ST_OK;
}

/* What is kept of a model that was asked about. */
static void take_figures(struct coverage_run *r, struct coverage_row *row)
{
    const struct coverage *c = &r->coverage;

    row->nodes = c->n_verdicts, row->covered = c->covered, row->folded = c->folded, row->to_run = c->to_run;
    row->partitions = c->parts.n_parts;
    row->macs = c->macs, row->macs_covered = c->macs_covered;
    row->bytes_in = c->bytes_in, row->bytes_out = c->bytes_out;
    row->runs_nowhere = c->cannot_run != NULL;
    row->met = coverage_is_met(r);
    row->requirements = r->requirements;
}

static enum status take_sets(const struct coverage_run *r, struct coverage_row *row, struct arena *a, struct err *err)
{
    row->n_sets = r->n_columns;
    if (r->n_columns && !(row->sets = ARENA_ARRAY(a, r->n_columns, struct coverage_row_set)))
        return err_set(err, ST_NOMEM, "out of memory for the answers of %u rule sets", r->n_columns);
    for (uint32_t i = 0; i < r->n_columns; i++) {
        const struct coverage_column *c = &r->columns[i];

        row->sets[i] = (struct coverage_row_set){arena_strdup(a, c->name), arena_strdup(a, c->title),
                                                 coverage_answers_of(c->coverage), c->requirements};
        if (!row->sets[i].name || !row->sets[i].title)
            return err_set(err, ST_NOMEM, "out of memory for the name of a rule set");
    }
    return coverage_compare_rules(r, a, &row->change, err);
}

/* The reason of the first node that was itself refused, else of any that is not covered. */
static enum status take_reason(struct coverage_run *r, struct coverage_row *row, struct arena *a, struct err *err)
{
    const struct coverage *c = &r->coverage;
    const struct verdict *v = c->first_refused;
    char words[COVERAGE_WORDS_SIZE];

    for (uint32_t i = 0; i < c->n_verdicts && !v; i++)
        v = c->verdicts[i].why.code != REASON_NONE ? &c->verdicts[i] : NULL;
    row->reason = !v ? "" : arena_printf(a, "%u %s: %s", v->node->index, v->node->name, coverage_words(r, v, words));
    return row->reason ? ST_OK : err_set(err, ST_NOMEM, "out of memory for the line of a model");
}

static void add_to(struct coverage_row *total, const struct coverage_row *row)
{
    total->nodes += row->nodes, total->covered += row->covered, total->folded += row->folded, total->to_run += row->to_run;
    total->partitions += row->partitions;
    total->macs += row->macs, total->macs_covered += row->macs_covered;
    total->bytes_in += row->bytes_in, total->bytes_out += row->bytes_out;
}

/* A model that cannot be asked about keeps no other from being. */
static enum status ask_all(struct coverage_run *r, struct coverage_several *s, struct err *err)
{
    interrupt_catch();
    for (s->n_asked = 0; s->n_asked < s->n && !interrupted(); s->n_asked++) {
        struct coverage_row *row = &s->rows[s->n_asked];
        enum status st;

        r->flags.signature = row->signature ? row->signature : r->flags.signature;
        if ((row->failed = coverage_ask_model(r, row->path, err))) {
            if (strncmp(err->msg, row->path, strlen(row->path)) != 0)
                err_prefix(err, row->failed, "%s", row->path);
            say_error(row->failed, err);
            row->reason = arena_strdup(&s->arena, err->msg);
            s->n_failed++;
            st = row->reason ? ST_OK : err_set(err, ST_NOMEM, "out of memory for the line of a model");
        } else {
            take_figures(r, row);
            add_to(&s->total, row);
            s->n_full += row->covered == row->to_run && !row->runs_nowhere;
            s->n_met += row->met;
            st = take_reason(r, row, &s->arena, err);
            st = st ? st : take_sets(r, row, &s->arena, err);
        }
        coverage_forget_model(r);
        if (st)
            return st;
    }
    return ST_OK;
}

/* ---- members: "op_coverage_models" in schema/json/report.schema.json ---- */

static void put_counts(struct report *r, struct json *o, const struct coverage_row *row, bool known, bool partitions)
{
    JSON_NUMBERS(r, o, {"node_count", known ? row->nodes : NAN}, {"covered", known ? row->covered : NAN},
                 {"folded", known ? row->folded : NAN}, {"macs", known ? (double)row->macs : NAN},
                 {"macs_covered", known ? (double)row->macs_covered : NAN},
                 {"partition_count", known && partitions ? row->partitions : NAN},
                 {"bytes_in", known && partitions ? (double)row->bytes_in : NAN},
                 {"bytes_out", known && partitions ? (double)row->bytes_out : NAN});
}

static void put_sets(struct report *r, struct json *in, const struct coverage_row *row)
{
    struct json *list = json_array(r, in, "rules");

    for (uint32_t i = 0; i < row->n_sets; i++) {
        struct json *o = json_object(r, list, NULL);

        JSON_STRINGS(r, o, {"name", row->sets[i].name}, {"title", row->sets[i].title});
        coverage_put_answers(r, o, &row->sets[i].answers);
        coverage_put_requirements(r, o, &row->sets[i].requirements);
    }
}

static void put_row(struct report *r, struct json *o, const struct coverage_row *row, bool partitions)
{
    JSON_STRINGS(r, o, {"path", row->path}, {"signature", row->signature}, {"failure", row->failed ? row->reason : NULL});
    put_counts(r, o, row, !row->failed, partitions);
    json_string(r, o, "first_reason", row->failed || !*row->reason ? NULL : row->reason);
    if (row->failed)
        json_null(r, o, "met");
    else
        json_bool(r, o, "met", row->met);
    coverage_put_requirements(r, o, &row->requirements);
    put_sets(r, o, row);
    coverage_put_change(r, o, &row->change);
}

/* ---- lines and tables ---- */

static double share(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 100;
}

static void add_name(struct result_table *t, const struct coverage_row *row)
{
    result_text(t, "%s%s%.63s", row->path, row->signature ? " " : "", row->signature ? row->signature : "");
}

/* `whole`: of the CPU kernels, which have no partitions. */
static void add_figures(struct result_table *t, const struct coverage_row *row, bool whole)
{
    RESULT_NUMBERS(t, row->covered, row->to_run);
    result_text(t, "%.1f", share(row->covered, row->to_run));
    result_text(t, "%.1f", share(row->macs_covered, row->macs));
    if (whole) {
        result_none(t);
        result_none(t);
        return;
    }
    result_number(t, row->partitions);
    result_text(t, "%" PRIu64, row->bytes_in + row->bytes_out);
}

static void add_row(struct result_table *t, const struct coverage_row *row, bool whole)
{
    add_name(t, row);
    if (row->failed)
        result_text(t, "failed");
    else
        add_figures(t, row, whole);
    result_skip(t, 1);
    result_text(t, "%s", *row->reason ? row->reason : "-");
}

/* Of two sets: the counts of all models that were asked about. */
static void add_change(struct result_section *to, const struct coverage_several *s)
{
    uint32_t nodes = 0, n_of[COVERAGE_KINDS] = {0}, models[COVERAGE_KINDS] = {0}, asked = 0;
    const struct coverage_change *any = NULL;
    const char *row = s->of_signatures ? "row" : "model";
    char text[SAY_COUNT_SIZE], of[SAY_COUNT_SIZE];
    bool changed = false;

    for (uint32_t i = 0; i < s->n_asked; i++) {
        const struct coverage_change *c = &s->rows[i].change;

        any = c->from ? c : any;
        asked += c->from != NULL;
        nodes += c->nodes;
        for (enum coverage_kind k = COVERAGE_LOST; k < COVERAGE_KINDS; k++)
            n_of[k] += c->n_of[k], models[k] += c->n_of[k] > 0, changed |= c->n_of[k] > 0;
    }
    if (!any)
        return;
    result_gap(to);
    if (changed)
        result_line(to, RESULT_PLAIN, "From %s to %s: %s of %u lost in %u of %s, %u gained in %u", any->from, any->to,
                    say_count(n_of[COVERAGE_LOST], "node", text), nodes, models[COVERAGE_LOST], say_count(asked, row, of),
                    n_of[COVERAGE_GAINED], models[COVERAGE_GAINED]);
    else
        result_line(to, RESULT_PLAIN, "From %s to %s: no answer changes for any of %s in %s", any->from, any->to,
                    say_count(nodes, "node", text), say_count(asked, row, of));
    if (n_of[COVERAGE_OTHER])
        result_more(to, ", %u otherwise answered in %u", n_of[COVERAGE_OTHER], models[COVERAGE_OTHER]);
}

/* Who else was asked, and how many nodes each takes; of two sets also the nodes that the second loses and gains. */
static void add_sets(struct result_section *to, const struct coverage_several *s)
{
    struct result_column columns[1 + COVERAGE_MOST_COLUMNS] = {{.title = "nodes covered by"}};
    uint32_t total[COVERAGE_MOST_COLUMNS] = {0}, lost = 0, gained = 0, n = 0;
    struct result_table *t;
    bool two;

    for (uint32_t i = 0; i < s->n_asked && !n; i++)
        for (uint32_t k = 0; k < s->rows[i].n_sets; k++)
            columns[++n] = (struct result_column){.title = s->rows[i].sets[k].name, .right = true};
    if (n < 2)
        return;
    result_gap(to);
    if ((two = n == 2)) {
        columns[3] = (struct result_column){.title = "lost", .right = true};
        columns[4] = (struct result_column){.title = "gained", .right = true};
    }
    t = results_table(to, columns, 1 + n + (two ? 2 : 0), NULL);
    for (uint32_t i = 0; i < s->n_asked; i++) {
        const struct coverage_change *c = &s->rows[i].change;

        add_name(t, &s->rows[i]);
        for (uint32_t k = 0; k < n; k++)
            if (k < s->rows[i].n_sets) {
                result_number(t, s->rows[i].sets[k].answers.delegated);
                total[k] += s->rows[i].sets[k].answers.delegated;
            } else {
                result_text(t, "%s", k ? "-" : "failed");
            }
        if (two && c->from) {
            RESULT_NUMBERS(t, c->n_of[COVERAGE_LOST], c->n_of[COVERAGE_GAINED]);
            lost += c->n_of[COVERAGE_LOST], gained += c->n_of[COVERAGE_GAINED];
        } else if (two) {
            result_none(t);
            result_none(t);
        }
    }
    result_text(t, "all");
    for (uint32_t k = 0; k < n; k++)
        result_number(t, total[k]);
    if (two)
        RESULT_NUMBERS(t, lost, gained);
}

static void add_table(struct results *r, const struct coverage_several *s)
{
    static const struct result_column columns[] = {{.title = "model"},
                                                   {.title = "covered", .right = true},
                                                   {.title = "of", .right = true},
                                                   {.title = "%", .right = true},
                                                   {.title = "MACs %", .right = true},
                                                   {.title = "partitions", .right = true},
                                                   {.title = "bytes cross", .right = true},
                                                   {.title = "why not"}};
    struct result_table *t = results_table(r->parts[0], columns, sizeof columns / sizeof *columns, NULL);
    struct json *list = json_array(r->report, report_root(r->report), "models"), *o;

    for (uint32_t i = 0; i < s->n_asked; i++) {
        add_row(t, &s->rows[i], s->of_cpu);
        put_row(r->report, json_object(r->report, list, NULL), &s->rows[i], !s->of_cpu);
    }
    result_text(t, "all");
    add_figures(t, &s->total, s->of_cpu);
    result_none(t);
    o = json_object(r->report, report_root(r->report), "total");
    JSON_NUMBERS(r->report, o, {"model_count", s->n_asked}, {"failed", s->n_failed}, {"full", s->n_full});
    put_counts(r->report, o, &s->total, true, !s->of_cpu);
}

/* By all that were asked. */
static bool is_met(const struct coverage_row *row, uint32_t k)
{
    bool met = !row->failed && row->requirements.list[k].met;

    for (uint32_t i = 0; i < row->n_sets; i++)
        met &= row->sets[i].requirements.list[k].met;
    return met;
}

/* `by`: one of several rule sets, or NULL. */
static void add_unmet(struct result_section *to, const struct coverage_row *row, const struct requirements *q, const char *by)
{
    for (uint32_t k = 0; k < q->n; k++)
        if (!q->list[k].met)
            result_line(to, RESULT_PLAIN, "Not met by %.1023s%s%.127s: %.127s, %s", row->path, by ? ", " : "", by ? by : "",
                        q->list[k].text, q->list[k].found);
}

static void add_requirements(struct result_section *to, const struct coverage_several *s)
{
    const struct requirements *q = NULL;

    for (uint32_t i = 0; i < s->n_asked && !q; i++)
        q = s->rows[i].failed ? NULL : &s->rows[i].requirements;
    for (uint32_t k = 0; q && k < q->n; k++) {
        uint32_t met = 0;

        for (uint32_t i = 0; i < s->n_asked; i++)
            met += is_met(&s->rows[i], k);
        result_line(to, RESULT_PLAIN, "Required of each: %.127s: met by %u of %u models", q->list[k].text, met, s->n_asked);
    }
    for (uint32_t i = 0; i < s->n_asked; i++) {
        const struct coverage_row *row = &s->rows[i];

        if (!row->failed && row->n_sets < 2)
            add_unmet(to, row, &row->requirements, NULL);
        for (uint32_t k = 0; row->n_sets > 1 && k < row->n_sets; k++)
            add_unmet(to, row, &row->sets[k].requirements, row->sets[k].name);
    }
}

static void add_all(struct results *r, const struct coverage_several *s)
{
    struct result_section *to = r->parts[0];
    char models[SAY_COUNT_SIZE];

    add_table(r, s);
    add_sets(to, s);
    add_change(to, s);
    result_gap(to);
    result_line(to, RESULT_PLAIN, "%s: %u covered whole, %u in part or not, %u failed",
                say_count(s->n_asked, s->of_signatures ? "row" : "model", models), s->n_full, s->n_asked - s->n_full - s->n_failed,
                s->n_failed);
    if (s->n_asked < s->n)
        result_line(to, RESULT_PLAIN, "Interrupted: %u others were not asked about", s->n - s->n_asked);
    add_requirements(to, s);
}

static enum status report_all(const struct coverage_run *r, const struct coverage_several *s, struct err *err)
{
    struct results tree;
    struct result_section *all;
    enum status st;

    results_init(&tree, NULL, 1, *r->tool.json);
    all = tree.parts[0];
    report_origin(tree.report, &r->tool, "op_coverage_models");
    json_bool(tree.report, report_root(tree.report), "interrupted", s->n_asked < s->n);
    add_all(&tree, s);
    st = results_say(all, RESULT_TEXT, err);
    if (!st && *r->flags.markdown)
        st = results_write_markdown(&tree, (const int[]){0}, 1, r->flags.markdown, err);
    if (!st && *r->tool.json)
        st = report_write(tree.report, r->tool.json, err);
    results_fini(&tree);
    return st;
}

/* Of the first that failed, else whether all have what is required. */
static int exit_code(const struct coverage_several *s)
{
    for (uint32_t i = 0; i < s->n_asked; i++)
        if (s->rows[i].failed)
            return status_exit_code(s->rows[i].failed);
    return outcome_exit_code(outcome_of(s->n_met == s->n_asked, s->n_asked < s->n));
}

/* A row for each signature; a model without any, or one that cannot be opened, keeps its own. */
static enum status list_signatures(struct coverage_run *r, struct coverage_several *s, struct err *err)
{
    struct coverage_row *rows = NULL;
    uint32_t n = 0, room = 0;

    r->flags.signature = "";
    for (uint32_t i = 0; i < s->n; i++) {
        const bool open = !tool_open_model(&r->tool, "graph", s->rows[i].path, err);
        const uint32_t keys = open ? r->tool.model->n_signatures : 0;

        if (n + keys + 1 > room) {
            struct coverage_row *more = ARENA_ARRAY(&s->arena, room = 2 * (n + keys + 1), struct coverage_row);

            if (more && n)
                memcpy(more, rows, n * sizeof *rows);
            rows = more;
        }
        for (uint32_t k = 0; rows && k < (keys ? keys : 1); k++)
            rows[n++] = (struct coverage_row){.path = s->rows[i].path,
                                              .signature = keys ? arena_strdup(&s->arena, r->tool.model->signatures[k].key) : NULL};
        tool_close_model(&r->tool);
        if (!rows)
            return err_set(err, ST_NOMEM, "out of memory for the signatures of %u models", s->n);
    }
    s->rows = rows;
    s->n = n;
    s->of_signatures = true;
    return ST_OK;
}

int coverage_several(struct coverage_run *r)
{
    struct coverage_several s = {.of_cpu = !coverage_asks_one(r)};
    const char **paths;
    struct err err;
    enum status st;
    int code;

    if (!(st = check_flags(r, &err)) && !(st = models_find(&r->tool.cli, r->flags.graph, &s.arena, &paths, &s.n, &err)) &&
        !(s.rows = ARENA_ARRAY(&s.arena, s.n, struct coverage_row)))
        st = err_set(&err, ST_NOMEM, "out of memory for %u models", s.n);
    for (uint32_t i = 0; i < s.n && !st; i++) {
        s.rows[i].path = paths[i];
        st = tool_keep_model(&r->tool, paths[i], &err);
    }
    r->tool.several_models = true;
    st = st ? st : tool_check_weights(&r->tool, paths, s.n, &err);
    if (!st && signatures_are_all(r->flags.signature))
        st = list_signatures(r, &s, &err);
    if (st || (st = ask_all(r, &s, &err)) || (st = report_all(r, &s, &err)))
        code = say_error(st, &err);
    else
        code = exit_code(&s);
    arena_free(&s.arena);
    return code;
}
