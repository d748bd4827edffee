/* SPDX-License-Identifier: Apache-2.0 */
/* rfft2d.h - RFFT2D (int64_lower_fn). */
#ifndef DELEGAUGE_KERNELS_GL_RFFT2D_H
#define DELEGAUGE_KERNELS_GL_RFFT2D_H

#include "kernels_gl/int64/int64.h"

struct ir_value *rfft2d_words(struct ir *ir, const struct node *n, struct ir_value **high);

#endif
