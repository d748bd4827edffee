/* SPDX-License-Identifier: Apache-2.0 */
/* axis_gather.h - a copy whose output coordinates name the input's axis by axis: slices, transposes, repetition, mirroring. */
#ifndef DELEGAUGE_KERNELS_GL_AXIS_GATHER_H
#define DELEGAUGE_KERNELS_GL_AXIS_GATHER_H

#include "../lib/gl/kernel.h"

/* Axis i of the output (0 to 3: B, H, W, C) walks along axis[i] of the input, a permutation; its k-th element is at at[i][k]
 * there. NULL: at k. Arrays are borrowed for the life of the ir, their indices are in range. */
struct axis_gather {
    int axis[4];
    const int32_t *at[4];
};

/* y = x at these places, of x's type. NULL: out of memory. */
struct ir_op *ir_axis_gather(struct ir *ir, struct ir_value *x, const struct axis_gather *gather, struct ir_value *y);

/* The indices begin, begin + step, ... [n] as an array of the ir's arena. NULL: out of memory. */
const int32_t *ir_range(struct ir *ir, int32_t begin, int32_t step, int32_t n);

#endif
