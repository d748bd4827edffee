/* SPDX-License-Identifier: Apache-2.0 */
/* partition.h - who runs which node, and the runs of nodes that share a backend.
 *
 * Reads the graph, never changes it. No global state. */
#ifndef DELEGAUGE_PARTITION_H
#define DELEGAUGE_PARTITION_H

#include "lib/delegate/delegate.h"

struct partition_options {
    int32_t max_partitions;        /* keep the largest ones; 0: all. Shapes found while running (session.h) get what is left */
    int32_t min_nodes;             /* drop smaller ones; 0 and 1: keep all */
    bool as_tflite;                /* begin with the side of the first node, as TFLite does; else with the CPU, for the fewest */
    bool watched;                  /* of all partitions, see delegate.h */
    bool no_quantized;             /* leave nodes that read or write quantized values, other than constants, to the CPU */
    uint32_t first_node, end_node; /* leave nodes outside of [first_node, end_node) of the file to the CPU; end_node 0: no end */
    const char *only_ops,
        *cpu_ops;          /* leave all operators but these, and these, to the CPU (op_list.h); "" or NULL: none; borrowed */
    const char *cpu_nodes; /* leave these of the file to the CPU: "3,7-9" (node_list.h); "" or NULL: none; borrowed */
};

/* Whether nodes are left out by their numbers, which are those of the outermost graph. */
static inline bool partition_numbers_nodes(const struct partition_options *p)
{
    return p->first_node || p->end_node || (p->cpu_nodes && *p->cpu_nodes);
}

struct partitioning {
    struct partition *parts; /* what delegates will run */
    uint32_t n_parts;
    int32_t *part_of;       /* [graph nodes] index in parts, or -1: CPU (or folded) */
    struct reason *reasons; /* [graph nodes] why a node stays on the CPU; REASON_NONE for delegated and folded ones */
    uint32_t n_delegated, n_cpu, n_folded; /* nodes */
    uint32_t n_before_limits;              /* partitions before max_partitions and min_nodes were applied */
};

/* Offers every node to ds[] (NULL: the end of the list) in this order, each delegate seeing what the ones before it left:
 * (*claims)[graph nodes] in arena `a`. refused[graph nodes] (or NULL) bars the nodes that have a reason there. ST_FAILED where a
 * delegate claims what it may not, or gives neither claim nor reason. */
enum status partition_ask(const struct graph *g, struct delegate *const *ds, const struct reason *refused, struct arena *a,
                          struct claim **claims, struct err *err);

/* Groups the claimed nodes into partitions that can run one after the other, CPU nodes between them; with one delegate into the
 * fewest that there can be. Folded nodes belong to no side. What the options drop goes to the CPU, not to the next delegate. The
 * result belongs to `a`; claims are free afterwards. ST_NOMEM; ST_USAGE where opt->cpu_nodes is no list of nodes of the graph, or a
 * name no operator, naming the flag --no_delegate_nodes. */
enum status partition_claimed(const struct graph *g, const struct claim *claims, const struct partition_options *opt,
                              struct arena *a, struct partitioning *out, struct err *err);

/* How many nodes and partitions partition_claimed would give the delegates without any options; takes time and memory in `a`
 * proportional to the graph. ST_NOMEM. */
enum status partition_count(const struct graph *g, const struct claim *claims, struct arena *a, uint32_t *nodes, uint32_t *parts,
                            struct err *err);

/* Fills inputs and outputs of all p->parts, whose nodes are set, and p->part_of; for who grouped nodes in another way. ST_NOMEM. */
enum status partition_borders(const struct graph *g, const struct partitioning *p, struct arena *a, struct err *err);

/* partition_ask and partition_claimed in one. */
enum status partition_graph(const struct graph *g, struct delegate *const *ds, const struct partition_options *opt, struct arena *a,
                            struct partitioning *out, struct err *err);

/* [tensors] who reads each, or with `readers` false who makes it: the partition that all those nodes are of, -1 where the CPU runs
 * them, PARTITION_SEVERAL where they are of several, PARTITION_NOBODY without any. Folded nodes do not count. NULL: no memory. */
enum { PARTITION_NOBODY = -2, PARTITION_SEVERAL = -3 };
int32_t *partition_users(const struct graph *g, const int32_t *part_of, bool readers, struct arena *a);

#endif
