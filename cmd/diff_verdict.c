/* SPDX-License-Identifier: Apache-2.0 */
/* diff_verdict.c - whether a comparison has passed, and the lines that say so. */
#include "inference_diff.h"
#include "say.h"

bool comparison_outputs_passed(const struct comparison *c)
{
    return session_diff_passed(&c->diff, c->flags.tolerance);
}

bool comparison_delegated_enough(const struct comparison *c)
{
    if (!c->tool.delegates.opened)
        return !c->flags.require_full_delegation;
    return c->assignment.n_delegated >= (uint32_t)c->flags.min_delegated &&
           (!c->flags.require_full_delegation || c->assignment.full);
}

/* Last, so that a log ends with it; nodes that both sides gave to the reference kernels show nothing. */
void comparison_say_verdict(const struct comparison *c)
{
    const struct assignment *a = &c->assignment;
    const char *label = c->tool.delegates.opened ? c->tool.delegates.opened->type->label : "delegate";
    const char *kernels = c->flags.cpu_kernels == CPU_FAST ? "fast" : "reference";

    if (!comparison_delegated_enough(c))
        say_text("Too few nodes on the %s: %u of %u, where --min_delegated=%d%s.\n", label, a->n_delegated,
                 a->n_delegated + a->n_cpu, c->flags.min_delegated,
                 c->flags.require_full_delegation ? " and --require_full_delegation" : "");
    if (!comparison_outputs_passed(c))
        say_text("Outputs differ by more than they may.\n");
    say_text("Verdict: %s. The test side had ", c->passed ? "passed" : "FAILED");
    if (c->tool.delegates.opened)
        say_text("%u of %u nodes on the %s, ", a->n_delegated, a->n_delegated + a->n_cpu, label);
    say_text("%u of %u nodes on the CPU's %s kernels; the reference all on its reference kernels.\n", a->n_cpu,
             a->n_delegated + a->n_cpu, kernels);
}
