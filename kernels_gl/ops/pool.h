/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h - windows and operations that the pooling operators share. */
#pragma once

#include "kernels_cpu/quant/fused_activation.h"
#include "lib/gl/ir/kernel.h"

/* Store the window that options `o` put over the node's input 0 [n, h, w, c]. Fails as shape_window if it does not fit. */
enum status pool_window(const struct node *n, const struct opt_pool_2d *o, struct ir_window *window, struct err *err);

/* Append y = the largest (else the mean) of the elements of each window. The caller may set op->out2: the index of each largest
 * element in its window, as a float, for windows of at most 2048 elements. NULL if memory runs out. */
struct ir_op *ir_pool(struct ir *ir, struct ir_value *x, const struct ir_window *window, bool max, struct ir_value *y);

/* Pooling of integers, bit-exact with the CPU. */
struct exact_pool {
    struct ir_window win;
    struct range_i32 range; /* clamp of the result */
    enum { POOL_MAX, POOL_SUM, POOL_MEAN } of;
};

/* Append y = exact pooling of x. counts: NULL, or for POOL_MEAN over partial sums the number of elements in each window, one per
 * window. False if memory runs out. */
bool ir_exact_pool(struct ir *ir, struct ir_value *x, struct ir_value *counts, const struct exact_pool *pool, struct ir_value *y);
