/* SPDX-License-Identifier: Apache-2.0 */
/* integers.h - what is computed with integers of 8 and 16 bits among reals.
 *
 * A node that --gpu_quant=simulate computes as one of integers (gl_exact_computes), as reals would be rounded otherwise, is lowered
 * as exact.h says, between values that lowering sees as reals: what it reads is rounded to the steps of its tensors, which it is
 * already, and what it makes stands for reals again. Where reals come straight from the border of the partition, the integers that
 * crossed it are read.
 *
 * Tensors of these types without a scale are integers in every mode, for every kernel that takes INT32. What these compute wraps at
 * the ends of its type, as on the CPU. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Of each input of a node; NULL where it is not quantized. */
struct gl_integers {
    struct ir_value **reals, **integers; /* [n_in], of the ir's arena */
};

/* Around the lowering of such a node by its integer version. Fail only with ST_NOMEM. */
enum status gl_integers_begin(struct ir *ir, const struct node *n, struct gl_integers *in, struct err *err);
enum status gl_integers_end(struct ir *ir, const struct node *n, const struct gl_integers *in, struct err *err);

/* What the op computes, integers, wraps to the type where that has 8 or 16 bits. False: out of memory, or no op. */
bool gl_integers_wrap_op(struct ir *ir, struct ir_op *op, enum tensor_type type);

/* What follows a node whose operations are ir->ops[first] and later: outputs that are plain integers, or are counted as such
 * (gl_exact_counts), wrap. Fails only with
 * ST_NOMEM. */
enum status gl_integers_wrap(struct ir *ir, const struct node *n, uint32_t first, struct err *err);
