/* SPDX-License-Identifier: Apache-2.0 */
/* name_diff.h - how far tensors of one model are from the tensors of the same name in another: the place at which quantization, or
 * a conversion, begins to cost.
 *
 * Compared as real numbers (real_values.h). Tensors without a twin of their name and shape are left out: converters rename, split
 * and merge. */
#ifndef DELEGAUGE_NAME_DIFF_H
#define DELEGAUGE_NAME_DIFF_H

#include "lib/compare/diff.h"
#include "lib/session/session.h"

struct name_diff {
    const struct node *node; /* of the test side */
    const struct tensor *reference, *test;
    struct diff diff; /* over all runs */
};

struct name_diffs {
    struct name_diff *rows; /* outputs of the test side's nodes that have a twin, in the order of execution */
    uint32_t n;
    uint32_t without;  /* outputs of its nodes that have none, or that its delegate does not show */
    float *scratch[2]; /* [the largest of the rows' elements] */
    struct arena arena;
};

/* List the rows for two prepared sessions, both with keep_intermediates. Fails only with ST_NOMEM; free with name_diffs_free, which
 * accepts zeros, after failures too. */
enum status name_diffs_init(struct name_diffs *o, const struct session *reference, const struct session *test, struct err *err);
void name_diffs_free(struct name_diffs *o);

/* Compare all rows, after both sessions ran. */
void name_diffs_add(struct name_diffs *o);

/* Return the row with the largest root mean squared error relative to the root mean square of the reference's values (diff_snr_db),
 * or with a NaN that the other has not; NULL if all are equal. */
const struct name_diff *name_diffs_worst(const struct name_diffs *o);

#endif
