/* SPDX-License-Identifier: Apache-2.0 */
/* roll.h - Roll and REVERSE_V2 with axes or shifts that are made at run time. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Check inputs 1 to `end` - 1, some of them made at run time: the axes and, for Roll, the shifts before them. False: *why. */
bool roll_at_fits(const struct gl_limits *lim, const struct node *n, uint32_t end, struct reason *why);

/* Lower the node: roll x, or without shifts reverse it, along the axes. Axes out of range, which make a run fail on the CPU, change
 * nothing. Fails only with ST_NOMEM. */
enum status roll_at_lower(struct ir *ir, const struct node *n, struct err *err);
