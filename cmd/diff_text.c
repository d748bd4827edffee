/* SPDX-License-Identifier: Apache-2.0 */
/* diff_text.c - the comparison as TFLite's inference_diff prints it, and what that lacks: where, how many, which run. */

#include "inference_diff.h"

#include <math.h>

#include "say.h"

static void say_counts(const char *what, const struct diff *d)
{
    if (d->nan_reference || d->nan_test || d->inf_reference || d->inf_test)
        say_info(
            "%s: NaN reference=%llu test=%llu, Inf reference=%llu test=%llu, not finite in the test alone: %llu, unequal: %llu",
            what, (unsigned long long)d->nan_reference, (unsigned long long)d->nan_test, (unsigned long long)d->inf_reference,
            (unsigned long long)d->inf_test, (unsigned long long)d->broken, (unsigned long long)d->unequal);
    if (d->shapes_differ)
        say_info("%s: another shape or type than the reference in %llu of %llu runs", what, (unsigned long long)d->shapes_differ,
                 (unsigned long long)d->comparisons);
}

/* What is known of the finite pairs comes after "max_error=nan": a script that looks for the figure must not find theirs. */
static void say_unknown(const char *what, const struct diff *d)
{
    if (d->elems)
        say_info("%s: max_error=nan, mean_error=nan; the %llu elements that are finite on both sides differ by up to %g", what,
                 (unsigned long long)d->elems, d->max_abs);
    else
        say_info("%s: max_error=nan, mean_error=nan; no element is finite on both sides", what);
}

static void say_distance(const char *what, const struct tensor *t, const struct diff *d)
{
    char at[128];

    if (isnan(diff_max_abs(d))) {
        say_unknown(what, d);
        return;
    }
    if (!d->different) {
        say_info("%s: equal in all %llu finite elements", what, (unsigned long long)d->elems);
        return;
    }
    say_info("%s: max_error=%g at %s (reference %.9g, test %.9g, run %llu), relative=%g, different=%llu of %llu", what, d->max_abs,
             diff_index_text(t, d->worst, at, sizeof at), d->worst_reference, d->worst_test,
             (unsigned long long)d->worst_comparison, diff_relative(d), (unsigned long long)d->different,
             (unsigned long long)d->elems);
    say_info("%s: mean_error=%g, rms_error=%g, cosine=%.9g, snr=%g dB", what, diff_mean_abs(d), diff_rms(d), diff_cosine(d),
             diff_snr_db(d));
}

static void say_output(const struct comparison *c, uint32_t i)
{
    const struct tensor *t = session_output(c->reference.session, i);
    const struct output_diff *out = &c->test.diff.outputs[i];
    char name[96], what[256];

    snprintf(what, sizeof what, "Output %u '%s' %s", i, say_clean(t->name, name, sizeof name), TENSOR_TEXT(t));
    say_distance(what, t, &out->raw);
    say_counts(what, &out->raw);
    if (out->is_quantized && out->raw.different) {
        snprintf(what, sizeof what, "Output %u dequantized", i);
        say_distance(what, t, &out->real);
    }
}

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

void comparison_say(const struct comparison *c)
{
    const struct session_diff *d = &c->test.diff;

    say_info("Num evaluation runs: %u", d->runs);
    say_latency("Reference", &c->reference.figures);
    say_latency("Test", &c->test.figures);
    for (uint32_t i = 0; i < d->n_outputs; i++)
        say_info("OutputDiff[%u]: avg_error=%g, std_dev=%g", i, d->outputs[i].error.avg, d->outputs[i].error.std);
    for (uint32_t i = 0; i < d->n_outputs; i++)
        say_output(c, i);
    if (c->flags.per_op)
        say_ops(c);
    diff_bisect_say(c);
    diff_why_say(c);
    diff_fp32_say(c);
    comparison_say_verdict(c);
}
