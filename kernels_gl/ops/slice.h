/* SPDX-License-Identifier: Apache-2.0 */
/* slice.h - strided slices of a tensor, to which SLICE and STRIDED_SLICE lower. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* First element and step (negative: backwards) along each dimension of the input. */
struct slice_range {
    int32_t begin[TENSOR_MAX_RANK], step[TENSOR_MAX_RANK];
};

/* Check that elements `first` to `last` lie in dimension `axis`. False: *why. */
bool slice_in_range(const struct tensor *x, int32_t axis, int64_t first, int64_t last, struct reason *why);

/* Append y = slice of x, dim[rank], with count[i] elements along dimension i, in y's shape. False if memory runs out. */
bool slice_lower_range(struct ir *ir, struct ir_value *x, int32_t rank, const int32_t *dim, const struct slice_range *range,
                       const int32_t *count, struct ir_value *y);

/* Slice of one dimension whose begin may be known only at run time: `count` elements, `stride` apart, from index begin[entry] on,
 * or from `low` if `entry` is -1. A negative index has `negative` added; it is then clamped to low .. high. */
struct slice_axis {
    int32_t count, stride, entry, negative, low, high;
};

/* Append y = such a slice of x, dim[rank], in y's shape; `begin` is [1, 1, 1, begins]. False if memory runs out or an argument is
 * NULL. */
bool slice_at(struct ir *ir, struct ir_value *x, struct ir_value *begin, int32_t rank, const int32_t *dim,
              const struct slice_axis *axis, struct ir_value *y);
