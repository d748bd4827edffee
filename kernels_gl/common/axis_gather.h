/* SPDX-License-Identifier: Apache-2.0 */
/* axis_gather.h - a copy whose output coordinates name the input's axis by axis: slices, transposes, repetition, mirroring. */
#ifndef DELEGAUGE_KERNELS_GL_AXIS_GATHER_H
#define DELEGAUGE_KERNELS_GL_AXIS_GATHER_H

#include "kernels_gl/common/strided.h"

/* Each axis along its own, from extents x[rank] to y[rank]. */
struct axis_gather axis_gather_of(int32_t rank, const int32_t *x, const int32_t *y);

/* y = x at these places, of x's type. The values may have any shapes of as many elements: if four axes show the movement and
 * nothing else is copied for that, one dispatch over them; else one that counts along all axes. False if memory runs out. */
bool ir_axis_gather(struct ir *ir, struct ir_value *x, const struct axis_gather *gather, struct ir_value *y);

/* Return the indices begin, begin + step, ... [n] as an array of the ir's arena. NULL if memory runs out. */
const int32_t *ir_range(struct ir *ir, int32_t begin, int32_t step, int32_t n);

/* The place of elements along an axis: at `at`, and `step` further for each step along `axis` of a value that is computed of them;
 * PLACE_ALONE: of none. */
struct place_along {
    int32_t at, step;
    int axis;
};
#define PLACE_ALONE 3

/* p[4] in op->out becomes the place in op->in[0]. False: there is no such place. */
bool axis_gather_follow(const struct ir_op *op, struct place_along *p);

#endif
