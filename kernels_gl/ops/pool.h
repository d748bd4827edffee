/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h - pooling windows, as the pooling operators share them. */
#ifndef DELEGAUGE_KERNELS_GL_POOL_H
#define DELEGAUGE_KERNELS_GL_POOL_H

#include "kernels_cpu/quant/fused_activation.h"
#include "lib/gl/ir/kernel.h"

/* Store the window that these options put over the node's input 0 [n,h,w,c]. Fails if it does not fit. */
enum status pool_window(const struct node *n, const struct opt_pool_2d *o, struct ir_window *window, struct err *err);

/* Append y = the largest (else the mean) of the elements of each window. The caller may set out2: the place of each largest in the
 * window, as a float, for windows of at most 2048 elements. NULL if memory runs out. */
struct ir_op *ir_pool(struct ir *ir, struct ir_value *x, const struct ir_window *window, bool max, struct ir_value *y);

/* Of integers, with the CPU's bits. */
struct exact_pool {
    struct ir_window win;
    struct range_i32 range; /* of the result */
    enum { POOL_MAX, POOL_SUM, POOL_MEAN } of;
};

/* counts: NULL, or of a mean over sums the elements in all of them, one number for each window. False: out of memory. */
bool ir_exact_pool(struct ir *ir, struct ir_value *x, struct ir_value *counts, const struct exact_pool *pool, struct ir_value *y);

#endif
