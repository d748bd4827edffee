/* SPDX-License-Identifier: Apache-2.0 */
/* row_norm.h - normalization of each row of channels by a value computed from the whole row: softmax and L2 normalization. */
#pragma once

#include "kernels_gl/common/operands.h"

/* Variants of the kinds of operation whose attr is a struct row_norm. */
extern const struct gl_variant row_norm_variants[2];

struct row_norm {
    const char *mode; /* function of row_norm.comp */
    float beta;       /* the exponent's factor; 1 for L2_NORM */
};

/* Append the operation on the node's input 0. Fails only with ST_NOMEM. */
enum status row_norm_lower(struct ir *ir, const struct node *n, const struct ir_kind *kind, struct row_norm norm, struct err *err);
