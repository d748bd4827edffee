/* SPDX-License-Identifier: Apache-2.0 */
/* assignment.h - counts and reasons of a partitioning, for reports: a node runs on a delegate, on the CPU, or was folded into a
 * constant. */
#pragma once

#include "lib/delegate/partition.h"

struct assignment {
    uint32_t n_nodes;                      /* nodes of the graph: n_delegated + n_cpu + n_folded */
    uint32_t n_delegated, n_cpu, n_folded; /* nodes by executor */
    uint32_t n_partitions;                 /* delegated subgraphs */
    bool full;                             /* there is a delegate, and no node runs on the CPU */
};

/* Count the nodes of a graph whose shapes are resolved. p NULL: there is no delegate; nodes that are not folded run on the CPU. */
struct assignment assignment_of(const struct graph *g, const struct partitioning *p);

/* Count the nodes and partitions of delegate `d`, one of several. */
void assignment_share(const struct partitioning *p, const struct delegate *d, uint32_t *n_nodes, uint32_t *n_partitions);

/* A reason why nodes of one operator stay on the CPU. */
struct refusal {
    const char *op,   /* the operator's name; belongs to the graph */
        *text;        /* the reason; belongs to the partitioning */
    uint32_t n_nodes; /* nodes of this operator with this reason */
};

/* Store in *out the *n distinct pairs of operator and reason, sorted by operator, then by text; the array belongs to `a`. Fails
 * only with ST_NOMEM. */
enum status assignment_refusals(const struct graph *g, const struct partitioning *p, struct arena *a, struct refusal **out,
                                uint32_t *n, struct err *err);
