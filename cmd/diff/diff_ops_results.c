/* SPDX-License-Identifier: Apache-2.0 */
/* diff_ops_results.c - --per_op as a table, and what it comes to. */
#include <math.h>

#include "cmd/diff/diff_results.h"
#include "cmd/host/say.h"
#include "cmd/tool/report_parts.h"

#define RANKED_SHOWN 5

static const char *label_of(const struct comparison *c)
{
    return c->test.delegate ? c->test.delegate->type->label : "CPU";
}

/* "conv 4x1 +RELU [12-14,17]": the kernel, and the nodes that it computes together. */
static const char *piece_text(const struct comparison *c, const struct node *node, char *out, size_t size)
{
    const struct profile_row *p = diff_ops_piece(c, node);
    size_t n = 0;

    if (!p)
        return "-";
    n = (size_t)snprintf(out, size, "%s", p->detail ? p->detail : p->type);
    for (uint32_t i = 0; p->n_nodes > 1 && i < p->n_nodes && n < size; i++)
        n += (size_t)snprintf(out + n, size - n, "%s%u%s", i ? "," : " [", p->nodes[i]->index, i + 1 == p->n_nodes ? "]" : "");
    return out;
}

/* ---- the table ---- */

#define FIGURE(of_text, of_page) .title = (of_text), .pad = " %10s", .number = "%.4g", .heading = (of_page), .right = true

/* Marks: ! what is to blame, * off by itself, > where the difference is first seen. */
static const struct result_column columns[] = {
    {.title = "", .pad = "%1s"},
    {.key = "node", .title = "node", .pad = "%5s", .heading = "node", .right = true},
    {.key = "op", .heading = "operator"},
    {.title = "operator", .pad = " %-24.63s"},
    {.heading = ""},
    {.title = "ran on", .pad = " %-8s", .heading = "ran on"},
    {.key = "partition"},
    {.key = "off"},
    {.key = "to_blame"},
    {.key = "first_drift"},
    {FIGURE("drift: max", "drift: largest")},
    {FIGURE("relative", "relative")},
    {FIGURE("own: max", "own: largest")},
    {PAGE_FIGURE("relative")},
    {.key = "times_rounding", FIGURE("x rounding", "× rounding")},
    {.key = "adds_to_outputs", FIGURE("adds", "adds")},
    {.title = "NaN,Inf", .pad = " %9s"},
    {PAGE_NUMBER("NaN, Inf")},
    {.title = "at", .pad = "  %-16s"},
    {.heading = "kernel"},
    {.title = "tensor  kernel", .pad = " %s"},
    {.heading = "tensor"},
};

static void add_known(struct result_table *t, bool known, double value)
{
    if (known)
        result_number(t, value);
    else
        result_none(t);
}

static void add_marks(struct result_table *t, const struct comparison *c, const struct op_diff *o)
{
    const int mark = o == c->worst_op ? 0 : o->off ? 1 : o == c->first_drift ? 2 : 3;

    result_text(t, "%.1s", &"!*> "[mark]);
    result_number(t, o->node->index);
    result_text(t, "%s", o->node->name);
    result_text(t, "%s", o->node->name);
    result_text(t, "%s", (const char *const[]){"to blame", "off by itself", "first seen", ""}[mark]);
    if (o->partition >= 0)
        result_text(t, "%s[%d]", label_of(c), o->partition);
    else
        result_text(t, "CPU");
    result_number(t, o->partition);
    result_bool(t, o->off);
    result_bool(t, o == c->worst_op);
    result_bool(t, o == c->first_drift);
}

static void add_errors(struct result_table *t, const struct op_diff *o)
{
    const struct diff *d = o->ran_alone ? &o->alone : &o->diff;
    const unsigned long long nan = d->nan_test, inf = d->inf_test;
    char at[128];

    add_known(t, o->visible, diff_max_abs(&o->diff));
    add_known(t, o->visible, diff_relative(&o->diff));
    add_known(t, o->ran_alone, diff_max_abs(&o->alone));
    add_known(t, o->ran_alone, diff_relative(&o->alone));
    add_known(t, o->ran_alone, o->rounding);
    add_known(t, o->ranked, o->adds);
    if (nan || inf)
        result_text(t, "%llu,%llu", nan, inf);
    else
        result_none(t);
    result_text(t, "%llu, %llu", nan, inf);
    result_text(t, "%s", diff_index_text(o->test, d->worst, at, sizeof at));
}

static void put_kernel(struct report *r, struct json *in, const struct comparison *c, const struct op_diff *op)
{
    const struct profile_row *p = diff_ops_piece(c, op->node);
    struct json *list;

    json_string(r, in, "kernel", p ? p->detail : NULL);
    list = json_array(r, in, "computed_together");
    for (uint32_t i = 0; p && i < p->n_nodes; i++)
        json_number(r, list, NULL, p->nodes[i]->index);
}

static void add_row(struct result_table *t, struct report *r, const struct comparison *c, const struct op_diff *o)
{
    const struct profile_row *p = diff_ops_piece(c, o->node);
    char piece[160];

    add_marks(t, c, o);
    add_errors(t, o);
    put_kernel(r, result_row(t), c, o);
    report_tensor(r, result_row(t), "tensor", o->test);
    diff_put(r, result_row(t), "diff", o->test, &o->diff, o->visible);
    diff_put(r, result_row(t), "alone", o->test, &o->alone, o->ran_alone);
    result_text(t, "%s", p && p->detail ? p->detail : "");
    result_text(t, "%.95s  %.159s", o->test->name, piece_text(c, o->node, piece, sizeof piece));
    result_text(t, "%s", o->test->name);
}

static void add_table(struct results *r, struct json *list, const struct comparison *c)
{
    struct result_section *to = r->parts[DIFF_NODES];
    const struct op_diffs *ops = &c->test.ops;
    struct result_table *t;

    result_gap(to);
    t = results_table(to, columns, sizeof columns / sizeof *columns, list);
    for (const struct op_diff *o = ops->ops; o < ops->ops + ops->n; o++)
        add_row(t, r->report, c, o);
    result_gap(to);
    if (ops->n)
        result_line(to, RESULT_NOTE,
                    "Own: the node alone, given the reference's inputs. Adds: what this own error alone makes of the outputs, "
                    "relative to their largest value. NaN, Inf: of the own result, or where it did not run alone, of what is "
                    "shown.");
}

/* ---- what it comes to ---- */

static void add_node(struct result_section *to, const struct op_diff *o)
{
    result_more(to, "node %u %.63s, output '%.95s'", o->node->index, o->node->name, o->test->name);
}

/* What is not in the table, and why. */
static void add_hidden(struct result_section *to, const struct comparison *c)
{
    char outputs[SAY_COUNT_SIZE];
    uint32_t hidden = 0, fused = 0;

    for (const struct op_diff *o = c->test.ops.ops; o < c->test.ops.ops + c->test.ops.n; o++) {
        const struct profile_row *p = diff_ops_piece(c, o->node);

        hidden += !o->visible;
        fused += !o->visible && p && p->n_nodes > 1 && p->nodes[p->n_nodes - 1] != o->node;
    }
    if (hidden)
        result_line(to, RESULT_PLAIN, "Drift is not shown (-) of %s inside of the partitions of the %s",
                    say_count(hidden, "output", outputs), label_of(c));
    if (fused)
        result_more(to, "; kernels that compute several nodes (in brackets) may never write %u of them", fused);
    if (hidden)
        result_more(to, ".");
}

static double outputs_error(const struct comparison *c)
{
    const double floor = tolerance_floor(c->test.ops.half ? PRECISION_FP16 : PRECISION_FP32);
    double worst = 0;

    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++)
        worst = fmax(worst, diff_relative_above(&c->test.diff.outputs[i].raw, floor));
    return worst;
}

static const struct op_diff *next_ranked(const struct op_diffs *ops, const struct op_diff *after)
{
    const struct op_diff *found = NULL;

    for (const struct op_diff *o = ops->ops; o < ops->ops + ops->n; o++) {
        const bool behind = !after || o->adds < after->adds || (o->adds == after->adds && o > after);

        if (o->ranked && behind && (!found || o->adds > found->adds))
            found = o;
    }
    return found;
}

static void add_ranking(struct result_section *to, const struct comparison *c)
{
    const struct op_diff *o = next_ranked(&c->test.ops, NULL);

    if (!o)
        return;
    if (!(o->adds > 0)) {
        result_line(to, RESULT_PLAIN,
                    "No node's own error alone changes the outputs; all together are off by %.4g of the largest |output|.",
                    outputs_error(c));
        return;
    }
    result_line(
        to, RESULT_PLAIN,
        "What a node's own error alone makes of the outputs, the reference going on from it, as a part of the largest |output|; "
        "all together are off by %.4g of it:",
        outputs_error(c));
    for (int i = 0; i < RANKED_SHOWN && o && o->adds > 0; i++, o = next_ranked(&c->test.ops, o)) {
        result_line(to, RESULT_PLAIN, "%12.4g  ", o->adds);
        add_node(to, o);
    }
}

static void add_blame(struct result_section *to, const struct comparison *c)
{
    const struct op_diff *first = c->first_drift, *worst = c->worst_op;
    const char *precision = c->test.ops.half ? "float16" : "float32";
    uint32_t off = 0;

    for (const struct op_diff *o = c->test.ops.ops; o < c->test.ops.ops + c->test.ops.n; o++)
        off += o->off;
    if (first) {
        result_line(to, RESULT_PLAIN, "The difference is first seen %s ", first->partition >= 0 ? "where a partition ends:" : "at");
        add_node(to, first);
        result_more(to, ".");
    }
    if (worst) {
        result_line(to, RESULT_PLAIN, "Off by itself, given the reference's inputs: ");
        add_node(to, worst);
        result_more(to, ", %.4g times what rounding to %s makes of it", worst->rounding, precision);
        if (off > 1)
            result_more(to, "; %u outputs in all are (*)", off);
        result_more(to, ".");
    } else if (off) {
        result_line(to, RESULT_PLAIN,
                    "Off by themselves are %u outputs (*), but they do little to the model's; what does is rounding to %s, most of "
                    "all at ",
                    off, precision);
        add_node(to, op_diffs_adds_most(&c->test.ops));
        result_more(to, ".");
    } else if (c->alone.session) {
        result_line(to, RESULT_PLAIN,
                    "No node is off by more than rounding to %s explains (up to %g times what it makes of the terms).", precision,
                    OP_DIFF_ROUNDING);
    } else if (!first) {
        result_line(to, RESULT_PLAIN, "No tensor is clearly off.");
    }
}

/* Where nothing is known of single nodes. */
static const char *hint(const struct comparison *c)
{
    if (c->stored.test.n_runs || c->stored.reference.n_runs)
        return "Stored outputs are not run, so nothing is known of single nodes.";
    if (c->second.model)
        return "Only outputs were compared: --per_op adds each tensor that has a twin of its name in the other model.";
    return "Only outputs were compared: --per_op adds what each node is off by, by itself and after all before it, in the order of "
           "execution, and says which is to blame.";
}

void diff_ops_results(struct results *r, const struct comparison *c)
{
    struct result_section *to = r->parts[DIFF_ALONG];

    if (!diff_ops_wanted(c)) {
        json_null(r->report, report_root(r->report), "ops");
        if (!c->second.model || !c->flags.per_op)
            result_line(to, RESULT_NOTE, "%s", hint(c));
        return;
    }
    add_table(r, json_array(r->report, report_root(r->report), "ops"), c);
    add_hidden(to, c);
    add_ranking(to, c);
    add_blame(to, c);
    result_chart(to, diff_ops_draw, c);
}
