/* SPDX-License-Identifier: Apache-2.0 */
/* requantize.h - results of quantized tensors are rounded as TFLite's integer kernels round them, and sums of their products are
 * exact.
 *
 * Products of reals that stand for 8-bit integers are rounded, and so are their sums; that shows if a network's next layers make
 * much of a step. So convolutions and matrix products take their operands as the integers less zero points that they stand for:
 * sums of these are exact in float32 up to 2^24. TFLite multiplies a sum by its unit in steps of the output, in fixed point, and
 * rounds twice; in matrix products by a double. A lowering says so before it makes its operations; gl_quantized_node does the
 * rest. */
#pragma once

#include "kernels_cpu/ops/arith.h"
#include "lib/gl/ir/kernel.h"

/* Set the rounding of a node that sums products of x and a constant filter, one scale for all of it or for each output channel.
 * Sets ir->lowering.to_counts, so that its weights and biases are to be requantize_filter and gl_quantized_bias, and
 * ir->lowering.rounding, which takes over *act: it becomes ACT_NONE. If x or the output is not quantized, or *act does more than
 * clamp, it sets ir->lowering.unit alone, if the filter is quantized. Fails only with ST_NOMEM. */
enum status requantize_sum(struct ir *ir, const struct node *n, const struct tensor *x, const struct tensor *filter,
                           enum activation *act, struct err *err);

/* Return true if requantize_sum gives TFLite's integers for every sum below 2^24. True also for an x that is not quantized. */
bool requantize_is_exact(const struct tensor *x, const struct tensor *filter, const struct tensor *y);

/* Set ir->lowering.rounding for a node whose result is `unit` times an integer: its input alone, or the product of two. m: the
 * output's steps in a unit, as TFLite rounds that number. */
enum status requantize_by(struct ir *ir, const struct node *n, double unit, double m, enum activation *act, struct err *err);

/* y = in[0] + in[1], or their difference: the node's operands, to y's shape, with the numbers that the CPU's kernel has, and
 * its activation. Sets ir->lowering.rounded. */
enum status requantize_terms(struct ir *ir, const struct node *n, const struct arith_numbers *q, bool subtracts,
                             struct ir_value *const in[2], struct ir_value *y, struct err *err);

/* y = in[0] * in[1], with the CPU kernel's numbers and the node's activation. Sets ir->lowering.rounded. */
enum status requantize_factors(struct ir *ir, const struct node *n, const struct arith_numbers *q, struct ir_value *const in[2],
                               struct ir_value *y, struct err *err);

/* Return the weights of the node being lowered, as integers if its sums are sums of integers. NULL if memory runs out. */
const float *requantize_filter(struct ir *ir, const struct tensor *filter);
