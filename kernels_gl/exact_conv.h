/* SPDX-License-Identifier: Apache-2.0 */
/* exact_conv.h - rows times a constant matrix in integers, for the operators that have such within them. */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_CONV_H
#define DELEGAUGE_KERNELS_GL_EXACT_CONV_H

#include "exact_weights.h"

/* y, whose pixels have w->n_out channels: the sums of those of x, less its zero point, times w, requantized by q. `steps` are those
 * of floats (exact_hybrid.h), or NULL. w->taps is 1; w->q is not read. NULL: out of memory. */
struct ir_op *ir_exact_rows(struct ir *ir, struct ir_value *x, struct ir_value *steps, int32_t x_zero,
                            const struct exact_weights *w, const struct exact_requant *q, struct ir_value *y);

/* y = the products of x, quantized vector by vector, with the rows of w, [rows][depth] bytes of INT8 with one scale, plus the bias
 * or NULL. NULL: out of memory. */
struct ir_op *ir_exact_hybrid_rows(struct ir *ir, struct ir_value *x, const struct tensor *w, const struct tensor *bias,
                                   bool asymmetric, struct ir_value *y);

#endif
