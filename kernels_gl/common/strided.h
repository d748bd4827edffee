/* SPDX-License-Identifier: Apache-2.0 */
/* strided.h - a copy along any number of axes in one dispatch, which counts elements or slices of four channels densely. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Output axis i reads axis axis[i] of the input, a permutation; its k-th element reads index at[i][k] there, or k if at[i] is NULL.
 * The ir borrows the arrays; their indices are in range. */
struct axis_gather {
    int32_t rank, x[TENSOR_MAX_RANK], y[TENSOR_MAX_RANK]; /* extents of input and output */
    int32_t axis[TENSOR_MAX_RANK];
    const int32_t *at[TENSOR_MAX_RANK];
};

/* Append y = x gathered; x and y may have any shapes of as many elements. NULL if memory runs out. */
struct ir_op *ir_strided(struct ir *ir, struct ir_value *x, const struct axis_gather *gather, struct ir_value *y);
