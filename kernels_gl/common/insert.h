/* SPDX-License-Identifier: Apache-2.0 */
/* insert.h - a value around the elements of a tensor, whatever it is: for PADV2 as well. */
#ifndef DELEGAUGE_KERNELS_GL_INSERT_H
#define DELEGAUGE_KERNELS_GL_INSERT_H

#include "lib/gl/ir/kernel.h"

/* gl_kernel.lower of DILATE, STABLEHLO_PAD and PADV2, whose last input is the value, of one element and the output's type, made at
 * run time or not. */
enum status insert_lower_spread(struct ir *ir, const struct node *n, struct err *err);

#endif
