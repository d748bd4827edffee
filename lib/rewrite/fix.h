/* SPDX-License-Identifier: Apache-2.0 */
/* fix.h - a model rewritten so that more of it is taken: nodes that a rule set refuses, in equivalent forms that it takes.
 *
 *   fix_model    finds what can be rewritten and makes the new file, in memory
 *   fix_verify   holds it against the old one by running both on the CPU kernels; only then is it to be written
 *
 * A node is rewritten only where it is refused and all that takes its place is taken. Rewrites are rows of lib/rewrite/fix.def.
 * Shapes are those that the file has: they are fixed in the new one, so that an input whose batch was open is so no more. Other
 * subgraphs than the one asked about stay as they are. */
#ifndef DELEGAUGE_FIX_H
#define DELEGAUGE_FIX_H

#include "lib/delegate/delegate.h"
#include "lib/rules/rules.h"

/* Who takes nodes. ask() sets out[graph nodes] for an inferred graph: REASON_NONE where the node is taken. */
struct fix_judge {
    enum status (*ask)(void *arg, const struct graph *g, struct reason *out, struct err *err);
    void *arg;
};

/* The judges there are: a delegate's claims (folded nodes are taken: it never sees them), and a set of rules. What they are made of
 * is borrowed. */
struct fix_judge fix_by_delegate(struct delegate *d);
struct fix_judge fix_by_rules(const struct rules *r);

/* Whether the same elements come out, or the same numbers but for rounding. */
enum fix_kind { FIX_MOVES, FIX_ARITHMETIC };

/* A node that was rewritten. */
struct fix_done {
    uint32_t node; /* its index in the old file */
    const char *op;
    const char *what; /* "RESHAPE", "STRIDED_SLICE and RESHAPE": what is in its place */
    enum fix_kind kind;
    struct reason was; /* why it was refused */
};

/* A node of the new model, or of the old one where nothing was done, that is refused still. */
struct fix_left {
    uint32_t node; /* its index in the old file */
    const char *op;
    struct reason why;
    const char *hint; /* what a person can do */
};

/* Zeros: nothing was asked. Texts live as long as it does. */
struct fix {
    struct fix_done *done;
    struct fix_left *left;
    const char **pinned; /* [n_pinned] inputs with open dimensions that are fixed now: "x [1,224,224,3]" */
    uint32_t n_done, n_left, n_pinned;
    uint32_t nodes_before, refused_before, nodes_after, refused_after;
    uint8_t *file; /* [bytes] the new model, malloc'ed; NULL where nothing was done */
    size_t bytes;
    bool arithmetic;     /* a rewrite is FIX_ARITHMETIC */
    int32_t *old_tensor; /* [n_tensors] of the new subgraph: which one of the old it is; -1: none */
    uint32_t n_tensors;

    /* After fix_verify: the largest |old - new|, relative to the tensor's largest value where that is above 1, of what any rewrite
     * makes of the old model's values, and of the outputs of the whole model. */
    double max_error, output_error;
    uint32_t runs;
    struct arena arena;
};

/* What FIX_ARITHMETIC may be off by, relative to the tensor's largest value or to 1, given the values that the old model has; and
 * what may become of that in the outputs, through all that follows. FIX_MOVES may not be off at all. */
#define FIX_TOLERANCE        1e-6
#define FIX_OUTPUT_TOLERANCE 1e-3

/* Rewrites what it can of a subgraph; with moves_only no FIX_ARITHMETIC. Fails as graph_new, graph_infer, the judge and
 * model_serialize do, else with ST_NOMEM; that nothing could be done is no failure. Free with fix_free, after failures too. */
enum status fix_model(const struct model *m, uint32_t subgraph, const struct fix_judge *judge, bool moves_only, struct fix *out,
                      struct err *err);

/* Sees after each node how many of all have run; NULL: nobody does. */
struct fix_watch {
    void (*see)(void *arg, uint64_t done, uint64_t all);
    void *arg;
};

/* Runs of each model in fix_verify: three, or one where that takes more multiply-accumulates than this. */
#define FIX_LARGE_MACS 1000000000

/* Runs both models with CPU_REFERENCE on random inputs, the same for both; sums in double where the fix is arithmetic, so that the
 * order of terms does not count. Each tensor that both have is compared, then given its old value, so that each rewrite stands for
 * itself; and in runs of their own the outputs. Variables keep what a run leaves in them for the next. ST_FAILED, with the numbers,
 * where something is not equal; else as loading and running fails. Nothing to do without a file. */
enum status fix_verify(const struct model *m, uint32_t subgraph, struct fix *f, const struct fix_watch *watch, struct err *err);

/* Accepts zeros. */
void fix_free(struct fix *f);

#endif
