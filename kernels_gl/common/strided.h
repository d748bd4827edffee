/* SPDX-License-Identifier: Apache-2.0 */
/* strided.h - a copy along any number of axes in one dispatch: elements, or slices of four channels, are counted densely. */
#ifndef DELEGAUGE_KERNELS_GL_STRIDED_H
#define DELEGAUGE_KERNELS_GL_STRIDED_H

#include "lib/gl/ir/kernel.h"

/* Output axis i walks along axis[i] of the input, a permutation; its k-th element is at at[i][k] there. NULL: at k. Arrays are
 * borrowed for the life of the ir, their indices are in range. */
struct axis_gather {
    int32_t rank, x[TENSOR_MAX_RANK], y[TENSOR_MAX_RANK]; /* extents of input and output */
    int32_t axis[TENSOR_MAX_RANK];
    const int32_t *at[TENSOR_MAX_RANK];
};

/* y = x at these places; x and y are stored under any shapes. NULL: out of memory. */
struct ir_op *ir_strided(struct ir *ir, struct ir_value *x, const struct axis_gather *gather, struct ir_value *y);

#endif
