/* SPDX-License-Identifier: Apache-2.0 */
/* fix.h - a model rewritten so that more of it is taken: nodes that a rule set refuses, in equivalent forms that it takes.
 *
 *   fix_model    finds the nodes that can be rewritten and makes the new file, in memory
 *   fix_verify   holds it against the old one by running both on the CPU kernels; only then is it to be written
 *
 * A node is rewritten only if it is refused and all nodes that replace it are taken. Rewrites are rows of lib/rewrite/fix.def. The
 * file's shapes are fixed in the new one, so that an input whose batch was open has a fixed one now. Subgraphs other than the
 * chosen one stay as they are. */
#ifndef DELEGAUGE_FIX_H
#define DELEGAUGE_FIX_H

#include "lib/delegate/delegate.h"
#include "lib/rules/rules.h"

/* A judge of nodes. ask() sets out[graph nodes] for an inferred graph: REASON_NONE if the node is taken. */
struct fix_judge {
    enum status (*ask)(void *arg, const struct graph *g, struct reason *out, struct err *err);
    void *arg;
};

/* Return a judge: a delegate's claims (folded nodes are taken: it never sees them), or a set of rules. The argument is borrowed. */
struct fix_judge fix_by_delegate(struct delegate *d);
struct fix_judge fix_by_rules(const struct rules *r);

/* Exactness of a rewrite: the same elements come out, or the same numbers but for rounding. */
enum fix_kind { FIX_MOVES, FIX_ARITHMETIC };

/* A node that was rewritten. */
struct fix_done {
    uint32_t node; /* its index in the old file */
    const char *op;
    const char *what; /* its replacement: "RESHAPE", "STRIDED_SLICE and RESHAPE" */
    enum fix_kind kind;
    struct reason was; /* reason for which it was refused */
};

/* A node of the new model, or of the old one if nothing was rewritten, that is still refused. */
struct fix_left {
    uint32_t node; /* its index in the old file */
    const char *op;
    struct reason why;
    const char *hint; /* advice to the user */
};

/* Result of fix_model. Zeros: nothing was asked. Texts live as long as it does. */
struct fix {
    struct fix_done *done;
    struct fix_left *left;
    const char **pinned; /* [n_pinned] inputs with open dimensions that are fixed now: "x [1,224,224,3]" */
    uint32_t n_done, n_left, n_pinned;
    uint32_t nodes_before, refused_before, nodes_after, refused_after;
    uint8_t *file; /* [bytes] the new model, malloc'ed; NULL if nothing was rewritten */
    size_t bytes;
    bool arithmetic;     /* a rewrite is FIX_ARITHMETIC */
    int32_t *old_tensor; /* [n_tensors] of the new subgraph: index of the same tensor in the old one; -1: none */
    uint32_t n_tensors;

    /* After fix_verify: the largest |old - new|, relative to the tensor's largest value if that is above 1, of the tensors that any
     * rewrite makes from the old model's values, and of the outputs of the whole model. */
    double max_error, output_error;
    uint32_t runs;
    struct arena arena;
};

/* Error allowed to FIX_ARITHMETIC, relative to the tensor's largest value or to 1, given the values that the old model has; and the
 * error that may grow from it in the outputs, through all nodes that follow. FIX_MOVES may have no error at all. */
#define FIX_TOLERANCE        1e-6
#define FIX_OUTPUT_TOLERANCE 1e-3

/* Rewrite the refused nodes of a subgraph that can be rewritten; with moves_only no FIX_ARITHMETIC. Fails as graph_new,
 * graph_infer, the judge and model_serialize do, else with ST_NOMEM; that nothing could be done is no failure. Free with fix_free,
 * after failures too. */
enum status fix_model(const struct model *m, uint32_t subgraph, const struct fix_judge *judge, bool moves_only, struct fix *out,
                      struct err *err);

/* A watcher that see() tells after each node how many of all have run; NULL: nobody watches. */
struct fix_watch {
    void (*see)(void *arg, uint64_t done, uint64_t all);
    void *arg;
};

/* Multiply-accumulates above which fix_verify runs each model once instead of three times. */
#define FIX_LARGE_MACS 1000000000

/* Run both models with CPU_REFERENCE on random inputs, the same for both; sums are in double if the fix is arithmetic, so that the
 * order of terms does not count. Each tensor that both have is compared, then given its old value, so that each rewrite is judged
 * by itself; the outputs are compared in runs of their own. Variables keep a run's values for the next. ST_FAILED, with the
 * numbers, if something is not equal; else fails as loading and running do. Does nothing without a file. */
enum status fix_verify(const struct model *m, uint32_t subgraph, struct fix *f, const struct fix_watch *watch, struct err *err);

/* Free a result; zeros are accepted. */
void fix_free(struct fix *f);

#endif
