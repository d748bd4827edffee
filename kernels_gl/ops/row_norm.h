/* SPDX-License-Identifier: Apache-2.0 */
/* row_norm.h - each row of channels is scaled by something computed of all of it: softmax and L2 normalization. */
#ifndef DELEGAUGE_KERNELS_GL_ROW_NORM_H
#define DELEGAUGE_KERNELS_GL_ROW_NORM_H

#include "lib/gl/ir/kernel.h"

/* The variants of such a kind of operation; its attr is a struct row_norm. */
extern const struct gl_variant row_norm_variants[2];

struct row_norm {
    const char *mode; /* function that row_norm.comp is told to compute: "SOFTMAX", "LOG_SOFTMAX", "L2_NORM" */
    float beta;       /* the exponent's factor; 1 for L2_NORM */
};

/* Appends that operation on the node's input 0. */
enum status row_norm_lower(struct ir *ir, const struct node *n, const struct ir_kind *kind, struct row_norm norm, struct err *err);

/* gl_kernel.accept: one input, made at run time. */
bool row_norm_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why);

#endif
