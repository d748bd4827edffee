/* SPDX-License-Identifier: Apache-2.0 */
/* partition.h - split a graph into runs of nodes that share a backend.
 *
 * Reads the graph, never changes it. No global state. */
#ifndef DELEGAUGE_PARTITION_H
#define DELEGAUGE_PARTITION_H

#include "delegate.h"

struct partition_options {
    int32_t max_partitions; /* keep the largest ones; 0: all */
    int32_t min_nodes;      /* drop smaller ones; 0 and 1: keep all */
};

struct partitioning {
    struct partition *parts; /* what the delegate will run */
    uint32_t n_parts;
    int32_t *part_of;       /* [graph nodes] index in parts, or -1: CPU (or folded) */
    struct reason *reasons; /* [graph nodes] why a node stays on the CPU; REASON_NONE for delegated and folded ones */
    uint32_t n_delegated, n_cpu, n_folded; /* nodes */
    uint32_t n_before_limits;              /* partitions before max_partitions and min_nodes were applied */
};

/* Asks `d` about every node and groups the accepted ones into the fewest partitions that can run one after the other, CPU
 * nodes between them. Folded nodes belong to neither side. The result belongs to `a`. Fails only with ST_NOMEM. */
enum status partition_graph(const struct graph *g, struct delegate *d, const struct partition_options *opt, struct arena *a,
                            struct partitioning *out, struct err *err);

#endif
