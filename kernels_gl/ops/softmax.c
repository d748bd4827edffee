/* SPDX-License-Identifier: Apache-2.0 */
/* softmax.c - SOFTMAX and LOG_SOFTMAX over the channels. */
#include "kernels_gl/ops/row_norm.h"

const struct ir_kind gl_kind_softmax = {.name = "softmax", GL_VARIANTS(row_norm_variants), IR_TRAITS(.keeps_pixels = true)};
const struct ir_kind gl_kind_log_softmax = {.name = "log_softmax", GL_VARIANTS(row_norm_variants), IR_TRAITS(.keeps_pixels = true)};

static enum status softmax_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return row_norm_lower(ir, n, &gl_kind_softmax, (struct row_norm){"SOFTMAX", ((const struct opt_softmax *)n->opt)->beta}, err);
}

static enum status log_softmax_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return row_norm_lower(ir, n, &gl_kind_log_softmax, (struct row_norm){"LOG_SOFTMAX", 1}, err);
}

const struct gl_kernel gl_softmax = {.max_version = 4, .accept = gl_accept_one, .lower = softmax_lower};
const struct gl_kernel gl_log_softmax = {.max_version = 2, .accept = gl_accept_one, .lower = log_softmax_lower};
