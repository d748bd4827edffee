/* SPDX-License-Identifier: Apache-2.0 */
/* op_diff.h - follows a difference between two sessions of one model through the model, operator by operator.
 *
 * Each node has two errors: drift, the distance of its outputs from the reference's with all errors of earlier nodes; and its own
 * error, given the reference's inputs (op_alone.h). A delegate does not show tensors inside its partitions, so drift is known only
 * at outputs of partitions and of CPU nodes.
 *
 * An own error is off if it exceeds the error that rounding explains: OP_DIFF_ROUNDING * (u + sqrt(L) * v) * S.
 *
 * - u is the rounding of stored values: 2^-11 if the delegate stores 16-bit floats, else 2^-24. v is the same for sums. If it
 * computes with 16 bits and accumulates in 32, each term is rounded but not the sum: sqrt(L) * v is 2^-11. If values are stored in
 * 16 bits, 2^-14 is added: devices may flush smaller values to zero.
 * - L is the length of the sums: multiply-accumulates, or elements read, per output element. Rounding errors of a sum partly
 * cancel: they grow with the root of L.
 * - S is the largest sum of |terms| for operators that sum (half_terms.h). For all others it is 2^11 times the largest change of an
 *   element when the node's operands are rounded to 11 bits; nodes with state or subgraphs cannot be re-run (node_rerun_possible).
 *   S is at least the largest |element| of the reference's output.
 *
 * Quantized integers may be off by one step, other integers not at all, plus the changes that such rounding causes in them. */
#pragma once

#include "lib/compare/diff.h"
#include "lib/session/session.h"

/* An own error up to this many times the estimate counts as rounding. Of 1000 outputs of nodes of real models on llvmpipe none had
 * more than 2.3 at float32 and 1.2 at float16; wrong ones have thousands. */
#define OP_DIFF_ROUNDING 4.0

/* Without a tolerance, drift from this value on is reported, relative to the largest absolute value of the reference. */
#define OP_DIFF_DRIFT_FLOAT32 0x1p-10
#define OP_DIFF_DRIFT_FLOAT16 0x1p-6

/* One output of one node. */
struct op_diff {
    const struct node *node; /* of the test side */
    const struct tensor *reference, *test;
    int32_t partition;  /* -1: the CPU ran the node */
    bool visible;       /* the test side shows the tensor: a CPU node made it, or it leaves its partition */
    struct diff diff;   /* drift over all runs; only if visible */
    bool ran_alone;     /* `alone` is filled */
    struct diff alone;  /* own error, over all runs */
    uint32_t worst_run; /* run in which `alone` has its largest error, or an element that is not finite */
    double terms;       /* S, largest of all runs; after op_alone_run */
    double rounding;    /* largest own error / ((u + sqrt(L) * v) * S); INFINITY if not finite; after op_diffs_judge */
    bool off;           /* rounding does not explain the own error; after op_diffs_judge */

    /* ranked: `adds` is filled; tried: op_alone_rank chose this output, even if its node could not run. */
    bool ranked, tried;
    /* Largest error of the model's outputs if the node's own error alone is put into the reference run, relative to the largest
     * absolute value of each output; INFINITY if an output is not finite. */
    double adds;
};

struct op_diffs {
    const struct session *reference, *test; /* borrowed */
    struct op_diff *ops;                    /* [n] in execution order, without folded nodes */
    uint32_t n;
    bool half; /* the delegate stores 16-bit floats: by its own statement, or judged by its values; after op_diffs_judge */
    bool looks_half, looks_full; /* some node made only 16-bit floats, unlike the reference; some node made others */
    struct arena arena;
};

/* Return true if output `t` of the node can be read after a run: a CPU node made it, or it leaves its partition. `p` may be NULL.
 */
bool op_diff_visible(const struct partitioning *p, uint32_t node, const struct tensor *t);

/* List the outputs of all nodes of two prepared sessions of one model, both with keep_intermediates. Fails only with ST_NOMEM. Free
 * with op_diffs_free, which accepts zeros, after failures too. */
enum status op_diffs_init(struct op_diffs *o, const struct session *reference, const struct session *test, struct err *err);
void op_diffs_free(struct op_diffs *o);

/* Compare the visible outputs after both sessions ran. */
void op_diffs_add(struct op_diffs *o);

/* Note if the delegate's tensor `test` holds only 16-bit floats, for `half`. */
void op_diffs_look(struct op_diffs *o, const struct tensor *reference, const struct tensor *test);

/* Fill o->half, and `rounding` and `off` of all rows, after the last run. Tolerances of outputs do not count: they say how far a
 * model may be off, and not which node is wrong. */
void op_diffs_judge(struct op_diffs *o);

/* Return the first visible tensor with drift beyond the tolerance (negative: beyond OP_DIFF_DRIFT_…), or not finite although the
 * reference is; NULL for none. After op_diffs_judge. */
const struct op_diff *op_diffs_first_drift(const struct op_diffs *o, double tolerance);

/* Return the ranked output with the largest `adds`; NULL if none was ranked, or all add 0. */
const struct op_diff *op_diffs_adds_most(const struct op_diffs *o);

/* Return the output to blame: of those that are off, the one with the largest `adds`, the first of equals and if none was ranked.
 * NULL if none is off, or if it adds less than a tenth of the most that any node adds by rounding alone. */
const struct op_diff *op_diffs_worst(const struct op_diffs *o);
