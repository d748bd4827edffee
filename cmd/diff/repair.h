/* SPDX-License-Identifier: Apache-2.0 */
/* repair.h - --repair: a model whose values half precision can hold, and what was proved of it.
 *
 * Filled by diff_repair.c, told by diff_repair_results.c. */
#pragma once

#include "lib/compare/trial.h"
#include "lib/rewrite/half.h"

/* Float32 results may move by this share of an output's largest value. */
#define REPAIR_TOLERANCE 1e-5

/* Zeroed to begin with. */
struct repair {
    bool done; /* the rest is filled */
    struct half_rewrites half;
    struct model *model;              /* of half.file; owned */
    struct trial before, after;       /* the model and the repaired one in half precision; `before` is empty if a delegate ran it */
    bool emulated;                    /* no delegate: the reference kernels rounded every stored value */
    double float32_error;             /* largest of all outputs, relative to the output's largest value; NAN: not finite */
    double error_before, error_after; /* likewise, in half precision */
    bool passed_before, passed;       /* verdicts on the model and on the repaired one */
    bool written;
    const char *list;    /* nodes of the repaired model to keep in float32: "3,7-9"; "" for none */
    int32_t first, last; /* the longest range of its nodes without these; last < first: none */
    struct arena arena;
};
