/* SPDX-License-Identifier: Apache-2.0 */
/* axis.h - reads an axis that an operator gets as a tensor.
 *
 * For ARG_MAX, ARG_MIN, CUMSUM, SPLIT and SPLIT_V, in `shape` and again in `run`. shape_axis (lib/graph/shape.h) checks an axis
 * from the options; ops/reduction.h reads a list of axes. */
#pragma once

#include "lib/graph/kernel.h"

/* Read tensor `t`, one integer, as an axis of a tensor of that rank: 0 <= *axis < rank; negative values count from the end. Fails
 * with ST_LATER if the content of `t` is not known yet, with ST_BAD_MODEL if `t` does not hold exactly one element or the axis is
 * out of range, else as shape_ints. *axis is undefined after a failure. */
static inline enum status axis_read(const struct tensor *t, int32_t rank, int32_t *axis, struct err *err)
{
    uint32_t count;
    enum status st = shape_ints(t, axis, 1, &count, err);

    if (st)
        return st;
    if (count != 1)
        return err_set(err, ST_BAD_MODEL, "the axis is empty");
    return shape_axis(*axis, rank, axis, err);
}
