/* SPDX-License-Identifier: Apache-2.0 */
/* quantized.h - tensors of 8- and 16-bit integers that stand for real numbers, computed with as these.
 *
 * Element q of such a tensor stands for (q - zero point) * scale. Lowering sees the reals (IR_FLOAT): what crosses the border of a
 * partition stays integers, converted on the GPU on its way in and out, and what a node computes is rounded to the steps of its
 * tensor and clamped to its type's range, as the integer model would round it. Nodes that only put elements elsewhere leave the
 * steps as they are. The reals of an 8- or 16-bit tensor are exact enough in float32 to give each integer back. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* One scale for the whole tensor, and a zero point that need not be of its type. A subnormal scale may count as 0 on a GPU:
 * refused. False: *why. */
bool gl_quantized_fits(const struct tensor *t, struct reason *why);

/* Both are quantized, or constants, of one type, scale and zero point. */
bool gl_same_steps(const struct tensor *a, const struct tensor *b);

/* A bias as floats. Beside a quantized input its integers count in steps of that one's scale times the filter's, whatever scale it
 * has itself, as in TFLite; where the node's sums are of integers (ir_lowering.to_counts), it is they. NULL when memory runs out.
 */
const float *gl_quantized_bias(struct ir *ir, const struct tensor *x, const struct tensor *filter, const struct tensor *bias);

/* The last thing that `op` does: from reals to the integers of such a tensor, and back. False: out of memory. */
bool gl_to_integers(struct ir *ir, struct ir_op *op, const struct tensor *t);
bool gl_to_reals(struct ir *ir, struct ir_op *op, const struct tensor *t);

/* Around the lowering of a partition's nodes: the reals of the inputs before the first one, what follows a node whose operations
 * are ir->ops[first] and later, the integers of the outputs after the last. Fail only with ST_NOMEM. */
enum status gl_quantized_begin(struct ir *ir, struct err *err);
enum status gl_quantized_node(struct ir *ir, const struct node *n, uint32_t first, struct err *err);
enum status gl_quantized_end(struct ir *ir, struct err *err);
