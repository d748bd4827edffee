/* SPDX-License-Identifier: Apache-2.0 */
/* floats.h - tensors of 16-bit floats, FLOAT16 and BFLOAT16, among those of 32.
 *
 * They are IR_FLOAT to all that computes, widened on their way in, and narrowed on their way out. What a node computes for such a
 * tensor is rounded to its type, to the nearest with ties to even, wherever the value is kept: one that stays on the device is the
 * one that the CPU would have read again. Nodes that only put elements of the same type elsewhere round nothing. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Types that a kernel for FLOAT32 takes, too. */
#define TAKES_SHORT_FLOAT (1u << TYPE_FLOAT16 | 1u << TYPE_BFLOAT16)

/* What follows a node whose operations are ir->ops[first] and later. Fails only with ST_NOMEM. */
enum status gl_floats_round(struct ir *ir, const struct node *n, uint32_t first, struct err *err);
