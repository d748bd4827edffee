/* SPDX-License-Identifier: Apache-2.0 */
/* diff_matrix_say.c - the matrix as a table and as JSON, and whether float32 repairs what less precision breaks. */
#include "cmd/diff/inference_diff.h"

#include <math.h>
#include <string.h>

#include "cmd/host/say.h"
#include "cmd/print/text_table.h"
#include "cmd/tool/report_parts.h"

static const char *name_of(const struct matrix_row *row)
{
    return row->choice ? row->choice->type->name : "none";
}

#define PRECISION_SIZE 64

/* What was asked for stands beside what is in force where the two differ. */
static const char *precision_text(const struct matrix_row *row, char out[PRECISION_SIZE])
{
    const char *in_force = matrix_precision(row);

    if (row->asked && strcmp(row->asked, in_force) != 0)
        snprintf(out, PRECISION_SIZE, "%s (%s)", row->asked, in_force);
    else
        snprintf(out, PRECISION_SIZE, "%s", in_force);
    return out;
}

/* The worse of two figures; NAN, which says that there is none, is the worst. */
static double worse(double a, double b)
{
    return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static const char *verdict_text(const struct matrix_row *row, char *out, size_t size)
{
    const struct trial_verdict *v = &row->trial->verdict;
    char failed[DIFF_FAILED_SIZE];

    diff_failed_text(v->failed_on, failed);
    if (row->failed)
        snprintf(out, size, "did not run");
    else if (v->passed)
        snprintf(out, size, "passed");
    else
        snprintf(out, size, "FAILED: %s%s%s", failed, *failed && !v->delegated_enough ? ", " : "",
                 v->delegated_enough ? "" : "too few nodes");
    return out;
}

static void fill_row(struct text_table *t, const struct matrix_row *row)
{
    const struct trial *trial = row->trial;
    double max = 0, relative = 0;
    char verdict[DIFF_FAILED_SIZE + 32], precision[PRECISION_SIZE];

    table_cell(t, "%s", name_of(row));
    table_cell(t, "%s", precision_text(row, precision));
    verdict_text(row, verdict, sizeof verdict);
    if (row->failed) {
        for (int i = 0; i < 4; i++)
            table_cell(t, "-");
    } else {
        for (uint32_t i = 0; i < trial->diff.n_outputs; i++) {
            max = worse(max, diff_max_abs(&trial->diff.outputs[i].raw));
            relative = worse(relative, diff_relative(&trial->diff.outputs[i].raw));
        }
        table_cell(t, "%u of %u", trial_n_delegated(trial), trial->assignment.n_delegated + trial->assignment.n_cpu);
        table_cell(t, "%.4g", max);
        table_cell(t, "%.4g", relative);
        table_cell(t, "%.3f", trial->figures.median / 1e3);
    }
    table_cell(t, "%s", verdict);
}

static void say_repairs(const struct matrix *m)
{
    char precision[PRECISION_SIZE];

    for (uint32_t i = 0; i < m->n; i++) {
        const int repairs = matrix_float32_repairs(m, i);

        if (repairs >= 0)
            say_text("%s, %s: float32 %s it.\n", name_of(&m->rows[i]), precision_text(&m->rows[i], precision),
                     repairs ? "repairs" : "does not repair");
    }
}

/* What was asked for and is not in force, and what could not run. */
static void say_notes(const struct matrix *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct matrix_row *row = &m->rows[i];

        if (row->opened && row->opened->precision.why)
            say_text("%s: %s is in force, not %s: %s.\n", name_of(row), row->opened->precision.in_force,
                     row->opened->precision.asked, row->opened->precision.why);
        if (row->failed)
            say_text("%s, %s: %s\n", name_of(row), matrix_precision(row), row->err.msg);
    }
}

void diff_matrix_table(const struct comparison *c, struct text_table *t)
{
    static const struct table_column columns[] = {{"delegate", false}, {"precision", false}, {"nodes", true},   {"max_error", true},
                                                  {"relative", true},  {"median ms", true},  {"verdict", false}};

    *t = (struct text_table){.columns = columns, .n_columns = sizeof columns / sizeof *columns};
    for (uint32_t i = 0; i < c->matrix.n; i++)
        fill_row(t, &c->matrix.rows[i]);
}

void diff_matrix_say_notes(const struct comparison *c)
{
    say_notes(&c->matrix);
    say_repairs(&c->matrix);
}

enum status diff_matrix_say(const struct comparison *c, struct err *err)
{
    struct text_table t;
    enum status st;

    if (!c->matrix.n)
        return ST_OK;
    diff_matrix_table(c, &t);
    say_text("\n");
    if ((st = table_say(&t, false, err)))
        return st;
    say_text("\n");
    diff_matrix_say_notes(c);
    return ST_OK;
}

void diff_matrix_say_verdict(const struct comparison *c)
{
    const struct matrix *m = &c->matrix;
    uint32_t passed = 0;

    for (uint32_t i = 0; i < m->n; i++)
        passed += !m->rows[i].failed && m->rows[i].trial->verdict.passed;
    say_text("Verdict: %s. %u of %u rows passed, held against the reference kernels.\n", passed == m->n ? "passed" : "FAILED",
             passed, m->n);
}

static void put_row(struct report *r, struct json *list, const struct matrix *m, uint32_t i)
{
    const struct matrix_row *row = &m->rows[i];
    const int repairs = matrix_float32_repairs(m, i);
    struct json *o = json_object(r, list, NULL), *outputs;

    json_string(r, o, "delegate", name_of(row));
    json_string(r, o, "precision_asked", row->asked);
    json_string(r, o, "precision", matrix_precision(row));
    json_string(r, o, "failure", row->failed ? row->err.msg : NULL);
    json_bool(r, o, "passed", !row->failed && row->trial->verdict.passed);
    diff_put_failed_on(r, o, row->trial->verdict.failed_on);
    if (repairs < 0)
        json_null(r, o, "float32_repairs");
    else
        json_bool(r, o, "float32_repairs", repairs);
    json_number(r, o, "nodes_delegated", row->trial->assignment.n_delegated);
    json_number(r, o, "nodes_dynamic", row->trial->dynamic.delegated);
    json_number(r, o, "nodes_cpu", row->trial->assignment.n_cpu);
    json_number(r, o, "unsteady_runs", row->trial->unsteady);
    report_stats(r, o, "latency_us", &row->trial->figures, row->trial->samples.us);
    outputs = json_array(r, o, "outputs");
    for (uint32_t k = 0; !row->failed && k < row->trial->diff.n_outputs; k++)
        diff_put_output(r, outputs, row->trial, k);
}

void diff_matrix_put(struct report *r, const struct comparison *c)
{
    struct json *list;

    if (!c->matrix.n) {
        json_null(r, report_root(r), "matrix");
        return;
    }
    list = json_array(r, report_root(r), "matrix");
    for (uint32_t i = 0; i < c->matrix.n; i++)
        put_row(r, list, &c->matrix, i);
}
