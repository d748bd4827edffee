/* SPDX-License-Identifier: Apache-2.0 */
/* diff_verdict.c - the lines that say whether a comparison has passed. */
#include "inference_diff.h"
#include "say.h"

bool comparison_passed(const struct comparison *c)
{
    return c->matrix.n ? matrix_passed(&c->matrix) : c->test.verdict.passed;
}

static void say_reference(const struct comparison *c)
{
    char what[256];

    if (c->stored.reference.n_runs)
        say_text("the reference is stored in %s: %s.\n", c->stored.reference.dir,
                 say_clean(c->stored.reference.what, what, sizeof what));
    else
        say_text("the reference%s%s all on its reference kernels.\n", c->second.model ? ", the model " : "",
                 c->second.model ? c->second.path : "");
}

/* Last, so that a log ends with it; nodes that both sides gave to the reference kernels show nothing. */
void comparison_say_verdict(const struct comparison *c)
{
    const struct assignment *a = &c->test.assignment;
    const struct trial_verdict *v = &c->test.verdict;
    char failed[DIFF_FAILED_SIZE], what[256];
    const char *label = c->tool.delegates.opened ? c->tool.delegates.opened->type->label : "delegate";
    const char *kernels = c->flags.cpu_kernels == CPU_FAST ? "fast" : "reference";

    if (c->matrix.n) {
        diff_matrix_say_verdict(c);
        return;
    }
    if (!v->delegated_enough)
        say_text("Too few nodes on the %s: %u of %u, where --min_delegated=%d%s.\n", label, a->n_delegated,
                 a->n_delegated + a->n_cpu, c->flags.min_delegated,
                 c->flags.require_full_delegation ? " and --require_full_delegation" : "");
    if (!v->outputs_passed)
        say_text("Outputs differ by more than they may: %s.\n", diff_failed_text(v->failed_on, failed));
    if (c->stored.test.n_runs) {
        say_text("Verdict: %s. The test side is stored in %s: %s; ", v->passed ? "passed" : "FAILED", c->stored.test.dir,
                 say_clean(c->stored.test.what, what, sizeof what));
        say_reference(c);
        return;
    }
    say_text("Verdict: %s. The test side had ", v->passed ? "passed" : "FAILED");
    if (c->tool.delegates.opened)
        say_text("%u of %u nodes on the %s, ", a->n_delegated, a->n_delegated + a->n_cpu, label);
    say_text("%u of %u nodes on the CPU's %s kernels; ", a->n_cpu, a->n_delegated + a->n_cpu, kernels);
    say_reference(c);
}
