/* SPDX-License-Identifier: Apache-2.0 */
/* diff_page_nodes.c - --per_op on the page: errors along the graph, and every node's row. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/diff/diff_page.h"
#include "cmd/host/say.h"
#include "cmd/print/html_chart.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Rows of a table; a page of more would be no page any more. */
enum { MAX_ROWS = 1000, LABEL_SIZE = 120 };

/* ---- along the graph ---- */

/* What charts of `n` places show: two series at most, and the words at their points. */
struct along {
    uint32_t n;
    double *y[2];           /* [n] each, NAN: no value */
    const char **labels[2]; /* [n] each */
    char (*text)[LABEL_SIZE];
    struct arena arena;
};

static enum status along_init(struct along *a, uint32_t n, struct err *err)
{
    a->n = n;
    a->text = arena_alloc(&a->arena, 2 * (size_t)n, sizeof *a->text);
    for (int k = 0; k < 2; k++) {
        a->y[k] = ARENA_ARRAY(&a->arena, n, double);
        a->labels[k] = ARENA_ARRAY(&a->arena, n, const char *);
        if (!a->text || !a->y[k] || !a->labels[k])
            return err_set(err, ST_NOMEM, "out of memory for a chart of %u nodes", n);
        for (uint32_t i = 0; i < n; i++) {
            a->y[k][i] = NAN;
            a->labels[k][i] = "";
        }
    }
    return ST_OK;
}

static void along_set(struct along *a, int series, uint32_t i, const struct node *node, const char *what, double value)
{
    char *text = a->text[2 * (size_t)i + (size_t)series], figure[PAGE_FIGURE_SIZE];

    a->y[series][i] = value;
    snprintf(text, LABEL_SIZE, "node %u %.60s, %s %s", node->index, node->name, what, page_figure(value, figure));
    a->labels[series][i] = text;
}

static void along_put(struct html *h, const struct along *a, const char *const names[2], const char *unit, double mark,
                      const char *mark_name)
{
    const struct html_axes axes = {"node, in the order of execution", unit, 1, mark, mark_name};
    struct html_series series[2];
    size_t n = 0;

    for (int k = 0; k < 2; k++)
        if (names[k])
            series[n++] = (struct html_series){names[k], a->y[k], a->n, 0, a->labels[k]};
    html_points(h, series, n, &axes);
}

static enum status put_relative(struct html *h, const struct comparison *c, struct err *err)
{
    const struct op_diffs *ops = &c->test.ops;
    const bool by_tolerance = tolerances_atol(&c->tolerances) >= 0;
    struct along a = {.n = 0};
    enum status st = along_init(&a, ops->n, err);

    for (uint32_t i = 0; i < ops->n && !st; i++) {
        const struct op_diff *o = &ops->ops[i];

        if (o->visible)
            along_set(&a, 0, i, o->node, "drift", diff_relative_bound(&o->diff));
        if (o->ran_alone)
            along_set(&a, 1, i, o->node, "own error", diff_relative_bound(&o->alone));
    }
    if (!st)
        along_put(h, &a, (const char *const[]){"drift: after all nodes before", c->alone.session ? "own error: alone" : NULL},
                  "error",
                  by_tolerance ? NAN
                  : ops->half  ? OP_DIFF_DRIFT_FLOAT16
                               : OP_DIFF_DRIFT_FLOAT32,
                  "drift is told from here on");
    arena_free(&a.arena);
    if (!st)
        html_note(h, "Largest error of a node's output, in terms of its largest |reference|. Drift is known where the test side "
                     "shows a tensor: of the CPU's nodes, and where a partition ends.");
    return st;
}

static enum status put_rounding(struct html *h, const struct comparison *c, struct err *err)
{
    const struct op_diffs *ops = &c->test.ops;
    struct along a = {.n = 0};
    enum status st;

    if (!c->alone.session)
        return ST_OK;
    st = along_init(&a, ops->n, err);
    for (uint32_t i = 0; i < ops->n && !st; i++)
        if (ops->ops[i].ran_alone)
            along_set(&a, 0, i, ops->ops[i].node, "times rounding", ops->ops[i].rounding);
    if (!st) {
        html_note(h, "The same own errors over what rounding to %s makes of the node's terms:", ops->half ? "float16" : "float32");
        along_put(h, &a, (const char *const[]){"own error, times rounding", NULL}, "times", OP_DIFF_ROUNDING,
                  "more is not explained by rounding");
    }
    arena_free(&a.arena);
    return st;
}

/* ---- the rows ---- */

static void put_known(struct html *h, bool known, double value)
{
    char text[PAGE_FIGURE_SIZE];

    html_cell(h, "%s", known ? page_figure(value, text) : "-");
}

static void put_row(struct html *h, const struct comparison *c, const struct op_diff *o)
{
    const struct diff *d = o->ran_alone ? &o->alone : &o->diff;
    const struct profile_row *p = diff_ops_piece(c, o->node);

    html_cell(h, "%u", o->node->index);
    html_cell(h, "%s", o->node->name);
    html_cell(h, "%s", o == c->worst_op ? "to blame" : o->off ? "off by itself" : o == c->first_drift ? "first seen" : "");
    if (o->partition >= 0)
        html_cell(h, "%s[%d]", c->test.delegate->type->label, o->partition);
    else
        html_cell(h, "CPU");
    put_known(h, o->visible, diff_max_abs(&o->diff));
    put_known(h, o->visible, diff_relative(&o->diff));
    put_known(h, o->ran_alone, diff_max_abs(&o->alone));
    put_known(h, o->ran_alone, diff_relative(&o->alone));
    put_known(h, o->ran_alone, o->rounding);
    put_known(h, o->ranked, o->adds);
    html_cell(h, "%llu, %llu", (unsigned long long)d->nan_test, (unsigned long long)d->inf_test);
    html_cell(h, "%s", p && p->detail ? p->detail : "");
    html_cell(h, "%s", o->test->name);
}

static void put_rows(struct html *h, const struct comparison *c)
{
    static const struct html_column columns[] = {
        {"node", true},     {"operator", false},    {"", false},        {"ran on", false},    {"drift: largest", true},
        {"relative", true}, {"own: largest", true}, {"relative", true}, {"× rounding", true}, {"adds", true},
        {"NaN, Inf", true}, {"kernel", false},      {"tensor", false}};
    const struct op_diffs *ops = &c->test.ops;

    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < ops->n && i < MAX_ROWS; i++)
        put_row(h, c, &ops->ops[i]);
    if (ops->n > MAX_ROWS)
        html_note(h, "The JSON report has the other %u rows.", ops->n - MAX_ROWS);
    html_note(
        h, "Own: the node alone, given the reference's inputs. Adds: what this own error alone makes of the outputs, relative to "
           "their largest value. NaN, Inf: of the own result, or where it did not run alone, of what is shown.");
}

static enum status put_ops(struct html *h, const struct comparison *c, struct err *err)
{
    enum status st;

    if ((st = page_put_said(h, c, diff_ops_say_found, PAGE_NOTES, err)) || (st = put_relative(h, c, err)))
        return st;
    return put_rounding(h, c, err);
}

/* ---- two models ---- */

static void put_names_table(struct html *h, const struct name_diffs *o)
{
    static const struct html_column columns[] = {{"node", true}, {"operator", false}, {"largest error", true}, {"relative", true},
                                                 {"mean", true}, {"SNR dB", true},    {"tensor", false}};

    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < o->n && i < MAX_ROWS; i++) {
        const struct name_diff *row = &o->rows[i];

        html_cell(h, "%u", row->node->index);
        html_cell(h, "%s", row->node->name);
        put_known(h, true, diff_max_abs(&row->diff));
        put_known(h, true, diff_relative(&row->diff));
        put_known(h, true, diff_mean_abs(&row->diff));
        put_known(h, true, diff_snr_db(&row->diff));
        html_cell(h, "%s", row->test->name);
    }
    if (o->n > MAX_ROWS)
        html_note(h, "The JSON report has the other %u rows.", o->n - MAX_ROWS);
}

static enum status put_names(struct html *h, const struct comparison *c, struct err *err)
{
    const struct name_diffs *o = &c->second.names;
    struct along a = {.n = 0};
    enum status st;

    if ((st = page_put_said(h, c, diff_models_say_found, PAGE_NOTES, err)))
        return st;
    st = along_init(&a, o->n, err);
    for (uint32_t i = 0; i < o->n && !st; i++)
        along_set(&a, 0, i, o->rows[i].node, "error", diff_relative_bound(&o->rows[i].diff));
    if (!st)
        along_put(h, &a, (const char *const[]){"error of tensors that have a twin", NULL}, "error", NAN, "");
    arena_free(&a.arena);
    return st;
}

enum status page_put_along(struct html *h, const struct comparison *c, struct err *err)
{
    html_section(h, "Error along the graph");
    if (diff_ops_wanted(c))
        return put_ops(h, c, err);
    if (c->second.model && c->flags.per_op)
        return put_names(h, c, err);
    if (c->stored.test.n_runs || c->stored.reference.n_runs)
        html_note(h, "Stored outputs are not run, so nothing is known of single nodes.");
    else if (c->second.model)
        html_note(h, "Only outputs were compared: --per_op adds each tensor that has a twin of its name in the other model.");
    else
        html_note(h,
                  "Only outputs were compared: --per_op adds what each node is off by, by itself and after all before it, in the "
                  "order of execution, and says which is to blame.");
    return ST_OK;
}

void page_put_nodes(struct html *h, const struct comparison *c)
{
    if (!c->test.ops.n && !c->second.names.n)
        return;
    html_section(h, c->second.names.n ? "Tensors" : "Nodes");
    if (c->second.names.n)
        put_names_table(h, &c->second.names);
    else
        put_rows(h, c);
}
