/* SPDX-License-Identifier: Apache-2.0 */
/* name_diff.h - compares tensors of the same name in two models, to find the place at which quantization or a conversion begins to
 * cost.
 *
 * Values are compared as real numbers (real_values.h). Tensors without a counterpart of their name and shape are left out:
 * converters rename, split and merge. A counterpart may have its channels elsewhere (struct name_layout). If several tensors of a
 * model have one name, none of them has a counterpart. The reference may also be tensors from elsewhere, each with a name. */
#pragma once

#include "lib/compare/diff.h"
#include "lib/session/session.h"

/* Another order of a tensor's axes: axis k of the reference is axis `axis[k]` of the test side. */
struct name_layout {
    const char *name; /* the order in the reference: "NCHW", "NHWC"; "NCW" of rank 3, whose two last axes are exchanged */
    int32_t rank;
    int32_t axis[4]; /* [rank] */
};

/* Reasons to leave a pair out of a run: its shape is decided while running; or a side holds no data. */
enum name_diff_skip { NAME_DIFF_SHAPE, NAME_DIFF_NO_DATA, NAME_DIFF_SKIPS };

struct name_diff {
    const struct node *node; /* of the test side */
    const struct tensor *reference, *test;
    const struct name_layout *layout;  /* NULL: both have the axes in one order, as they have if their shapes are equal */
    struct diff diff;                  /* over the runs that were compared, in the reference's order of axes */
    uint64_t skipped[NAME_DIFF_SKIPS]; /* runs that were not */
};

struct name_diffs {
    struct name_diff *rows; /* [n] outputs of the test side's nodes that have a counterpart, in execution order */
    uint32_t n;
    uint32_t without;    /* outputs that have no counterpart, or that the test side's delegate does not show */
    uint32_t same_names; /* of these, outputs whose name is in both models, and in one of them more than once */
    float *scratch[2];   /* [elements of the largest row] */
    void *turned;        /* the test side's tensor in the reference's order of axes; [bytes of the largest such row] */
    struct arena arena;
};

/* List the rows for two prepared sessions, both with keep_intermediates. Fails only with ST_NOMEM. Free with name_diffs_free, which
 * accepts zeros, after failures too. */
enum status name_diffs_init(struct name_diffs *o, const struct session *reference, const struct session *test, struct err *err);
void name_diffs_free(struct name_diffs *o);

/* List the rows for a prepared session with keep_intermediates and tensors that no session made: made[n], with name, type, shape
 * and data, which outlive the rows. Fails as name_diffs_init. */
enum status name_diffs_init_tensors(struct name_diffs *o, const struct tensor *made, uint32_t n, const struct session *test,
                                    struct err *err);

/* Set the limits of all rows, before the first comparison: those of outputs (tolerance_of), by the reference's names and
 * operators, for a test side that computes in precision `p`. */
void name_diffs_allow(struct name_diffs *o, const struct session *reference, const struct tolerances *ts, enum precision p);

/* Return true if the row compares integers as the real numbers that they stand for, with floats or integers of another scale. */
bool name_diff_dequantized(const struct name_diff *row);

/* Compare all rows, after both sessions ran. */
void name_diffs_add(struct name_diffs *o);

/* Return the number of rows that were left out of at least one run for this reason. */
uint32_t name_diffs_skipped(const struct name_diffs *o, enum name_diff_skip why);

/* Return the row with the lowest signal-to-noise ratio (diff_snr_db), or with a NaN on one side alone; NULL if all rows are
 * equal. */
const struct name_diff *name_diffs_worst(const struct name_diffs *o);

/* Return the first row, in execution order, that fails its limits (diff_failed_on); NULL if none does. */
const struct name_diff *name_diffs_first_off(const struct name_diffs *o);

/* Find the nodes in which the error of `row` may begin: its own, and all before it up to constants, inputs of the model, and
 * tensors whose rows were compared and are within their limits. Stores them in execution order in
 * nodes[session_graph(test)->n_nodes], and their number, at least 1, in *n. Fails only with ST_NOMEM. */
enum status name_diffs_begins(const struct name_diffs *o, const struct name_diff *row, const struct session *test,
                              const struct node **nodes, uint32_t *n, struct err *err);

/* Return the layout in which the shapes of a reference's and a test side's tensor are equal; NULL if there is none, or they are
 * equal as they are. */
const struct name_layout *name_layout_between(const struct tensor *reference, const struct tensor *test);

/* Copy the elements of `from` to `to`, of the same type, where `l` is name_layout_between(to, from). */
void name_layout_turn(const struct name_layout *l, const struct tensor *from, const struct tensor *to);
