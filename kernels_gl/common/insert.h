/* SPDX-License-Identifier: Apache-2.0 */
/* insert.h - spreads the elements of a tensor and fills the gaps and borders with a value: DILATE, STABLEHLO_PAD, PADV2. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* gl_kernel.lower of DILATE, STABLEHLO_PAD and PADV2, whose last input is the fill value: one element of the output's type,
 * constant or made at run time. */
enum status insert_lower_spread(struct ir *ir, const struct node *n, struct err *err);
