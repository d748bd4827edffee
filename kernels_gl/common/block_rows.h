/* SPDX-License-Identifier: Apache-2.0 */
/* block_rows.h - products of rows with weights of 4 bits that have a scale for each block of a row. */
#ifndef DELEGAUGE_KERNELS_GL_BLOCK_ROWS_H
#define DELEGAUGE_KERNELS_GL_BLOCK_ROWS_H

#include "lib/gl/ir/kernel.h"

/* The filter, [out][in], can stay 4 bits on the device: INT4, in blocks of whole eights of channels. */
bool block_rows_takes(const struct tensor *filter);

/* y = x times the filter of such a node, plus bias [out] or NULL, which outlives the ir. NULL: out of memory. */
struct ir_op *ir_block_rows(struct ir *ir, struct ir_value *x, const struct tensor *filter, const float *bias, struct ir_value *y);

#endif
