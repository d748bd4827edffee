/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_refusals.h - refused nodes, grouped by operator and reason. */
#pragma once

#include "lib/coverage/coverage.h"

struct coverage_refusal {
    const struct verdict *first; /* first node of the group: has the operator and the reason */
    uint32_t n_nodes;
};

/* List the groups of nodes with equal operator, reason code and reason text in *out, in the arena: largest first, then in the order
 * of nodes. Fails only with ST_NOMEM. */
enum status coverage_refusals(const struct coverage *c, struct arena *a, struct coverage_refusal **out, uint32_t *n,
                              struct err *err);
