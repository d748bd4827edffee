/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.h - how much of a model something can run: per operator, and in all. */
#ifndef DELEGAUGE_CMD_COVERAGE_H
#define DELEGAUGE_CMD_COVERAGE_H

#include "../lib/partition.h"

/* Whether one node is covered, and why not. */
struct verdict {
    const struct node *node;
    uint32_t subgraph;
    bool covered;
    int32_t partition; /* -1: none */
    struct reason why; /* REASON_NONE where covered or folded */
    uint64_t macs;
};

/* All nodes of one operator. */
struct coverage_op {
    const char *name;
    int32_t builtin;
    int32_t min_version, max_version;
    uint32_t nodes, covered, folded;
    uint64_t macs, macs_covered;
};

struct coverage {
    struct verdict *verdicts; /* in the order of execution, subgraph by subgraph */
    struct coverage_op *ops;  /* most nodes first */
    uint32_t n_verdicts, n_ops;
    uint32_t covered, folded; /* nodes; the rest is neither */
    uint64_t macs, macs_covered;
    uint64_t bytes_in, bytes_out; /* that cross into and out of the partitions in each run */
    struct arena arena;
};

/* Adds the nodes of a graph: with `p`, what the delegate took; without, what has a CPU kernel. Fails only with ST_NOMEM. */
enum status coverage_add(struct coverage *c, const struct graph *g, const struct partitioning *p, struct err *err);

/* Adds up the operators; after the last coverage_add. */
enum status coverage_finish(struct coverage *c, struct err *err);

/* What one operator costs by not being taken: the partitions and nodes there would be with it. */
struct coverage_gain {
    const char *op;
    uint32_t partitions, nodes;
};

/* True where the node itself was turned down, not its partition for being too small or one too many. */
bool reason_is_node(enum reason_code code);

/* One entry per operator that `d` turns down in `g` and whose nodes would be gained, the largest gain first, whatever limits
 * there are on partitions; in c->arena. */
enum status coverage_gains(struct coverage *c, const struct graph *g, struct delegate *d, struct coverage_gain **out, uint32_t *n,
                           struct err *err);

#endif
