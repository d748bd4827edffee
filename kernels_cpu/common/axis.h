/* SPDX-License-Identifier: Apache-2.0 */
/* axis.h - the axis that an operator is given as a tensor.
 *
 * ARG_MAX, ARG_MIN, CUMSUM, SPLIT and SPLIT_V read theirs so, in `shape` and again in `run`. An axis in the options is for
 * shape_axis (lib/graph/shape.h) alone; a list of axes is for the reductions' own reader (ops/reduction.h). */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_AXIS_H
#define DELEGAUGE_KERNELS_CPU_COMMON_AXIS_H

#include "lib/graph/kernel.h"

/* Reads `t`, one integer, as an axis of a tensor of that rank: 0 <= *axis < rank. ST_LATER if its content is not known yet,
 * ST_BAD_MODEL if it is empty, has more than one element or names no axis; else as shape_ints. A negative one counts from the end.
 * *axis is undefined after a failure. */
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

#endif
