/* SPDX-License-Identifier: Apache-2.0 */
/* fix.h - rewrites a model so that a delegate or rule set takes more of it: refused nodes become equivalent nodes that it takes.
 *
 *   fix_model    finds the nodes that can be rewritten and makes the new file, in memory
 *   fix_verify   compares it with the old model by running both on the CPU kernels; to be called before the file is written
 *
 * A node is rewritten only if it is refused and all nodes that replace it are taken. The rewrites are the rows of
 * lib/rewrite/fix.def. The new model has the shapes of the file as fixed shapes: an open batch dimension is no longer open.
 * Subgraphs other than the chosen one are not changed. */
#pragma once

#include "lib/delegate/delegate.h"
#include "lib/rules/rules.h"

/* Tells which nodes are taken. ask() sets out[graph nodes] for an inferred graph: REASON_NONE if the node is taken. */
struct fix_judge {
    enum status (*ask)(void *arg, const struct graph *g, struct reason *out, struct err *err);
    void *arg;
};

/* Return a judge that asks a delegate's claim (folded nodes count as taken: it never sees them), or a rule set. The argument is
 * borrowed. */
struct fix_judge fix_by_delegate(struct delegate *d);
struct fix_judge fix_by_rules(const struct rules *r);

/* Exactness of a rewrite. FIX_MOVES: bit-exact results. FIX_ARITHMETIC: equal but for rounding. */
enum fix_kind { FIX_MOVES, FIX_ARITHMETIC };

/* A rewritten node. */
struct fix_done {
    uint32_t node; /* index in the old file */
    const char *op;
    const char *what; /* its replacement, as "STRIDED_SLICE and RESHAPE" */
    enum fix_kind kind;
    struct reason was; /* why it was refused */
};

/* A node that is still refused, of the new model, or of the old one if nothing was rewritten. */
struct fix_left {
    uint32_t node; /* index in the old file */
    const char *op;
    struct reason why;
    const char *hint; /* advice to the user */
};

/* Result of fix_model; texts live as long as it. Zeroed to begin with. */
struct fix {
    struct fix_done *done;
    struct fix_left *left;
    const char **pinned; /* [n_pinned] inputs whose open dimensions are now fixed: "x [1,224,224,3]" */
    uint32_t n_done, n_left, n_pinned;
    uint32_t nodes_before, refused_before, nodes_after, refused_after;
    uint8_t *file; /* [bytes] the new model, malloc'ed; NULL if nothing was rewritten */
    size_t bytes;
    bool arithmetic;     /* some rewrite is FIX_ARITHMETIC */
    int32_t *old_tensor; /* [n_tensors] by tensor of the new subgraph: index of the same tensor in the old one; -1: none */
    uint32_t n_tensors;

    /* After fix_verify: the largest |old - new|, relative to the tensor's largest value or to 1, of any tensor computed from the
     * old model's values (0 unless `arithmetic`), and of the outputs of the whole model. */
    double max_error, output_error;
    uint32_t runs;
    struct arena arena;
};

/* Error that FIX_ARITHMETIC may have, relative to the tensor's largest value or to 1: for one tensor computed from the old model's
 * values, and for the model's outputs, to which errors propagate. FIX_MOVES may have none. */
#define FIX_TOLERANCE        1e-6
#define FIX_OUTPUT_TOLERANCE 1e-3

/* Rewrite the refused nodes of a subgraph where possible; with `moves_only`, by FIX_MOVES only. Fails as graph_new, graph_infer,
 * the judge and model_serialize do, and with ST_NOMEM; not if nothing can be rewritten. Free with fix_free, after failures too. */
enum status fix_model(const struct model *m, uint32_t subgraph, const struct fix_judge *judge, bool moves_only, struct fix *out,
                      struct err *err);

/* Progress callback: see() gets the number of nodes that have run and of all nodes to run, after each; NULL: none. */
struct fix_watch {
    void (*see)(void *arg, uint64_t done, uint64_t all);
    void *arg;
};

/* Multiply-accumulates of both models together above which fix_verify makes one run instead of three. */
#define FIX_LARGE_MACS 1000000000

/* Run both models with CPU_REFERENCE on the same random inputs and compare the outputs. If f->arithmetic, sums are in double, so
 * that the order of terms does not matter, and further runs compare each tensor that both models have and then give it its old
 * value, so that each rewrite is judged by itself. Variables keep their values from run to run. Fails with ST_FAILED and the
 * numbers if something differs by more than it may; else as loading and running do. Does nothing without a file. */
enum status fix_verify(const struct model *m, uint32_t subgraph, struct fix *f, const struct fix_watch *watch, struct err *err);

/* Free a result; accepts zeros. */
void fix_free(struct fix *f);
