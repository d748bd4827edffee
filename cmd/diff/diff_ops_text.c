/* SPDX-License-Identifier: Apache-2.0 */
/* diff_ops_text.c - --per_op as a table, and what it comes to; the same as JSON. */
#include <math.h>
#include <string.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/say.h"
#include "cmd/tool/report_parts.h"

#define RANKED_SHOWN 5

static const char *label_of(const struct comparison *c)
{
    return c->test.delegate ? c->test.delegate->type->label : "CPU";
}

static void say_figure(bool known, double figure)
{
    if (known)
        say_text(" %10.4g", figure);
    else
        say_text(" %10s", "-");
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

static void say_op(const struct comparison *c, const struct op_diff *o)
{
    const struct diff *d = o->ran_alone ? &o->alone : &o->diff;
    const char mark = o == c->worst_op ? '!' : o->off ? '*' : o == c->first_drift ? '>' : ' ';
    char op[64], name[96], at[128], where[64] = "CPU", bad[48] = "-", piece[160], clean[160];

    if (o->partition >= 0)
        snprintf(where, sizeof where, "%s[%d]", label_of(c), o->partition);
    if (d->nan_test || d->inf_test)
        snprintf(bad, sizeof bad, "%llu,%llu", (unsigned long long)d->nan_test, (unsigned long long)d->inf_test);
    say_text("%c%5u %-24s %-8s", mark, o->node->index, say_clean(o->node->name, op, sizeof op), where);
    say_figure(o->visible, diff_max_abs(&o->diff));
    say_figure(o->visible, diff_relative(&o->diff));
    say_figure(o->ran_alone, diff_max_abs(&o->alone));
    say_figure(o->ran_alone, o->rounding);
    say_figure(o->ranked, o->adds);
    say_text(" %9s  %-16s %s  %s\n", bad, diff_index_text(o->test, d->worst, at, sizeof at),
             say_clean(o->test->name, name, sizeof name),
             say_clean(piece_text(c, o->node, piece, sizeof piece), clean, sizeof clean));
}

static void say_one(const char *what, const struct op_diff *o)
{
    char op[64], name[96];

    say_text("%s node %u %s, output '%s'", what, o->node->index, say_clean(o->node->name, op, sizeof op),
             say_clean(o->test->name, name, sizeof name));
}

/* What is not in the table, and why. */
static void say_hidden(const struct comparison *c)
{
    uint32_t hidden = 0, fused = 0;

    for (const struct op_diff *o = c->test.ops.ops; o < c->test.ops.ops + c->test.ops.n; o++) {
        const struct profile_row *p = diff_ops_piece(c, o->node);

        hidden += !o->visible;
        fused += !o->visible && p && p->n_nodes > 1 && p->nodes[p->n_nodes - 1] != o->node;
    }
    if (hidden)
        say_text(
            "Drift is not shown (-) of %u outputs that the %s keeps inside of its partitions; %u of them are fused into one kernel "
            "with the nodes in brackets, and may exist nowhere.\n",
            hidden, label_of(c), fused);
}

static double outputs_error(const struct comparison *c)
{
    double worst = 0;

    for (uint32_t i = 0; i < c->test.diff.n_outputs; i++)
        worst = fmax(worst, diff_relative_bound(&c->test.diff.outputs[i].raw));
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

static void say_ranking(const struct comparison *c)
{
    const struct op_diff *o = next_ranked(&c->test.ops, NULL);

    if (!o)
        return;
    if (!(o->adds > 0)) {
        say_text("No node's own error alone changes the outputs; all together are off by %.4g.\n", outputs_error(c));
        return;
    }
    say_text("What a node's own error alone makes of the outputs, the reference going on from it; all together are off by %.4g:\n",
             outputs_error(c));
    for (int i = 0; i < RANKED_SHOWN && o && o->adds > 0; i++, o = next_ranked(&c->test.ops, o)) {
        say_text("%12.4g", o->adds);
        say_one(" ", o);
        say_text("\n");
    }
}

static void say_blame(const struct comparison *c)
{
    const struct op_diff *first = c->first_drift, *worst = c->worst_op;
    const char *precision = c->test.ops.half ? "float16" : "float32";
    uint32_t off = 0;

    for (const struct op_diff *o = c->test.ops.ops; o < c->test.ops.ops + c->test.ops.n; o++)
        off += o->off;
    if (first) {
        say_one(first->partition >= 0 ? "The difference is first seen where a partition ends:" : "The difference is first seen at",
                first);
        say_text(".\n");
    }
    if (worst) {
        say_one("Off by itself, given the reference's inputs:", worst);
        say_text(", %.4g times what rounding to %s makes of it%s", worst->rounding, precision, off > 1 ? "" : ".\n");
        if (off > 1)
            say_text("; %u outputs in all are (*).\n", off);
    } else if (off) {
        say_text("Off by themselves are %u outputs (*), but they do little to the model's; what does is rounding to %s", off,
                 precision);
        say_one(", most of all at", op_diffs_adds_most(&c->test.ops));
        say_text(".\n");
    } else if (c->alone.session) {
        say_text("No node is off by more than rounding to %s explains (up to %g times what it makes of the terms).\n", precision,
                 OP_DIFF_ROUNDING);
    } else if (!first) {
        say_text("No tensor is clearly off.\n");
    }
}

void diff_ops_say_found(const struct comparison *c)
{
    say_hidden(c);
    say_ranking(c);
    say_blame(c);
}

/* Marks: ! what is to blame, * off by itself, > where the difference is first seen. */
void diff_ops_say(const struct comparison *c)
{
    if (!diff_ops_wanted(c))
        return;
    say_text("\n%6s %-24s %-8s %10s %10s %10s %10s %10s %9s  %-16s %s\n", "node", "operator", "ran on", "drift: max", "relative",
             "own: max", "x rounding", "adds", "NaN,Inf", "at", "tensor  kernel");
    for (const struct op_diff *o = c->test.ops.ops; o < c->test.ops.ops + c->test.ops.n; o++)
        say_op(c, o);
    say_text("\n");
    diff_ops_say_found(c);
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

void diff_ops_put(struct report *r, const struct comparison *c)
{
    struct json *list;

    if (!diff_ops_wanted(c)) {
        json_null(r, report_root(r), "ops");
        return;
    }
    list = json_array(r, report_root(r), "ops");
    for (const struct op_diff *op = c->test.ops.ops; op < c->test.ops.ops + c->test.ops.n; op++) {
        struct json *o = json_object(r, list, NULL);

        json_number(r, o, "node", op->node->index);
        json_string(r, o, "op", op->node->name);
        json_number(r, o, "partition", op->partition);
        json_bool(r, o, "off", op->off);
        json_bool(r, o, "to_blame", op == c->worst_op);
        json_bool(r, o, "first_drift", op == c->first_drift);
        json_number(r, o, "times_rounding", op->ran_alone ? op->rounding : NAN);
        json_number(r, o, "adds_to_outputs", op->ranked ? op->adds : NAN);
        put_kernel(r, o, c, op);
        report_tensor(r, o, "tensor", op->test);
        diff_put(r, o, "diff", op->test, &op->diff, op->visible);
        diff_put(r, o, "alone", op->test, &op->alone, op->ran_alone);
    }
}
