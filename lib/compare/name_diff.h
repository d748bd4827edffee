/* SPDX-License-Identifier: Apache-2.0 */
/* name_diff.h - compares tensors of the same name in two models, to find the place at which quantization or a conversion begins to
 * cost.
 *
 * Values are compared as real numbers (real_values.h). Tensors without a counterpart of their name and shape are left out:
 * converters rename, split and merge. */
#pragma once

#include "lib/compare/diff.h"
#include "lib/session/session.h"

struct name_diff {
    const struct node *node; /* of the test side */
    const struct tensor *reference, *test;
    struct diff diff; /* over all runs */
};

struct name_diffs {
    struct name_diff *rows; /* [n] outputs of the test side's nodes that have a counterpart, in execution order */
    uint32_t n;
    uint32_t without;  /* outputs that have no counterpart, or that the test side's delegate does not show */
    float *scratch[2]; /* [elements of the largest row] */
    struct arena arena;
};

/* List the rows for two prepared sessions, both with keep_intermediates. Fails only with ST_NOMEM. Free with name_diffs_free, which
 * accepts zeros, after failures too. */
enum status name_diffs_init(struct name_diffs *o, const struct session *reference, const struct session *test, struct err *err);
void name_diffs_free(struct name_diffs *o);

/* Compare all rows, after both sessions ran. */
void name_diffs_add(struct name_diffs *o);

/* Return the row with the lowest signal-to-noise ratio (diff_snr_db), or with a NaN on one side alone; NULL if all rows are
 * equal. */
const struct name_diff *name_diffs_worst(const struct name_diffs *o);
