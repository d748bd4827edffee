/* SPDX-License-Identifier: Apache-2.0 */
/* diff_matrix_results.c - the matrix, and whether float32 repairs what less precision breaks. */
#include "cmd/diff/diff_results.h"

#include <math.h>
#include <string.h>

#include "cmd/tool/report_parts.h"

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

/* What ran it, as far as the delegate tells. */
static const char *used_text(const struct matrix_row *row)
{
    return !row->choice                                                         ? "cpu"
           : row->opened && row->opened->library && *row->opened->library->used ? row->opened->library->used
                                                                                : row->choice->type->name;
}

static void add_row(struct result_table *t, const struct matrix_row *row)
{
    const struct trial *trial = row->trial;
    double max = 0, relative = 0;
    char verdict[DIFF_FAILED_SIZE + 32], precision[PRECISION_SIZE];

    result_text(t, "%s", matrix_name(row));
    if (row->name)
        result_text(t, "%s", used_text(row));
    result_text(t, "%s", precision_text(row, precision));
    if (row->failed) {
        for (int i = 0; i < 4; i++)
            result_none(t);
    } else {
        for (uint32_t i = 0; i < trial->diff.n_outputs; i++) {
            max = worse(max, diff_max_abs(&trial->diff.outputs[i].raw));
            relative = worse(relative, diff_relative(&trial->diff.outputs[i].raw));
        }
        result_text(t, "%u of %u", trial_n_delegated(trial), trial->assignment.n_delegated + trial->assignment.n_cpu);
        result_text(t, "%.4g", max);
        result_text(t, "%.4g", relative);
        result_number(t, trial->figures.median / 1e3);
    }
    result_text(t, "%s", verdict_text(row, verdict, sizeof verdict));
    if (row->name)
        result_text(t, "%s", row->wrong);
}

static void add_table(struct result_section *to, const struct matrix *m)
{
#define FIGURES                                                                                                                    \
    {.title = "precision", .heading = "precision"}, {.title = "nodes", .heading = "nodes", .right = true},                         \
        {.title = "max_error", .heading = "max_error", .right = true},                                                             \
        {.title = "relative", .heading = "relative", .right = true},                                                               \
        {.title = "median ms", .number = "%.3f", .heading = "median ms", .shown = "%.3f", .right = true},                          \
    {                                                                                                                              \
        .title = "verdict", .heading = "verdict"                                                                                   \
    }
    static const struct result_column delegates[] = {{.title = "delegate", .heading = "delegate"}, FIGURES};
    static const struct result_column runtimes[] = {{.title = "runtime", .heading = "runtime"},
                                                    {.title = "on", .heading = "on"},
                                                    FIGURES,
                                                    {.title = "first wrong", .heading = "first wrong"}};
#undef FIGURES
    struct result_table *t = m->rows[0].name ? results_table(to, runtimes, sizeof runtimes / sizeof *runtimes, NULL)
                                             : results_table(to, delegates, sizeof delegates / sizeof *delegates, NULL);

    for (uint32_t i = 0; i < m->n; i++)
        add_row(t, &m->rows[i]);
}

static void add_repairs(struct result_section *to, const struct matrix *m)
{
    char precision[PRECISION_SIZE];

    for (uint32_t i = 0; i < m->n; i++) {
        const int repairs = matrix_float32_repairs(m, i);

        if (repairs >= 0)
            result_line(to, RESULT_PLAIN, "%s, %s: float32 %s it.", matrix_name(&m->rows[i]),
                        precision_text(&m->rows[i], precision), repairs ? "repairs" : "does not repair");
    }
}

/* What was asked for and is not in force, and what could not run. */
static void add_notes(struct result_section *to, const struct matrix *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct matrix_row *row = &m->rows[i];

        if (row->opened && row->opened->precision.why)
            result_line(to, RESULT_PLAIN, "%s: %s is in force, not %s: %s.", matrix_name(row), row->opened->precision.in_force,
                        row->opened->precision.asked, row->opened->precision.why);
        if (row->failed)
            result_line(to, RESULT_PLAIN, "%s, %s: %s", matrix_name(row), matrix_precision(row), row->err.msg);
    }
}

static void put_row(struct report *r, struct json *list, const struct matrix *m, uint32_t i)
{
    const struct matrix_row *row = &m->rows[i];
    const int repairs = matrix_float32_repairs(m, i);
    struct json *o = json_object(r, list, NULL), *outputs;

    JSON_STRINGS(r, o, {"delegate", matrix_name(row)}, {"precision_asked", row->asked}, {"precision", matrix_precision(row)},
                 {"runs_on", row->name ? used_text(row) : NULL}, {"first_wrong", *row->wrong ? row->wrong : NULL},
                 {"failure", row->failed ? row->err.msg : NULL});
    json_bool(r, o, "passed", !row->failed && row->trial->verdict.passed);
    diff_put_failed_on(r, o, row->trial->verdict.failed_on);
    if (repairs < 0)
        json_null(r, o, "float32_repairs");
    else
        json_bool(r, o, "float32_repairs", repairs);
    JSON_NUMBERS(r, o, {"nodes_delegated", row->trial->assignment.n_delegated}, {"nodes_late", row->trial->dynamic.delegated},
                 {"nodes_cpu", row->trial->assignment.n_cpu}, {"unsteady_runs", row->trial->unsteady});
    report_stats(r, o, "latency_us", &row->trial->figures, row->trial->samples.us);
    outputs = json_array(r, o, "outputs");
    for (uint32_t k = 0; !row->failed && k < row->trial->diff.n_outputs; k++)
        diff_put_output(r, outputs, row->trial, k);
}

void diff_matrix_results(struct results *r, const struct comparison *c)
{
    struct result_section *to = r->parts[DIFF_MATRIX];
    struct json *list;

    if (!json_given(r->report, report_root(r->report), "matrix", c->matrix.n))
        return;
    result_gap(to);
    add_table(to, &c->matrix);
    result_gap(to);
    add_notes(to, &c->matrix);
    add_repairs(to, &c->matrix);
    result_line(to, RESULT_NOTE, "All other sections are about the first row.");
    list = json_array(r->report, report_root(r->report), "matrix");
    for (uint32_t i = 0; i < c->matrix.n; i++)
        put_row(r->report, list, &c->matrix, i);
}

void diff_matrix_verdict(struct result_section *to, const struct matrix *m, const char *reference)
{
    uint32_t passed = 0;

    for (uint32_t i = 0; i < m->n; i++)
        passed += !m->rows[i].failed && m->rows[i].trial->verdict.passed;
    result_line(to, RESULT_PLAIN, "Verdict: %s. %u of %u rows passed, held against %s.", passed == m->n ? "passed" : "FAILED",
                passed, m->n, reference);
}
