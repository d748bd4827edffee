/* SPDX-License-Identifier: Apache-2.0 */
/* shape.h - shape inference shared by operators.
 *
 * CPU kernels use it to size outputs, GPU kernels to compute the same padding, so that both always agree. */
#pragma once

#include "lib/graph/graph.h"

/* Check that the node has min_in to max_in inputs and exactly n_out outputs, and that no output and none of the first min_in inputs
 * is omitted. Fails with ST_BAD_MODEL. */
enum status shape_arity(const struct node *n, uint32_t min_in, uint32_t max_in, uint32_t n_out, struct err *err);

/* Set the shape of output i to dim[rank]. Fails as shape_elems does. */
enum status shape_set(struct node *n, uint32_t i, const int32_t *dim, int32_t rank, struct err *err);

/* Set the shape of output i to that of t. */
enum status shape_like(struct node *n, uint32_t i, const struct tensor *t, struct err *err);

/* A kernel's shape functions for an output 0 of the shape of input 0: after a check of the arity, and for one input and output. */
enum status shape_same(struct node *n, struct err *err);
enum status shape_unary(struct node *n, struct err *err);

/* Write the numpy broadcast of a and b into dim[TENSOR_MAX_RANK]; fails naming both shapes. */
enum status shape_broadcast(const struct tensor *a, const struct tensor *b, int32_t *dim, int32_t *rank, struct err *err);

/* A kernel's shape function for two inputs that broadcast into one output. */
enum status shape_binary(struct node *n, struct err *err);

/* Read an index tensor (rank 0 or 1; INT32, INT64, INT16 or INT8) into out[max], saturating to int32. ST_LATER if the content is
 * not known yet; fails if it has more than `max` elements or another type. */
enum status shape_ints(const struct tensor *t, int32_t *out, uint32_t max, uint32_t *count, struct err *err);

/* Write the axis; negative ones count from the end. Fails unless -rank <= axis < rank. */
enum status shape_axis(int32_t axis, int32_t rank, int32_t *out, struct err *err);

/* Compute the output length and leading padding of a window (convolution, pooling) along one dimension. SAME: out = ceil(in /
 * stride), the far edge gets the odd pad; VALID: out = ceil((in - effective + 1) / stride). effective = (kernel - 1) * dilation +
 * 1. Fails on a kernel, stride or dilation below 1, if nothing of the window fits, and if the padded input exceeds 31 bits. */
enum status shape_window(int32_t in, int32_t kernel, int32_t stride, int32_t dilation, enum padding padding, int32_t *out,
                         int32_t *pad_before, struct err *err);
