/* SPDX-License-Identifier: Apache-2.0 */
/* roll.h - elements put elsewhere along axes that are named at run time: for REVERSE_V2 as well. */
#ifndef DELEGAUGE_KERNELS_GL_ROLL_H
#define DELEGAUGE_KERNELS_GL_ROLL_H

#include "lib/gl/ir/kernel.h"

/* The node's inputs from number 1 on, up to `end`, are numbers of axes and, before these, how far elements move on, of which some
 * are made at run time. False with a reason. */
bool roll_at_fits(const struct gl_limits *lim, const struct node *n, uint32_t end, struct reason *why);

/* Lowers it: without such shifts, elements are in reverse order. Axes that there are not, which end a run on the CPU, change
 * nothing. */
enum status roll_at_lower(struct ir *ir, const struct node *n, struct err *err);

#endif
