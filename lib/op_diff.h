/* SPDX-License-Identifier: Apache-2.0 */
/* op_diff.h - following a difference between two sessions of one model through it, operator by operator.
 *
 * A delegate keeps what lies inside its partitions to itself, so its nodes are also run one at a time: each as a partition of
 * its own in a session whose tensors all lie in host memory, on the inputs that the reference had. */
#ifndef DELEGAUGE_OP_DIFF_H
#define DELEGAUGE_OP_DIFF_H

#include "diff.h"
#include "session.h"

/* Without a tolerance, "clearly off" is more than this, relative to the largest absolute value of the reference. */
#define OP_DIFF_CLEARLY_OFF 1e-3

/* One output of one node. */
struct op_diff {
    const struct node *node; /* of the test side */
    const struct tensor *reference, *test;
    int32_t partition; /* -1: the CPU made it */
    bool visible;      /* the test side shows it: the CPU made it, or it leaves its partition */
    struct diff diff;  /* over all runs, errors of earlier nodes included; only where visible */
    bool ran_alone;
    struct diff alone; /* the node alone on the delegate, on the reference's inputs of the last run */
};

struct op_diffs {
    const struct session *reference, *test; /* borrowed */
    struct op_diff *ops;                    /* in the order of execution; none for folded nodes */
    uint32_t n;
    struct arena arena;
};

/* Lists the outputs of all nodes of two prepared sessions of one model, both with keep_intermediates. Fails only with ST_NOMEM;
 * free with op_diffs_free, which accepts zeros, after failures too. */
enum status op_diffs_init(struct op_diffs *o, const struct session *reference, const struct session *test, struct err *err);
void op_diffs_free(struct op_diffs *o);

/* Compares the visible ones after both sessions ran. */
void op_diffs_add(struct op_diffs *o);

/* After the last run: gives each node that a delegate took the reference's inputs, alone, and compares what comes out. `alone` is
 * a prepared CPU session of the model with keep_intermediates, whose tensors are overwritten. Left out are nodes that read state,
 * since the reference's has moved on, and those of which an input has no data there or another size. stop() (NULL: never), asked
 * before each node, ends it early. Fails as compiling and running does, naming the node. */
enum status op_diffs_run_alone(struct op_diffs *o, struct session *alone, bool (*stop)(void), struct err *err);

/* The first visible tensor that is clearly off, and the first node that is so by itself; NULL for none. Off is what diff_exceeds
 * the tolerance, or with a negative one what is beyond OP_DIFF_CLEARLY_OFF. */
const struct op_diff *op_diffs_first_off(const struct op_diffs *o, double tolerance);
const struct op_diff *op_diffs_first_off_alone(const struct op_diffs *o, double tolerance);

#endif
