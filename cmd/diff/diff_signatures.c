/* SPDX-License-Identifier: Apache-2.0 */
/* diff_signatures.c - --signature=all: one comparison of each signature, and a row for each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/print/results.h"
#include "cmd/tool/report_parts.h"
#include "cmd/tool/signatures.h"
#include "lib/base/outcome.h"

/* One signature, and the figures of its comparison. */
struct row {
    const char *key;
    struct comparison *c; /* without its sessions, once it has run */
    int code;             /* its exit status */
    bool ran, passed;
    uint32_t outputs, delegated, nodes;
    double error;
    struct err failure;
};

struct signatures {
    struct comparison *asked;
    struct row *rows; /* [n], of which n_run have run: Ctrl-C */
    uint32_t n, n_run, n_passed;
    struct results tree;
    struct json *list;
    struct arena arena;
};

bool diff_signatures_wanted(const struct comparison *c)
{
    return signatures_are_all(c->flags.signature);
}

/* Each signature would write the same file or folder. */
static enum status check_flags(const struct comparison *c, struct err *err)
{
    static const char *const without[] = {"html",
                                          "markdown",
                                          "extract",
                                          "node_data_dir",
                                          "prefill",
                                          "decode",
                                          "save_inputs",
                                          "load_inputs",
                                          "load_reference_outputs",
                                          "load_test_outputs",
                                          "save_outputs",
                                          "list_inputs",
                                          "load_outputs",
                                          "prompt"};

    return cli_refuse(&c->tool.cli, without, sizeof without / sizeof *without, "with --signature=all", err);
}

static enum status list_keys(struct signatures *s, struct err *err)
{
    struct comparison *c = s->asked;
    enum status st;

    c->tool.several_models = *c->flags.reference_model;
    if ((st = check_flags(c, err)) || (st = tool_take_operand(&c->tool, "model_file", &c->flags.model_file, err)) ||
        (st = tool_open_model(&c->tool, "model_file", diff_model_path(&c->flags), err)))
        return st;
    s->n = c->tool.model->n_signatures;
    if (!s->n)
        return err_set(err, ST_USAGE, "--signature=all: the model has no signatures");
    if (!(s->rows = ARENA_ARRAY(&s->arena, s->n, struct row)))
        return err_set(err, ST_NOMEM, "out of memory for %u signatures", s->n);
    for (uint32_t i = 0; i < s->n; i++)
        if (!(s->rows[i].key = arena_strdup(&s->arena, c->tool.model->signatures[i].key)))
            return err_set(err, ST_NOMEM, "out of memory for the name of a signature");
    tool_close_model(&c->tool);
    return ST_OK;
}

static double worst_error(const struct session_diff *d)
{
    double error = 0;

    for (uint32_t i = 0; i < d->n_outputs; i++) {
        const double own = diff_max_abs(&d->outputs[i].raw);

        error = isnan(own) || isnan(error) ? NAN : fmax(error, own);
    }
    return error;
}

static void take_figures(struct row *row)
{
    const struct comparison *c = row->c;
    const struct trial *t = &c->test;

    row->ran = !c->failed && t->diff.runs;
    row->passed = row->ran && comparison_passed(c);
    row->failure = c->failure;
    row->error = NAN;
    if (!row->ran)
        return;
    row->outputs = t->diff.n_outputs;
    row->error = worst_error(&t->diff);
    row->nodes = t->assignment.n_delegated + t->assignment.n_cpu;
    row->delegated = t->delegate ? trial_n_delegated(t) : 0;
}

/* ---- what is printed ---- */

/* A member of the list, whose report is added by the comparison itself. */
static struct json *begin_entry(struct signatures *s, struct row *row)
{
    struct json *o = json_object(s->tree.report, s->list, NULL);

    json_string(s->tree.report, o, "signature", row->key);
    row->c->report_to = s->tree.report;
    row->c->report_in = o;
    return o;
}

static void end_entry(struct signatures *s, struct json *o, const struct row *row)
{
    struct report *r = s->tree.report;

    json_string(r, o, "failure", row->c->failed ? row->failure.msg : NULL);
    if (row->ran)
        json_bool(r, o, "passed", row->passed);
    else
        json_null(r, o, "passed");
    if (!row->c->reported)
        json_null(r, o, "report");
}

static void add_table(struct signatures *s)
{
    static const struct result_column columns[] = {{.title = "signature"},
                                                   {.title = "verdict"},
                                                   {.title = "outputs", .right = true},
                                                   {.title = "largest error", .number = "%.3g", .right = true},
                                                   {.title = "delegated", .right = true},
                                                   {.title = "nodes", .right = true}};
    struct result_section *to = s->tree.parts[0];
    struct result_table *t;

    result_gap(to);
    t = results_table(to, columns, sizeof columns / sizeof *columns, NULL);
    for (const struct row *row = s->rows; row < s->rows + s->n_run; row++) {
        result_text(t, "%s", row->key);
        result_text(t, "%s", !row->ran ? "did not run" : row->passed ? "passed" : "FAILED");
        if (row->ran)
            RESULT_NUMBERS(t, row->outputs, row->error, row->delegated, row->nodes);
        else
            result_skip(t, 0);
    }
    result_gap(to);
    result_line(to, RESULT_TITLE | (s->n_passed == s->n ? RESULT_GOOD : RESULT_BAD), "Verdict: %s. %u of %u signatures passed",
                s->n_passed == s->n ? "passed" : "FAILED", s->n_passed, s->n);
}

static enum status report(struct signatures *s, struct err *err)
{
    struct report *r = s->tree.report;
    enum status st;

    add_table(s);
    json_bool(r, report_root(r), "passed", s->n_passed == s->n);
    json_bool(r, report_root(r), "interrupted", interrupted());
    st = results_say(s->tree.parts[0], RESULT_TEXT, err);
    return st || !r ? st : report_write(r, s->asked->tool.json, err);
}

/* ---- the rows ---- */

static void run_row(struct signatures *s, struct row *row)
{
    char name[256];
    struct json *o;

    if (!(row->c = calloc(1, sizeof *row->c))) {
        err_set(&row->failure, ST_NOMEM, "out of memory for a comparison");
        row->code = say_error(ST_NOMEM, &row->failure);
        return;
    }
    row->c->among_signatures = true;
    if ((row->code = comparison_begin(row->c, s->asked->tool.argc, s->asked->tool.argv)) != TOOL_GO_ON)
        return;
    row->c->flags.signature = row->key;
    row->c->tool.among_others = true;
    o = begin_entry(s, row);
    say_text("\nSignature: %s\n", say_clean(row->key, name, sizeof name));
    row->code = comparison_main(row->c);
    take_figures(row);
    s->n_passed += row->passed;
    end_entry(s, o, row);
    comparison_free(row->c);
}

static int run_all(struct signatures *s)
{
    struct err err;
    enum status st = list_keys(s, &err);
    int code = 0;

    if (st)
        return say_error(st, &err);
    interrupt_catch();
    results_init(&s->tree, NULL, 1, *s->asked->tool.json);
    report_origin(s->tree.report, &s->asked->tool, "inference_diff_signatures");
    json_string(s->tree.report, report_root(s->tree.report), "model_path", diff_model_path(&s->asked->flags));
    s->list = json_array(s->tree.report, report_root(s->tree.report), "signatures");
    for (s->n_run = 0; s->n_run < s->n && !interrupted(); s->n_run++) {
        run_row(s, &s->rows[s->n_run]);
        if (!code || (code == outcome_exit_code(OUTCOME_MISSED) && s->rows[s->n_run].code))
            code = s->rows[s->n_run].code;
    }
    if (s->n_run < s->n && (!code || code == outcome_exit_code(OUTCOME_MISSED)))
        code = outcome_exit_code(OUTCOME_INTERRUPTED);
    st = report(s, &err);
    results_fini(&s->tree);
    return st ? say_error(st, &err) : code;
}

int diff_signatures_main(struct comparison *asked)
{
    struct signatures s = {.asked = asked};
    int code = run_all(&s);

    for (uint32_t i = 0; s.rows && i < s.n; i++) {
        if (s.rows[i].c)
            code = tool_end(&s.rows[i].c->tool, code);
        free(s.rows[i].c);
    }
    arena_free(&s.arena);
    return code;
}
