/* SPDX-License-Identifier: Apache-2.0 */
/* diff_tolerances.c - what the command line says about how far a test side may be off. */
#include "cmd/diff/inference_diff.h"

struct trial_terms comparison_terms(const struct comparison *c)
{
    return (struct trial_terms){.tolerances = &c->tolerances,
                                .pairs = c->second.model ? &c->second.pairs : NULL,
                                .min_delegated = (uint32_t)c->flags.min_delegated,
                                .require_full_delegation = c->flags.require_full_delegation};
}

enum status comparison_read_tolerances(struct comparison *c, struct err *err)
{
    const struct diff_flags *f = &c->flags;
    struct tolerances *ts = &c->tolerances;
    enum status st;

    if (*f->atol && *f->tolerance)
        return err_set(err, ST_USAGE, "--atol=%.60s and --tolerance=%.60s: one flag by two names", f->atol, f->tolerance);
    ts->preset = diff_presets[f->preset];
    if ((st = tolerances_fail_on(ts, f->fail_on, err)) || (st = tolerances_add(ts, TOLERANCE_ATOL, "atol", f->atol, err)) ||
        (st = tolerances_add(ts, TOLERANCE_ATOL, "tolerance", f->tolerance, err)) ||
        (st = tolerances_add(ts, TOLERANCE_RTOL, "rtol", f->rtol, err)))
        return st;
    return tolerances_add(ts, TOLERANCE_ULP, "max_ulp", f->max_ulp, err);
}

enum status comparison_check_tolerances(const struct comparison *c, struct err *err)
{
    return tolerances_check(&c->tolerances, session_graph(c->reference.session), c->flags.per_op || c->tensors.dir, err);
}

const char *diff_failed_text(unsigned failed, char out[DIFF_FAILED_SIZE])
{
    size_t n = 0;

    out[0] = '\0';
    for (unsigned i = 0; i < FAIL_ON_NAMES; i++)
        if (failed & 1u << i)
            n += (size_t)snprintf(out + n, DIFF_FAILED_SIZE - n, "%s%s", n ? ", " : "", fail_on_names[i]);
    return out;
}
