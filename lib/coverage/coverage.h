/* SPDX-License-Identifier: Apache-2.0 */
/* coverage.h - how much of a model something can run: node by node with the reason for each refusal, per operator, and in all.
 *
 * The question goes either to a delegate, about one subgraph and under the same partitioning that a session would have, or to the
 * table of CPU kernels, about every subgraph. A delegate's answer for one subgraph leaves out the nodes of the subgraphs that WHILE
 * and IF call: they are counted beside it (coverage_called). Nothing is run or compiled for a device; the work that a delegate
 * would run is outlined. cmd/coverage/op_coverage prints the result. */
#ifndef DELEGAUGE_COVERAGE_H
#define DELEGAUGE_COVERAGE_H

#include "lib/delegate/partition.h"
#include "lib/rules/rules.h"

/* Limits of the gains: the most single nodes that are listed; and the work of trying nodes one by one, in which each try counts as
 * many units as the model has nodes. */
enum { COVERAGE_MOST_NODES = 8, COVERAGE_GAINS_WORK = 1 << 21 };

/* Verdict on one node: covered or not, and the reason if not. */
struct verdict {
    const struct node *node;
    uint32_t subgraph;
    bool covered;             /* by a partition, or by a CPU kernel of its version; with a rule set: and the answer is yes */
    enum rules_answer answer; /* of a rule set; else RULES_YES if covered or folded, RULES_NO otherwise */
    int32_t partition;        /* index in parts; -1: none */
    struct reason why;        /* REASON_NONE if covered or folded */
    uint64_t macs;            /* multiply-accumulates of one inference; 0 if they are not known */
    bool macs_known;          /* node_macs_known */
};

/* All nodes of one operator. */
struct coverage_op {
    const char *name;
    int32_t builtin;
    int32_t min_version, max_version;    /* versions of it in the model */
    uint32_t nodes, covered, folded;     /* folded: computed at plan time, and not covered */
    uint64_t macs, macs_covered;         /* without folded nodes and nodes that nobody counted */
    uint32_t macs_unknown;               /* nodes to run that nobody counted, of nodes - folded */
    double macs_percent;                 /* of all multiply-accumulates that are known; 0 if there are none */
    const struct verdict *first_refused; /* the first node that has a reason; NULL if none has */
};

/* Hypotheses: the nodes and partitions there would be if one delegate took all nodes of one operator that are left, or all nodes
 * that are refused for one reason, or one node. Of several delegates each is tried, but for reasons, which are the reasons of the
 * first. */
enum coverage_if { COVERAGE_IF_OPERATOR, COVERAGE_IF_REASON, COVERAGE_IF_NODE };

struct coverage_gain {
    enum coverage_if what;
    uint32_t by;             /* its place among the delegates that were asked */
    const char *op;          /* name of the operator or of the node's operator; else NULL */
    enum reason_code reason; /* of a reason; else REASON_NONE */
    const struct node *node; /* of a node; else NULL */
    uint32_t partitions, nodes;
};

/* A dispatch that only moves elements. */
struct coverage_copy {
    const struct node *node; /* node that asked for it first, or NULL */
    const char *label, *why; /* kernel variant; why it is there */
};

/* Counts of the subgraphs that nodes left by all delegates call (IF, WHILE, STABLEHLO_CASE, composites), and of the subgraphs that
 * these call, each once, with the shapes of its first caller: nodes to run, the delegates' nodes among them, and their
 * partitions. */
struct coverage_called {
    uint32_t subgraphs, nodes, delegated, partitions;
    uint32_t unknown; /* subgraphs whose shapes show only in a run: their nodes are not counted */
};

/* The whole answer; zeros are an empty one. */
struct coverage {
    struct verdict *verdicts; /* in the order of execution, subgraph by subgraph */
    struct coverage_op *ops;  /* most nodes first */
    uint32_t n_verdicts, n_ops;
    uint32_t covered, folded, to_run;     /* nodes; to_run are the nodes that are not folded */
    uint64_t macs, macs_covered;          /* multiply-accumulates that are known */
    uint32_t macs_unknown;                /* nodes to run that nobody counted: no part of the two */
    double covered_percent, macs_percent; /* covered of to_run, and of the multiply-accumulates; 100 if there are none */

    /* With a delegate only. */
    struct coverage_called called;
    uint64_t bytes_in, bytes_out;        /* bytes that cross into and out of the partitions in each run */
    struct partitioning parts;           /* of graphs[0] */
    const struct verdict *first_refused; /* the first node that was itself turned down; NULL if none was */
    bool outlined;                       /* the delegate told the work that it would run: */
    uint32_t dispatches, transfers;
    struct coverage_copy *copies; /* [n_copies] the dispatches that compute nothing */
    uint32_t n_copies;
    struct coverage_gain *gains; /* by kind, then the largest first, whatever limits there are on partitions. Operators and
                                  * reasons bring nodes; single nodes join partitions, the best COVERAGE_MOST_NODES */
    uint32_t n_gains;
    uint32_t n_untried;     /* refused nodes, the last ones, that were not tried one by one, as there are too many */
    const char *cannot_run; /* reason why no shape is known and only names were seen: the file parses, but runs nowhere; or NULL */

    struct graph **graphs; /* [n_graphs] graphs that the verdicts point into */
    bool borrows_graphs;   /* another struct owns them */
    uint32_t n_graphs;
    struct arena arena;
};

/* Ask delegate `d`, which may be one that only answers `claim`. Shapes are inferred first; if that fails (ST_BAD_MODEL), no node is
 * covered and out->cannot_run has the reason. Fails as delegate_ops.outline does, as partition_claimed does, else only with
 * ST_NOMEM. Free with coverage_free, after failures too. The model is borrowed. */
enum status coverage_of_delegate(const struct model *m, uint32_t subgraph, struct delegate *d, const struct partition_options *opt,
                                 struct coverage *out, struct err *err);

/* Ask several delegates likewise, in this order up to the first NULL, each about the nodes that the delegates before it left. The
 * outline is known if all of them tell theirs. Gains are counted as coverage_if says. */
enum status coverage_of_delegates(const struct model *m, uint32_t subgraph, struct delegate *const *ds,
                                  const struct partition_options *opt, struct coverage *out, struct err *err);

/* Ask about a graph whose shapes are inferred, and which is borrowed until the end of *out. */
enum status coverage_of_graph(struct graph *g, struct delegate *d, const struct partition_options *opt, struct coverage *out,
                              struct err *err);

/* Ask the table of CPU kernels. Shapes do not matter for it, so none are inferred: a model whose shapes cannot be inferred for want
 * of a kernel still gets its answer. */
enum status coverage_of_cpu(const struct model *m, struct coverage *out, struct err *err);

/* Ask a rule set about one subgraph, in the form of a delegate's answer: the nodes that it takes are partitioned, and nothing is
 * folded, for it is asked about all nodes. verdicts[].answer tells which of the taken nodes fail. `alike`, or NULL, is an earlier
 * answer of a rule set about the same subgraph, whose graph is then read in place of a new one: *out ends before it. Fails as
 * partition_claimed does, or with ST_NOMEM; free with coverage_free, after failures too. */
enum status coverage_of_rules(const struct model *m, uint32_t subgraph, const struct rules *rules,
                              const struct partition_options *opt, const struct coverage *alike, struct coverage *out,
                              struct err *err);

/* Free an answer; zeros are accepted. */
void coverage_free(struct coverage *c);

#endif
