/* SPDX-License-Identifier: Apache-2.0 */
/* diff_along.c - charts of the errors along the graph, node by node, or tensor by tensor of two models. */
#include <math.h>

#include "cmd/diff/diff_results.h"
#include "cmd/print/html_chart.h"

enum { LABEL_SIZE = 120 };

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
    char *text = a->text[2 * (size_t)i + (size_t)series], figure[RESULT_SHOWN_SIZE];

    a->y[series][i] = value;
    snprintf(text, LABEL_SIZE, "node %u %.60s, %s %s", node->index, node->name, what, result_shown(value, figure));
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

enum status diff_ops_draw(struct html *h, const void *comparison, struct err *err)
{
    const struct comparison *c = comparison;
    enum status st = put_relative(h, c, err);

    return st ? st : put_rounding(h, c, err);
}

enum status diff_names_draw(struct html *h, const void *comparison, struct err *err)
{
    const struct name_diffs *o = &((const struct comparison *)comparison)->names;
    struct along a = {.n = 0};
    enum status st = along_init(&a, o->n, err);

    for (uint32_t i = 0; i < o->n && !st; i++)
        if (o->rows[i].diff.comparisons)
            along_set(&a, 0, i, o->rows[i].node, "error", diff_relative_bound(&o->rows[i].diff));
    if (!st)
        along_put(h, &a, (const char *const[]){"error of tensors that have a twin", NULL}, "error", NAN, "");
    arena_free(&a.arena);
    return st;
}
