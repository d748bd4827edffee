/* SPDX-License-Identifier: Apache-2.0 */
/* exact_order.h - float convolutions whose sums round as the CPU's reference kernel does (ir->in_order): term by term. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* As ir_conv, with an operation of its own: rows of the window, columns, input channels, each product rounded before it is added,
 * the bias last. The driver may still fuse them if it knows no `precise`. NULL: out of memory. */
struct ir_op *ir_conv_in_order(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, const float *bias,
                               struct ir_value *y);
