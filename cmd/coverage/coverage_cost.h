/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_cost.h - the cost of a delegate's nodes (lib/coverage/cost.h), from --times and --device, and its printing. */
#pragma once

#include "cmd/print/results.h"
#include "lib/coverage/cost.h"

/* The cost; zeros: not asked for, or the CPU kernels are asked. */
struct coverage_cost {
    bool known;
    struct cost_terms terms;
    struct cost cost;
    const char *terms_from; /* "assumed", "--device", "--times" */
    struct arena arena;
};

/* Fill *out for a coverage of a delegate. `device`: the opened delegate, which is measured; else NULL. `times`: the path of a
 * report of benchmark_model with a profile, of this model; or "". Fails as reading that report and cost_measure do; ST_USAGE if the
 * report is of another model or has no profile. Free with coverage_cost_free, after failures too. */
enum status coverage_cost_find(const struct coverage *c, const struct model *m, struct delegate *device, const char *times,
                               struct coverage_cost *out, struct err *err);
void coverage_cost_free(struct coverage_cost *c);

/* Add the cost as lines, `label` being the delegate's name, and put it as "cost" into the report's root; null if not asked for. */
void coverage_cost_results(struct result_section *to, struct report *r, const struct coverage_cost *c, const char *label);
