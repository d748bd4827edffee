/* SPDX-License-Identifier: Apache-2.0 */
/* partition.h - assignment of nodes to delegates or the CPU, and grouping of delegated nodes into partitions.
 *
 * Reads the graph, never changes it. No global state. */
#pragma once

#include "lib/delegate/delegate.h"

struct partition_options {
    int32_t max_partitions;        /* keep only the largest partitions, this many; 0: all. Groups whose shapes are found while
                                    * running (session.h) get the rest of this number */
    int32_t min_nodes;             /* drop partitions with fewer nodes; 0 and 1: keep all */
    bool first_only;               /* keep only the partition of the earliest node, as TFLite's delegate of 2019 did */
    bool as_tflite;                /* begin with the executor of the first node, as TFLite does; else with the CPU, which makes the
                                    * fewest partitions */
    bool watched;                  /* partition.watched (delegate.h) of all partitions */
    bool no_quantized;             /* leave nodes that read or write quantized values, other than constants, to the CPU */
    uint32_t first_node, end_node; /* leave nodes outside [first_node, end_node) of the file to the CPU; end_node 0: no end */
    const char *only_ops,          /* leave all operators but these to the CPU (op_list.h); "" or NULL: no limit; borrowed */
        *cpu_ops;                  /* leave these operators to the CPU (op_list.h); "" or NULL: none; borrowed */
    const char *cpu_nodes;         /* leave these nodes of the file to the CPU: "3,7-9" (node_list.h); "" or NULL: none; borrowed */
    bool masked; /* a delegate that masks nodes gets the whole graph, and masks those that these options leave out */
};

/* Return true if the options exclude nodes by index; indices refer to the outermost graph. */
static inline bool partition_numbers_nodes(const struct partition_options *p)
{
    return p->first_node || p->end_node || (p->cpu_nodes && *p->cpu_nodes);
}

struct partitioning {
    struct partition *parts; /* [n_parts] */
    uint32_t n_parts;
    int32_t *part_of;                      /* [graph nodes] index in parts, or -1: on the CPU, or folded */
    struct reason *reasons;                /* [graph nodes] why a node stays on the CPU; REASON_NONE if it is delegated or folded */
    uint32_t n_delegated, n_cpu, n_folded; /* nodes by executor */
    uint32_t n_before_limits;              /* partitions before max_partitions and min_nodes were applied */
};

/* Offer the nodes to the delegates ds[], a list that ends with NULL, in this order; each sees the nodes that the earlier ones left.
 * Writes (*claims)[graph nodes], in arena `a`. Nodes with a reason in refused[graph nodes] (or NULL) are barred. Fails with
 * ST_FAILED if a delegate claims a node that it must not take, or gives neither claim nor reason; with ST_USAGE for more than
 * MAX_DELEGATES; as a delegate's claim does. */
enum status partition_ask(const struct graph *g, struct delegate *const *ds, const struct reason *refused, struct arena *a,
                          struct claim **claims, struct err *err);

/* Group the claimed nodes into partitions that can run one after the other, with CPU nodes in between; with one delegate into the
 * smallest number possible. Folded nodes belong to neither. Nodes that the options drop go to the CPU, not to the next delegate.
 * The result belongs to `a`; claims may be dropped afterwards. Fails with ST_NOMEM, or with ST_USAGE, naming the flag, if
 * opt->cpu_nodes is no list of nodes of the graph or opt->only_ops or cpu_ops name an unknown operator. */
enum status partition_claimed(const struct graph *g, const struct claim *claims, const struct partition_options *opt,
                              struct arena *a, struct partitioning *out, struct err *err);

/* Count the nodes and partitions that partition_claimed would delegate with these limits on partitions; options about nodes and
 * operators are ignored. Takes time and memory in `a` proportional to the graph. Fails only with ST_NOMEM. */
enum status partition_count(const struct graph *g, const struct claim *claims, const struct partition_options *opt, struct arena *a,
                            uint32_t *nodes, uint32_t *parts, struct err *err);

/* Set inputs and outputs of all p->parts from their nodes and p->part_of, for nodes grouped by the caller. Fails only with
 * ST_NOMEM. */
enum status partition_borders(const struct graph *g, const struct partitioning *p, struct arena *a, struct err *err);

/* Return true if ds[], a list that ends with NULL, is one delegate with whole_model, and the options leave out none of n_nodes
 * nodes, or only mask them: it then gets the graph by partition_whole, and is not asked. */
bool partition_is_whole(struct delegate *const *ds, const struct partition_options *opt, uint32_t n_nodes);

/* Give all nodes to `d`, in one partition; with opt->masked, those that the options leave out count as the CPU's. The result
 * belongs to `a`. Fails with ST_NOMEM, and then as partition_claimed does. */
enum status partition_whole(const struct graph *g, struct delegate *d, const struct partition_options *opt, struct arena *a,
                            struct partitioning *out, struct err *err);

/* Call partition_ask, with no node refused, and then partition_claimed. */
enum status partition_graph(const struct graph *g, struct delegate *const *ds, const struct partition_options *opt, struct arena *a,
                            struct partitioning *out, struct err *err);

/* Return [graph tensors] in arena `a`: the partition of all nodes that read the tensor (or compute it, if not `readers`); -1 if the
 * CPU runs them all; PARTITION_SEVERAL; or PARTITION_NOBODY. Folded nodes do not count. NULL: out of memory. */
enum { PARTITION_NOBODY = -2, PARTITION_SEVERAL = -3 };
int32_t *partition_users(const struct graph *g, const int32_t *part_of, bool readers, struct arena *a);
