/* SPDX-License-Identifier: Apache-2.0 */
/* slice.h - a part of a tensor with a begin and a step for each dimension, as SLICE and STRIDED_SLICE lower to it. */
#ifndef DELEGAUGE_KERNELS_GL_SLICE_H
#define DELEGAUGE_KERNELS_GL_SLICE_H

#include "lib/gl/ir/kernel.h"

/* First element and step (negative: backwards) along each dimension of the input. */
struct slice_range {
    int32_t begin[TENSOR_MAX_RANK], step[TENSOR_MAX_RANK];
};

/* The elements `first` to `last` of dimension `axis` are there; else fills *why. */
bool slice_in_range(const struct tensor *x, int32_t axis, int64_t first, int64_t last, struct reason *why);

/* y = that part of x, which is dim[rank]: count[i] elements along dimension i, under y's shape. False: out of memory. */
bool slice_lower_range(struct ir *ir, struct ir_value *x, int32_t rank, const int32_t *dim, const struct slice_range *range,
                       const int32_t *count, struct ir_value *y);

/* The cut of a dimension whose begin may be known only while running: `count` elements, `stride` apart, from number `entry` of the
 * begins on, or from `low` if that is -1. A negative begin has `negative` added, and then is kept between low and high. */
struct slice_axis {
    int32_t count, stride, entry, negative, low, high;
};

/* y = that part of x, which is dim[rank], under y's shape; `begin` is [1, 1, 1, begins]. False: out of memory or an argument is
 * NULL. */
bool slice_at(struct ir *ir, struct ir_value *x, struct ir_value *begin, int32_t rank, const int32_t *dim,
              const struct slice_axis *axis, struct ir_value *y);

#endif
