/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.h - how much of a model something can run: node by node with the reason why not, per operator, and in all.
 *
 * Asked is either a delegate, about one subgraph and under the same partitioning that a session would have, or the table of CPU
 * kernels, about every subgraph. Of a delegate's answer for one subgraph no node of those that WHILE and IF call is part: they are
 * counted beside it (coverage_called). Nothing is run or compiled for a device; what a delegate would run is outlined.
 * cmd/coverage/op_coverage prints it. */
#ifndef DELEGAUGE_COVERAGE_H
#define DELEGAUGE_COVERAGE_H

#include "lib/delegate/partition.h"
#include "lib/rules/rules.h"

/* So many single nodes are told of at most; and of large models so many are tried as make up that work, each as many as the model
 * has nodes. */
enum { COVERAGE_MOST_NODES = 8, COVERAGE_GAINS_WORK = 1 << 21 };

/* Whether one node is covered, and why not. */
struct verdict {
    const struct node *node;
    uint32_t subgraph;
    bool covered; /* by a partition, or by a CPU kernel of its version; where a rule set is asked: and the answer is yes */
    enum rules_answer answer; /* of a rule set; else RULES_YES where covered or folded, RULES_NO elsewhere */
    int32_t partition;        /* index in parts; -1: none */
    struct reason why;        /* REASON_NONE where covered or folded */
    uint64_t macs;            /* multiply-accumulates of one inference; 0 where they are not known */
    bool macs_known;          /* node_macs_known */
};

/* All nodes of one operator. */
struct coverage_op {
    const char *name;
    int32_t builtin;
    int32_t min_version, max_version;    /* that the model has of it */
    uint32_t nodes, covered, folded;     /* folded: computed at plan time, and not covered */
    uint64_t macs, macs_covered;         /* without those of folded nodes and of those that nobody counted */
    uint32_t macs_unknown;               /* nodes to run that nobody counted, of nodes - folded */
    double macs_percent;                 /* of all multiply-accumulates that are known; 0 where there are none */
    const struct verdict *first_refused; /* the first node that has a reason; NULL where none has */
};

/* What if: the nodes and partitions there would be if all nodes of one operator that are left were taken, or all that are refused
 * for one reason, or one node, by one delegate: of several by each of them, but for reasons, which are those of the first. */
enum coverage_if { COVERAGE_IF_OPERATOR, COVERAGE_IF_REASON, COVERAGE_IF_NODE };

struct coverage_gain {
    enum coverage_if what;
    uint32_t by;             /* its place among the delegates that were asked */
    const char *op;          /* of an operator or a node; else NULL */
    enum reason_code reason; /* of a reason; else REASON_NONE */
    const struct node *node; /* of a node; else NULL */
    uint32_t partitions, nodes;
};

/* A dispatch that only puts elements elsewhere. */
struct coverage_copy {
    const struct node *node; /* that asked for it first, or NULL */
    const char *label, *why; /* kernel variant; why it is there */
};

/* The subgraphs that nodes call which no delegate takes (IF, WHILE, STABLEHLO_CASE, composites), and those that these call, each
 * once, with the shapes of its first caller. Nodes to run; those of delegates; their partitions. */
struct coverage_called {
    uint32_t subgraphs, nodes, delegated, partitions;
    uint32_t unknown; /* of the subgraphs, those whose shapes show in a run alone: their nodes are not counted */
};

/* All of it; zeros are an empty one. */
struct coverage {
    struct verdict *verdicts; /* in the order of execution, subgraph by subgraph */
    struct coverage_op *ops;  /* most nodes first */
    uint32_t n_verdicts, n_ops;
    uint32_t covered, folded, to_run;     /* nodes; to_run are those not folded */
    uint64_t macs, macs_covered;          /* that are known */
    uint32_t macs_unknown;                /* nodes to run that nobody counted: no part of the two */
    double covered_percent, macs_percent; /* covered of to_run, and of the multiply-accumulates; 100 where there are none */

    /* With a delegate only. */
    struct coverage_called called;
    uint64_t bytes_in, bytes_out;        /* that cross into and out of the partitions in each run */
    struct partitioning parts;           /* of graphs[0] */
    const struct verdict *first_refused; /* the first node that was itself turned down; NULL where none was */
    bool outlined;                       /* the delegate told what it would run: */
    uint32_t dispatches, transfers;
    struct coverage_copy *copies; /* [n_copies] of the dispatches, those that compute nothing */
    uint32_t n_copies;
    struct coverage_gain *gains; /* by `what`, then the largest first, whatever limits there are on partitions. Operators and
                                  * reasons bring nodes; of nodes, those that join partitions, the best COVERAGE_MOST_NODES */
    uint32_t n_gains;
    uint32_t n_untried;     /* refused nodes, the last of them, that were not tried one by one, as there are too many */
    const char *cannot_run; /* why no shape is known and only names were looked at: the file parses, but runs nowhere; else NULL */

    struct graph **graphs; /* [n_graphs] that the verdicts point into */
    bool borrows_graphs;   /* they are another's */
    uint32_t n_graphs;
    struct arena arena;
};

/* Asks delegate `d`, which may be one that only answers `claim`. Shapes are inferred first; where they cannot be (ST_BAD_MODEL), no
 * node is covered and out->cannot_run says why. Fails as delegate_ops.outline does, as partition_claimed does, else only with
 * ST_NOMEM. Free with coverage_free, after failures too. The model is borrowed. */
enum status coverage_of_delegate(const struct model *m, uint32_t subgraph, struct delegate *d, const struct partition_options *opt,
                                 struct coverage *out, struct err *err);

/* The same of several, asked in this order up to the first NULL, each about what those before it left. What is outlined is known
 * where all of them tell; what would be if more were taken is said of the first. */
enum status coverage_of_delegates(const struct model *m, uint32_t subgraph, struct delegate *const *ds,
                                  const struct partition_options *opt, struct coverage *out, struct err *err);

/* The same of a graph whose shapes are inferred, and which is borrowed until the end of *out. */
enum status coverage_of_graph(struct graph *g, struct delegate *d, const struct partition_options *opt, struct coverage *out,
                              struct err *err);

/* Asks the table of CPU kernels. Shapes do not matter for it, so none are inferred: a model whose shapes cannot be inferred for
 * want of a kernel still gets its answer. */
enum status coverage_of_cpu(const struct model *m, struct coverage *out, struct err *err);

/* Asks a rule set about one subgraph, in the form of a delegate's answer: what it takes is partitioned, and nothing is folded, for
 * it is asked about all nodes. verdicts[].answer says where what it takes fails. `alike`, or NULL, is an earlier answer of a rule
 * set about the same subgraph, whose graph is then read in place of a new one: *out ends before it. Fails as partition_claimed
 * does, or with ST_NOMEM; free with coverage_free, after failures too. */
enum status coverage_of_rules(const struct model *m, uint32_t subgraph, const struct rules *rules,
                              const struct partition_options *opt, const struct coverage *alike, struct coverage *out,
                              struct err *err);

/* Accepts zeros. */
void coverage_free(struct coverage *c);

#endif
