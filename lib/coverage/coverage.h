/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.h - how much of a model a delegate or the CPU can run: for each node with the reason of a refusal, for each operator, in
 * all.
 *
 * A delegate is asked about one subgraph, with the partitioning that a session would make; the table of CPU kernels about every
 * subgraph. A delegate's answer does not include the nodes of subgraphs that WHILE and IF call: coverage_called counts them.
 * Nothing is run or compiled for a device; the delegate only lists its work (outline). cmd/coverage/op_coverage prints the
 * result. */
#pragma once

#include "lib/delegate/partition.h"
#include "lib/rules/rules.h"

/* Limits of the gains: single nodes that are listed; and the work of trying nodes one by one, where a try costs as many units as
 * the model has nodes. */
enum { COVERAGE_MOST_NODES = 8, COVERAGE_GAINS_WORK = 1 << 21 };

/* Answer about one node. */
struct verdict {
    const struct node *node;
    uint32_t subgraph;
    bool covered; /* in a partition, or supported by a CPU kernel of its version; for rule sets only if `answer` is yes */
    enum rules_answer answer; /* of a rule set; else RULES_YES if covered or folded, RULES_NO if not */
    int32_t partition;        /* index in coverage.parts; -1: none */
    struct reason why;        /* REASON_NONE if covered or folded */
    uint64_t macs;            /* multiply-accumulates of one inference; 0 if unknown */
    bool macs_known;          /* node_macs_known */
};

/* Sums over all nodes of one operator. */
struct coverage_op {
    const char *name;
    int32_t builtin;
    int32_t min_version, max_version;    /* versions of the operator in the model */
    uint32_t nodes, covered, folded;     /* folded: computed at plan time, not in `covered` */
    uint64_t macs, macs_covered;         /* without folded nodes and nodes of unknown macs */
    uint32_t macs_unknown;               /* nodes of unknown macs, without folded ones */
    double macs_percent;                 /* share of all known multiply-accumulates; 0 if there are none */
    const struct verdict *first_refused; /* first node that is refused, else the first that a limit leaves out; NULL: none */
};

/* A hypothesis: a delegate takes all remaining nodes of one operator, all nodes refused for one reason, or one node. With several
 * delegates each is tried, except for reasons, which are the first delegate's. */
enum coverage_if { COVERAGE_IF_OPERATOR, COVERAGE_IF_REASON, COVERAGE_IF_NODE };

/* Nodes and partitions that there would be under a hypothesis. */
struct coverage_gain {
    enum coverage_if what;
    uint32_t by;             /* index of the delegate */
    const char *op;          /* the operator, or the node's operator; else NULL */
    enum reason_code reason; /* the reason; else REASON_NONE */
    const struct node *node; /* the node; else NULL */
    uint32_t partitions, nodes;
};

/* A dispatch that only moves elements. */
struct coverage_copy {
    const struct node *node; /* first node that needs it, or NULL */
    const char *label, *why; /* kernel variant; reason of the copy */
};

/* Counts over the subgraphs called by nodes that all delegates left (IF, WHILE, STABLEHLO_CASE, composites) and by those subgraphs
 * in turn, each once, with the shapes of its first caller: subgraphs, nodes without folded ones, nodes of delegates, partitions. */
struct coverage_called {
    uint32_t subgraphs, nodes, delegated, partitions;
    uint32_t unknown; /* subgraphs whose shapes are known only while running: their nodes are not counted */
};

/* The whole answer; zeros are an empty one. */
struct coverage {
    struct verdict *verdicts; /* [n_verdicts] in execution order, subgraph by subgraph */
    struct coverage_op *ops;  /* [n_ops] operators with most nodes first */
    uint32_t n_verdicts, n_ops;
    uint32_t covered, folded, to_run;     /* numbers of nodes; to_run: all that are not folded */
    uint64_t macs, macs_covered;          /* sums of the known multiply-accumulates */
    uint32_t macs_unknown;                /* nodes in to_run with unknown macs */
    double covered_percent, macs_percent; /* covered / to_run; macs_covered / macs; 100 if the divisor is 0 */

    /* The following members are filled for delegates only. */
    struct coverage_called called;
    uint64_t bytes_in, bytes_out;        /* bytes that cross into and out of the partitions in each run */
    struct partitioning parts;           /* of graphs[0] */
    const struct verdict *first_refused; /* first node that the delegate itself refused; NULL: none */
    bool outlined;                       /* the delegate listed its work: dispatches, transfers and copies are filled */
    uint32_t dispatches, transfers;
    struct coverage_copy *copies; /* [n_copies] dispatches that only move elements */
    uint32_t n_copies;
    /* [n_gains] by kind, then the largest first, after limits on partitions. Hypotheses about operators and reasons are listed if
     * they add delegated nodes; advice about single nodes if they join partitions, at most COVERAGE_MOST_NODES. */
    struct coverage_gain *gains;
    uint32_t n_gains;
    uint32_t n_untried;     /* refused nodes, the last ones, that were not tried one by one: too much work */
    const char *cannot_run; /* why the model runs nowhere (only operator names are known then), or NULL */

    struct graph **graphs; /* [n_graphs] graphs that the verdicts point into */
    bool borrows_graphs;   /* another struct owns the graphs */
    uint32_t n_graphs;
    struct arena arena;
};

/* Ask delegate `d`, which needs `claim` only. If shapes cannot be inferred (ST_BAD_MODEL), no node is covered and out->cannot_run
 * has the reason. Fails as delegate_ops.outline and partition_claimed do, else only with ST_NOMEM. Free with coverage_free, after
 * failures too. The model is borrowed. */
enum status coverage_of_delegate(const struct model *m, uint32_t subgraph, struct delegate *d, const struct partition_options *opt,
                                 struct coverage *out, struct err *err);

/* Do the same for several delegates, in order up to the first NULL, each asked about the nodes that its predecessors left. The
 * outline is known if all of them have one. Gains as coverage_if explains. */
enum status coverage_of_delegates(const struct model *m, uint32_t subgraph, struct delegate *const *ds,
                                  const struct partition_options *opt, struct coverage *out, struct err *err);

/* Do the same for a graph with inferred shapes, borrowed as long as *out lives. */
enum status coverage_of_graph(struct graph *g, struct delegate *d, const struct partition_options *opt, struct coverage *out,
                              struct err *err);

/* Ask the table of CPU kernels. No shapes are inferred, so a model whose shapes cannot be inferred for lack of a kernel gets an
 * answer. */
enum status coverage_of_cpu(const struct model *m, struct coverage *out, struct err *err);

/* Ask a rule set about one subgraph, in the form of a delegate's answer: the nodes that it takes are partitioned. Nothing is
 * folded: the set is asked about all nodes. verdicts[].answer tells which of the taken nodes fail. `alike`, an earlier answer of a
 * rule set about the same subgraph or NULL, lends its graph: *out must be freed before it. Fails as partition_claimed does, or with
 * ST_NOMEM; free with coverage_free, after failures too. */
enum status coverage_of_rules(const struct model *m, uint32_t subgraph, const struct rules *rules,
                              const struct partition_options *opt, const struct coverage *alike, struct coverage *out,
                              struct err *err);

/* Free an answer; accepts zeros. */
void coverage_free(struct coverage *c);
