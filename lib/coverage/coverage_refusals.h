/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_refusals.h - the reasons why nodes are not covered, the nodes of one operator and one reason together. */
#ifndef DELEGAUGE_COVERAGE_REFUSALS_H
#define DELEGAUGE_COVERAGE_REFUSALS_H

#include "lib/coverage/coverage.h"

struct coverage_refusal {
    const struct verdict *first; /* the first node of these: operator and reason */
    uint32_t n_nodes;
};

/* Stores in *out the *n different triples of operator, code and text, most nodes first, then in the order of the nodes; the array
 * belongs to `a`. Fails only with ST_NOMEM. */
enum status coverage_refusals(const struct coverage *c, struct arena *a, struct coverage_refusal **out, uint32_t *n,
                              struct err *err);

#endif
