/* SPDX-License-Identifier: Apache-2.0 */
/* diff_text.c - the comparison as TFLite's inference_diff prints it, and what that lacks: where, how many, which run. */

#include "cmd/diff/inference_diff.h"

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"

static void say_latency(const char *which, const struct stats *us)
{
    char avg[STATS_AVG_SIZE];

    if (us->count) /* a stored side did not run */
        say_info("%s run latency: avg=%s(us), std_dev=%.0f(us)", which, stats_avg(us->avg, avg), us->std);
}

static void say_unsteady(const char *which, uint32_t unsteady, uint32_t runs)
{
    if (unsteady)
        say_warn("the %s gave different bits for the same input in %u of %u runs", which, unsteady, runs);
}

static void say_sides(const struct comparison *c)
{
    say_unsteady("reference", c->reference.unsteady, c->test.diff.runs);
    say_unsteady("test side", c->test.unsteady, c->test.diff.runs);
}

void comparison_say_doubts(const struct comparison *c)
{
    trial_say_doubts(&c->test);
    say_sides(c);
}

enum status comparison_say(const struct comparison *c, struct err *err)
{
    const struct session_diff *d = &c->test.diff;
    enum status st;

    say_info("Num evaluation runs: %u", d->runs);
    if (d->runs < d->max_runs && !interrupted())
        say_info("Of %u runs, as --max_secs=%g", d->max_runs, c->flags.max_secs);
    say_latency("Reference", &c->reference.figures);
    say_latency("Test", &c->test.figures);
    for (uint32_t i = 0; i < d->n_outputs; i++)
        say_info("OutputDiff[%u]: avg_error=%g, std_dev=%g", i, d->outputs[i].error.avg, d->outputs[i].error.std);
    trial_say_outputs(&c->test);
    say_sides(c);
    diff_ops_say(c);
    diff_models_say_names(c);
    diff_models_say_cut(c);
    diff_bisect_say(c);
    diff_extract_say(c);
    diff_why_say(c);
    diff_fp32_say(c);
    st = diff_matrix_say(c, err);
    comparison_say_verdict(c);
    return st;
}
