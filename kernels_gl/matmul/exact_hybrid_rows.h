/* SPDX-License-Identifier: Apache-2.0 */
/* exact_hybrid_rows.h - floats, quantized at run time, times one matrix of 8 bits. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_HYBRID_ROWS_H
#define DELEGAUGE_KERNELS_GL_EXACT_HYBRID_ROWS_H

#include "lib/gl/ir/kernel.h"

/* y = the products of x, quantized vector by vector, with the rows of w, [rows][depth] bytes of INT8 with one scale, plus the bias
 * or NULL; both constant or made at run time. NULL: out of memory. */
struct ir_op *ir_exact_hybrid_rows(struct ir *ir, struct ir_value *x, const struct tensor *w, const struct tensor *bias,
                                   bool asymmetric, struct ir_value *y);

#endif
