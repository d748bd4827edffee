/* SPDX-License-Identifier: Apache-2.0 */
/* move.h - copies along strides, the loop of most data-movement operators.
 *
 * An operator describes its copy as nested dimensions, each with a stride in the destination and one in the source, and runs it
 * once. Strides count elements and may be negative (mirroring) or zero (repetition), so one routine serves all element sizes,
 * sub-byte ones too. */
#pragma once

#include "lib/graph/kernel.h"

#define MOVE_MAX_RANK (2 * TENSOR_MAX_RANK)

struct move {
    int32_t rank; /* dimensions after merging */
    bool empty;
    size_t dim[MOVE_MAX_RANK];
    ptrdiff_t dst[MOVE_MAX_RANK], src[MOVE_MAX_RANK]; /* strides in elements */
    ptrdiff_t dst0, src0;                             /* first element of each side */
};

/* Append a dimension inside the previous ones. Dimensions of 1 are dropped and neighbours that form one run are merged. */
void move_dim(struct move *m, size_t dim, ptrdiff_t dst, ptrdiff_t src);

/* Copy elements of `bits` bits (a power of two from 2 to 128). dst and src must not overlap. */
void move_run(const struct move *m, uint32_t bits, void *dst, const void *src, struct threads *threads);

/* One innermost run: n elements, dst_step and src_step elements apart. */
struct move_line {
    size_t n;
    ptrdiff_t dst_step, src_step;
};
void move_walk(const struct move *m, void (*fn)(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line), void *arg);

/* Set `n` elements of `bits` bits, from element `at` on, to *value. */
void move_fill(void *dst, size_t at, size_t n, uint32_t bits, const void *value);

/* Store the row-major strides of a shape, in elements: stride[rank - 1] is 1. */
void move_strides(const int32_t *dim, int32_t rank, ptrdiff_t *stride);

/* Move elements of `bits` bits from src, laid out like an input of the node, to dst, laid out like its output 0. */
typedef enum status (*move_fn)(struct cpu_call *c, const void *arg, uint32_t bits, void *dst, const void *src, struct err *err);

/* Move input `in` to output 0 by one call of fn. For STRING tensors fn moves the strings' indices, 32 bits each, and the strings
 * follow. */
enum status move_elements(struct cpu_call *c, uint32_t in, move_fn fn, const void *arg, struct err *err);

/* Move input 0 to output 0 by one move_run. */
enum status move_tensor(struct cpu_call *c, const struct move *m, struct err *err);

/* Check that a and b have one type, of fixed element size. Passes if either is NULL. Fails with ST_BAD_MODEL, or as cpu_bad_type.
 */
enum status move_same_type(const struct node *n, const struct tensor *a, const struct tensor *b, struct err *err);

/* cpu_kernel.prepare: check that input 0 and all outputs have one type of fixed element size. */
enum status move_prepare(struct cpu_call *c, struct err *err);

/* cpu_kernel.prepare: move_prepare, for inputs 0 and 1 of one type. */
enum status move_prepare_two(struct cpu_call *c, struct err *err);

/* cpu_kernel.prepare of kernels that also move strings: move_prepare, which STRING input 0 with STRING output 0 passes too. */
enum status move_prepare_strings(struct cpu_call *c, struct err *err);
