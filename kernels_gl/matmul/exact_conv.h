/* SPDX-License-Identifier: Apache-2.0 */
/* exact_conv.h - products of rows with a matrix in integers, for operators that contain such products. */
#pragma once

#include "kernels_gl/quant/exact_weights.h"

/* Append y, whose pixels have w->n_out channels: the channels of x minus its zero point times w, requantized by q. `in` has the
 * scales of quantized floats (exact_hybrid.h), and a filter made at run time; or NULL. w->taps is 1; w->q is not read. NULL if
 * memory runs out. */
struct ir_op *ir_exact_rows(struct ir *ir, struct ir_value *x, const struct exact_values *in, int32_t x_zero,
                            const struct exact_weights *w, const struct exact_requant *q, struct ir_value *y);
