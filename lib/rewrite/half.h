/* SPDX-License-Identifier: Apache-2.0 */
/* half.h - rewrites a model so that no value of a float32 run passes the largest half-precision number.
 *
 *   half_rewrite   plans the rewrites from the largest values of a run, and makes the new file, in memory
 *
 * An operator whose result or sum of terms passes HALF_LIMIT reads operands multiplied by a power of two. The scale is carried
 * through the operators that follow until a value fits again, and is undone there: in an RMSNorm, x*x -> MEAN -> ADD -> RSQRT
 * becomes (sx)*(sx) -> MEAN -> ADD of s^2 eps -> RSQRT -> times s. Scaling by powers of two rounds nothing in float32 unless a
 * value becomes subnormal. Errors of rounding that add up are not repaired, only values beyond the limit. */
#pragma once

#include "lib/base/arena.h"
#include "lib/model/model.h"

#define HALF_LIMIT 65504.0

/* Largest values of float32 runs, by tensor of the subgraph; 0: unknown. */
struct half_seen {
    const double *largest; /* [tensors] |value| */
    const double *terms;   /* [tensors] sum of |terms| of one element, for outputs of operators that sum */
};

/* An operator that reads scaled operands now. */
struct half_done {
    uint32_t node; /* index in the old file */
    const char *op, *what;
    double value;    /* that passed the limit */
    bool of_terms;   /* `value` is a sum of |terms|; else it is a result */
    int32_t scale;   /* each computed operand is multiplied by 2^scale, which is negative */
    uint32_t scaled; /* operators in which the scale is carried or undone, this one included */
    double bound;    /* largest error of an operand that scaling makes subnormal in half precision: 2^(-25 - scale) */
};

/* A node that has to stay in float32. */
struct half_kept {
    uint32_t node, node_after; /* index in the old file, and in the new one */
    const char *op;
    double value;    /* that passes the limit */
    const char *why; /* nothing is rewritten */
};

/* Result of half_rewrite; texts live as long as it. Zeroed to begin with. */
struct half_rewrites {
    struct half_done *done;
    struct half_kept *kept;
    uint32_t n_done, n_kept, nodes_before, nodes_after;
    uint8_t *file; /* [bytes] the new model, malloc'ed; without rewrites an equal model */
    size_t bytes;
    struct arena arena;
};

/* Rewrite a subgraph in the shapes of its file. Fails as graph_new, graph_infer and model_serialize do, and with ST_NOMEM; not if
 * nothing can be rewritten. Free with half_rewrites_free, after failures too. */
enum status half_rewrite(const struct model *m, uint32_t subgraph, const struct half_seen *seen, struct half_rewrites *out,
                         struct err *err);

/* Free a result; accepts zeros. */
void half_rewrites_free(struct half_rewrites *h);
