/* SPDX-License-Identifier: Apache-2.0 */
/* diff_text.c - the comparison as TFLite's inference_diff prints it, and what that lacks: where, how many, which run. */

#include "inference_diff.h"

#include "interrupt.h"
#include "say.h"

static void say_errors(bool known, const struct diff *d)
{
    if (known)
        say_text(" %10.4g %10.4g", diff_max_abs(d), diff_relative(d));
    else
        say_text(" %10s %10s", "-", "-");
}

static void say_op(const struct op_diff *o, char mark, const char *label)
{
    const struct diff *d = o->visible ? &o->diff : &o->alone;
    char op[64], name[96], at[128], where[64] = "CPU";

    if (o->partition >= 0)
        snprintf(where, sizeof where, "%s[%d]", label, o->partition);
    say_text("%c%5u %-24s %-8s", mark, o->node->index, say_clean(o->node->name, op, sizeof op), where);
    say_errors(o->visible, &o->diff);
    say_errors(o->ran_alone, &o->alone);
    say_text("  %-18s %s\n", diff_index_text(o->test, d->worst, at, sizeof at), say_clean(o->test->name, name, sizeof name));
}

static void say_first(const struct op_diff *o, const char *what)
{
    char op[64], name[96];

    say_text("%s node %u %s, output '%s'.\n", what, o->node->index, say_clean(o->node->name, op, sizeof op),
             say_clean(o->test->name, name, sizeof name));
}

/* Marks: > the first tensor that is off, * the first node that is off by itself. */
static void say_ops(const struct comparison *c)
{
    const struct op_diff *first = c->first_off, *alone = c->first_off_alone;
    const char *label = c->tool.delegates.opened ? c->tool.delegates.opened->type->label : "CPU";

    say_text("\n%6s %-24s %-8s %10s %10s %10s %10s  %-18s %s\n", "node", "operator", "ran on", "max_error", "relative",
             "alone: max", "relative", "at", "tensor");
    for (const struct op_diff *o = c->test.ops.ops; o < c->test.ops.ops + c->test.ops.n; o++)
        say_op(o, o == alone ? '*' : o == first ? '>' : ' ', label);
    say_text("\n");
    if (alone)
        say_first(alone, "Off by itself, given the reference's inputs:");
    if (first && first->partition >= 0)
        say_first(first, "The difference is first seen where a partition ends:");
    else if (first)
        say_first(first, "The difference is first seen at");
    if (!first && !alone)
        say_text("No tensor is clearly off.\n");
}

static void say_latency(const char *which, const struct stats *us)
{
    char avg[STATS_AVG_SIZE];

    say_info("%s run latency: avg=%s(us), std_dev=%.0f(us)", which, stats_avg(us->avg, avg), us->std);
}

static void say_unsteady(const char *which, uint32_t unsteady, uint32_t runs)
{
    if (unsteady)
        say_warn("the %s gave different bits for the same input in %u of %u runs", which, unsteady, runs);
}

void comparison_say(const struct comparison *c)
{
    const struct session_diff *d = &c->test.diff;

    say_info("Num evaluation runs: %u", d->runs);
    if (d->runs < d->max_runs && !interrupted())
        say_info("Of %u runs, as --max_secs=%g", d->max_runs, c->flags.max_secs);
    say_latency("Reference", &c->reference.figures);
    say_latency("Test", &c->test.figures);
    for (uint32_t i = 0; i < d->n_outputs; i++)
        say_info("OutputDiff[%u]: avg_error=%g, std_dev=%g", i, d->outputs[i].error.avg, d->outputs[i].error.std);
    trial_say_outputs(&c->test);
    say_unsteady("reference", c->reference.unsteady, d->runs);
    say_unsteady("test side", c->test.unsteady, d->runs);
    if (c->flags.per_op)
        say_ops(c);
    diff_bisect_say(c);
    diff_why_say(c);
    diff_fp32_say(c);
    comparison_say_verdict(c);
}
