/* SPDX-License-Identifier: Apache-2.0 */
/* irfft2d.h - IRFFT2D (int64_lower_fn). */
#ifndef DELEGAUGE_KERNELS_GL_IRFFT2D_H
#define DELEGAUGE_KERNELS_GL_IRFFT2D_H

#include "kernels_gl/int64/int64.h"

struct ir_value *irfft2d_words(struct ir *ir, const struct node *n, struct ir_value **high);

#endif
