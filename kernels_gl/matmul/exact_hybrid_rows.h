/* SPDX-License-Identifier: Apache-2.0 */
/* exact_hybrid_rows.h - products of floats, quantized at run time, with a matrix of 8 bits. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Append y = products of x, quantized pixel by pixel, with the rows of w, INT8 [rows][depth] with one scale, plus the bias or NULL;
 * both constant or made at run time. NULL if memory runs out. */
struct ir_op *ir_exact_hybrid_rows(struct ir *ir, struct ir_value *x, const struct tensor *w, const struct tensor *bias,
                                   bool asymmetric, struct ir_value *y);
