/* SPDX-License-Identifier: Apache-2.0 */
/* exact.h - integer models in integers: --gpu_quant=exact gives the bits of the CPU's reference kernels.
 *
 * Lowering sees the integers of quantized tensors themselves (IR_INT), constants too. So what only puts elements elsewhere needs
 * nothing new, and kernels that compute have an integer version beside the one for reals: exact.def. Their numbers (multipliers,
 * shifts, ranges) are those of the CPU's kernels, made by the same functions; functions of one or two 8-bit values are tables that
 * the CPU's kernel itself fills. Every sum and product is an integer of 32 bits, or a float that is a whole number below 2^24.
 *
 * A node of integers for which there is no integer version stays with the CPU, and its reason says so: it is never computed with
 * as reals. */
#pragma once

#include "lib/gl/ir/kernel.h"

#define EXACT_REALS(name, rule) bool gl_reals_##rule(const struct node *n);
#include "lib/gl/lower/exact.def"

/* The node computes with integers: it reads or writes such a tensor at run time, or multiplies floats by 8-bit weights, as which
 * the CPU takes the floats, too (hybrid). */
bool gl_exact_concerns(const struct node *n);

/* The node is lowered as one of integers: of EXACT all that exact concerns; of SIMULATE what reads or writes quantized tensors and
 * would give other integers as reals, where exact.def has a row for it (integers.h). */
bool gl_exact_computes(const struct node *n, enum gpu_quant quant);

/* The kernel that lowers the node: its operator's own, or, of a node that is lowered as one of integers, that of exact.def. NULL
 * where there is none. */
const struct gl_kernel *gl_kernel_of(const struct node *n, enum gpu_quant quant);

/* The operator's own kernel takes integers as they are (exact.def). */
bool gl_exact_moves(const struct node *n);

/* Of these, one that does not know of steps: it counts the integers. */
bool gl_exact_counts(const struct node *n);

/* Before lowering: the values that cross the border are those that lowering sees. Where the graph has a hybrid node, sums of floats
 * are to be in the CPU's order (ir->in_order): what they round to otherwise may cross the half of a step in which that node counts,
 * and then shows in all that follows. */
void gl_exact_begin(struct ir *ir);
