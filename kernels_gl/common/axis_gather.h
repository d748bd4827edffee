/* SPDX-License-Identifier: Apache-2.0 */
/* axis_gather.h - copies that map each output axis to one input axis: slices, transposes, repetition, mirroring. */
#pragma once

#include "kernels_gl/common/strided.h"

/* Return a gather that maps each axis to itself, from extents x[rank] to y[rank]. The caller adds axis[] and at[]. */
struct axis_gather axis_gather_of(int32_t rank, const int32_t *x, const int32_t *y);

/* Append y = x gathered, with x's type. The values may have any shapes of as many elements. One dispatch over four axes, if these
 * express the gather without further copies; else one dispatch over all axes (strided.h). False if memory runs out or a value is
 * NULL. */
bool ir_axis_gather(struct ir *ir, struct ir_value *x, const struct axis_gather *gather, struct ir_value *y);

/* Return the indices begin, begin + step, ... [n] in the ir's arena. NULL if memory runs out. */
const int32_t *ir_range(struct ir *ir, int32_t begin, int32_t step, int32_t n);

/* Index along one axis of the elements that a value reads: index `at` for its first element along `axis` (B, H, W, C: 0 to 3),
 * `step` more for each further element; PLACE_ALONE: always `at`. */
struct place_along {
    int32_t at, step;
    int axis;
};
#define PLACE_ALONE 3

/* Convert p[4], one index per axis of op->out, to the indices of the same elements in op->in[0]. False if these are not evenly
 * spaced. */
bool axis_gather_follow(const struct ir_op *op, struct place_along *p);
