/* SPDX-License-Identifier: Apache-2.0 */
/* op_diff.h - following a difference between two sessions of one model through it, operator by operator.
 *
 * Each node has two errors: the distance of its outputs from the reference's after all that came before it (drift), and its error
 * by itself, given the reference's inputs (own; op_alone.h). A delegate does not show the tensors inside its partitions, so drift
 * is known only of the outputs of partitions and of the CPU's nodes.
 *
 * An own error is held against the error that rounding explains: OP_DIFF_ROUNDING * (u + sqrt(L) * v) * S.
 *
 * - u is 2^-11 for values that the delegate stores as 16-bit floats and 2^-24 else, v the same for its sums. If it computes with
 *   16 bits and adds up in 32, each term is rounded, but not their sum: sqrt(L) * v is 2^-11. If values are stored in 16 bits,
 *   2^-14 more is explained: devices may flush smaller values to zero.
 * - L is the length of the sums: multiply-accumulates, or elements read, for each element made. The rounding errors of a sum go
 *   here and there, and come to the root of their number.
 * - S is the largest sum of |terms| for operators that sum (half_terms.h), so that it grows with their magnitude and length; for
 *   all others 2^11 times the largest change of an element when the node's operands are rounded to 11 bits, except for nodes with
 *   state or subgraphs, which do not run beside their session (node_rerun_possible). It is at least the largest |element| of the
 *   reference's output.
 *
 * Integers may be off by one step if they are quantized, and else not at all, but for the changes that such rounding makes in
 * them. */
#ifndef DELEGAUGE_OP_DIFF_H
#define DELEGAUGE_OP_DIFF_H

#include "lib/compare/diff.h"
#include "lib/session/session.h"

/* An own error up to this many times the explained one is rounding. Of 1000 outputs of nodes of real models on llvmpipe none had
 * more than 2.3 at float32 and 1.2 at float16; wrong ones have thousands. */
#define OP_DIFF_ROUNDING 4.0

/* Without a tolerance, drift is reported from this value on, relative to the largest absolute value of the reference. */
#define OP_DIFF_DRIFT_FLOAT32 0x1p-10
#define OP_DIFF_DRIFT_FLOAT16 0x1p-6

/* One output of one node. */
struct op_diff {
    const struct node *node; /* of the test side */
    const struct tensor *reference, *test;
    int32_t partition; /* -1: the CPU made it */
    bool visible;      /* the test side shows it: the CPU made it, or it leaves its partition */
    struct diff diff;  /* over all runs, errors of earlier nodes included; only if visible */
    bool ran_alone;
    struct diff alone;  /* own error, over all runs */
    uint32_t worst_run; /* run of `alone` in which something is not finite, or else its error is largest */
    double terms;       /* S, the largest of all runs; after op_alone_run */
    double rounding;    /* alone's largest error over (u + sqrt(L) * v) * S; INFINITY if it is not finite; after op_diffs_judge */
    bool off;           /* the own error is not explained by rounding, or beyond the tolerance; after op_diffs_judge */

    /* After op_alone_rank, of the nodes that it looked at: the error of the model's outputs if this node's own error alone is put
     * into the reference, which goes on from there: the largest of all outputs' largest errors, each relative to the largest
     * absolute value of the reference; INFINITY if one is not finite. */
    bool ranked, tried; /* tried: looked at, even if that could not be done */
    double adds;
};

struct op_diffs {
    const struct session *reference, *test; /* borrowed */
    struct op_diff *ops;                    /* in the order of execution; none for folded nodes */
    uint32_t n;
    bool half; /* the delegate stores 16-bit floats: it says so, or all its values are such; after op_diffs_judge */
    bool looks_half, looks_full; /* a node made nothing but 16-bit floats, unlike the reference; or did make others */
    struct arena arena;
};

/* Return true if an output of that node can be read after a run: the CPU made it, or it leaves its partition. `p` may be NULL. */
bool op_diff_visible(const struct partitioning *p, uint32_t node, const struct tensor *t);

/* List the outputs of all nodes of two prepared sessions of one model, both with keep_intermediates. Fails only with ST_NOMEM; free
 * with op_diffs_free, which accepts zeros, after failures too. */
enum status op_diffs_init(struct op_diffs *o, const struct session *reference, const struct session *test, struct err *err);
void op_diffs_free(struct op_diffs *o);

/* Compare the visible outputs after both sessions ran. */
void op_diffs_add(struct op_diffs *o);

/* Note the kind of values that the delegate makes, for `half`. */
void op_diffs_look(struct op_diffs *o, const struct tensor *reference, const struct tensor *test);

/* Fill `rounding` and `off`, and o->half; after the last run. `tolerance` is as in diff_exceeds: an error beyond it is off even if
 * rounding explains it, and an error below it is not off even if rounding does not. Negative: rounding decides. */
void op_diffs_judge(struct op_diffs *o, double tolerance);

/* Return the first visible tensor whose drift is beyond the tolerance, or with a negative one beyond OP_DIFF_DRIFT_…, or which is
 * not finite although the reference is; NULL for none. After op_diffs_judge. */
const struct op_diff *op_diffs_first_drift(const struct op_diffs *o, double tolerance);

/* Return the node whose own error adds most to the error of the outputs, of the nodes that op_alone_rank looked at; NULL if it
 * looked at none, or none adds anything. */
const struct op_diff *op_diffs_adds_most(const struct op_diffs *o);

/* Return the output to blame: of the nodes that are off, the one that adds most; if none was ranked, or several add the same, the
 * first. NULL if none is off, or if the ranked one adds less than a tenth of the most that some node adds by rounding alone. */
const struct op_diff *op_diffs_worst(const struct op_diffs *o);

#endif
