/* SPDX-License-Identifier: Apache-2.0 */
/* l2_norm.c - L2_NORMALIZATION over the channels. */
#include "kernels_gl/ops/row_norm.h"

const struct ir_kind gl_kind_l2_norm = {.name = "l2_norm", GL_VARIANTS(row_norm_variants), IR_TRAITS(.keeps_pixels = true)};

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    return row_norm_lower(ir, n, &gl_kind_l2_norm, (struct row_norm){"L2_NORM", 1}, err);
}

const struct gl_kernel gl_l2_norm = {.max_version = 2, .accept = gl_accept_one, .lower = lower};
