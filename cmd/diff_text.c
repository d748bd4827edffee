/* diff_text.c - the comparison as TFLite's inference_diff prints it, and what that lacks: where, how many, which run. */
#include <math.h>

#include "inference_diff.h"
#include "say.h"

const char *comparison_path(const struct comparison *c)
{
    return *c->flags.model_file ? c->flags.model_file : c->flags.graph;
}

bool comparison_failed(const struct comparison *c)
{
    for (uint32_t i = 0; i < c->n_outputs; i++)
        if (diff_exceeds(&c->outputs[i].raw, c->flags.tolerance))
            return true;
    return false;
}

static void say_counts(const char *what, const struct diff *d)
{
    if (d->nan_reference || d->nan_test || d->inf_reference || d->inf_test)
        say_info("%s: NaN reference=%llu test=%llu, Inf reference=%llu test=%llu, not finite in the test alone: %llu", what,
                 (unsigned long long)d->nan_reference, (unsigned long long)d->nan_test,
                 (unsigned long long)d->inf_reference, (unsigned long long)d->inf_test, (unsigned long long)d->broken);
    if (d->shapes_differ)
        say_info("%s: another shape or type than the reference in %llu of %llu runs", what,
                 (unsigned long long)d->shapes_differ, (unsigned long long)d->comparisons);
}

static void say_distance(const char *what, const struct tensor *t, const struct diff *d)
{
    char at[128];

    if (!d->different) {
        say_info("%s: equal in all %llu finite elements", what, (unsigned long long)d->elems);
        return;
    }
    say_info("%s: max_error=%g at %s (reference %.9g, test %.9g, run %llu), relative=%g, different=%llu of %llu", what,
             d->max_abs, diff_index_text(t, d->worst, at, sizeof at), d->worst_reference, d->worst_test,
             (unsigned long long)d->worst_comparison, diff_relative(d), (unsigned long long)d->different,
             (unsigned long long)d->elems);
    say_info("%s: mean_error=%g, rms_error=%g, cosine=%.9g, snr=%g dB", what, diff_mean_abs(d),
             sqrt(d->error_sq / (double)d->elems), diff_cosine(d), diff_snr_db(d));
}

static void say_output(const struct comparison *c, uint32_t i)
{
    const struct tensor *t = session_output(c->reference.session, i);
    char name[96], what[256];

    snprintf(what, sizeof what, "Output %u '%s' %s", i, say_clean(t->name, name, sizeof name), TENSOR_TEXT(t));
    say_distance(what, t, &c->outputs[i].raw);
    say_counts(what, &c->outputs[i].raw);
    if (c->outputs[i].is_quantized && c->outputs[i].raw.different) {
        snprintf(what, sizeof what, "Output %u dequantized", i);
        say_distance(what, t, &c->outputs[i].real);
    }
}

static void say_op(const struct op_diff *o, bool mark, const char *label)
{
    char op[64], name[96], at[128], where[64] = "CPU";

    if (o->partition >= 0)
        snprintf(where, sizeof where, "%s[%d]", label, o->partition);
    say_text("%c%5u %-24s %-8s %11.4g %11.4g %11.4g  %-18s %s\n", mark ? '>' : ' ', o->node->index,
             say_clean(o->node->name, op, sizeof op), where, o->diff.max_abs, diff_mean_abs(&o->diff), diff_relative(&o->diff),
             diff_index_text(o->test, o->diff.worst, at, sizeof at), say_clean(o->test->name, name, sizeof name));
}

static void say_ops(const struct comparison *c)
{
    const struct op_diff *first = per_op_first_off(c);
    const char *label = c->tool.delegates.opened ? c->tool.delegates.opened->type->label : "CPU";
    char op[64], name[96];

    say_text("\n%6s %-24s %-8s %11s %11s %11s  %-18s %s\n", "node", "operator", "ran on", "max_error", "mean_error", "relative",
             "at", "tensor");
    for (uint32_t i = 0; i < c->n_ops; i++)
        say_op(&c->ops[i], &c->ops[i] == first, label);
    if (first && first->partition >= 0)
        say_text("\nThe difference starts within partition %d, seen at its output '%s' of node %u %s.\n", first->partition,
                 say_clean(first->test->name, name, sizeof name), first->node->index,
                 say_clean(first->node->name, op, sizeof op));
    else if (first)
        say_text("\nThe difference starts at node %u %s, in its output '%s'.\n", first->node->index,
                 say_clean(first->node->name, op, sizeof op), say_clean(first->test->name, name, sizeof name));
    else
        say_text("\nNo tensor that both sides show is clearly off.\n");
}

static void say_latency(const char *which, const struct stats *us)
{
    say_info("%s run latency: avg=%g(us), std_dev=%.0f(us)", which, us->avg, floor(us->std));
}

void comparison_say(const struct comparison *c)
{
    say_info("Num evaluation runs: %u", c->runs);
    say_latency("Reference", &c->reference.us);
    say_latency("Test", &c->test.us);
    for (uint32_t i = 0; i < c->n_outputs; i++)
        say_info("OutputDiff[%u]: avg_error=%g, std_dev=%g", i, c->outputs[i].error.avg, c->outputs[i].error.std);
    for (uint32_t i = 0; i < c->n_outputs; i++)
        say_output(c, i);
    if (c->flags.per_op)
        say_ops(c);
}
