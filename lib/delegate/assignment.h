/* SPDX-License-Identifier: Apache-2.0 */
/* assignment.h - which executor each node of a graph was given: the delegate, a CPU kernel, or none, where it was folded into a
 * constant. Counts and reasons of a partitioning, for whoever reports them. */
#ifndef DELEGAUGE_ASSIGNMENT_H
#define DELEGAUGE_ASSIGNMENT_H

#include "lib/delegate/partition.h"

struct assignment {
    uint32_t n_nodes; /* of the graph: the sum of the three below */
    uint32_t n_delegated, n_cpu, n_folded;
    uint32_t n_partitions;
    bool full; /* there is a delegate, and it was given every node that runs */
};

/* Of a graph whose shapes are resolved; `p` NULL: without a delegate, everything that is not folded runs on the CPU. */
struct assignment assignment_of(const struct graph *g, const struct partitioning *p);

/* Of that, what one of several delegates has: nodes and partitions. */
void assignment_share(const struct partitioning *p, const struct delegate *d, uint32_t *n_nodes, uint32_t *n_partitions);

/* Why nodes of one operator stay on the CPU. */
struct refusal {
    const char *op, *text; /* the node's name, and its reason; of the graph and of the partitioning */
    uint32_t n_nodes;      /* that have this reason */
};

/* Stores in *out the *n different pairs of operator and reason, sorted by operator, then by text; the array belongs to `a`. Fails
 * only with ST_NOMEM. */
enum status assignment_refusals(const struct graph *g, const struct partitioning *p, struct arena *a, struct refusal **out,
                                uint32_t *n, struct err *err);

#endif
