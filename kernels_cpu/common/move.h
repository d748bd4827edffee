/* SPDX-License-Identifier: Apache-2.0 */
/* move.h - copies along strides, which most data-movement ops come down to.
 *
 * An op describes its copy as nested dimensions, each with a stride in the destination and one in the source, and runs it
 * once. Strides count elements and may be negative or zero (mirroring, repetition), so one routine serves all element
 * sizes, 4-bit ones too. */
#ifndef DELEGAUGE_KERNELS_CPU_COMMON_MOVE_H
#define DELEGAUGE_KERNELS_CPU_COMMON_MOVE_H

#include "lib/graph/kernel.h"

#define MOVE_MAX_RANK (2 * TENSOR_MAX_RANK)

struct move {
    int32_t rank; /* of the dimensions that move_dim has merged so far */
    bool empty;
    size_t dim[MOVE_MAX_RANK];
    ptrdiff_t dst[MOVE_MAX_RANK], src[MOVE_MAX_RANK]; /* strides in elements */
    ptrdiff_t dst0, src0;                             /* elements at which the copy starts */
};

/* Appends a dimension inside the ones so far. Dimensions of 1 vanish and neighbours that form one run are merged. */
void move_dim(struct move *m, size_t dim, ptrdiff_t dst, ptrdiff_t src);

/* Copies elements of `bits` bits (a power of two from 2 to 128). dst and src must not overlap. */
void move_run(const struct move *m, uint32_t bits, void *dst, const void *src, struct threads *threads);

/* Calls fn on every innermost run: `n` elements from dst and src, `step` apart. */
struct move_line {
    size_t n;
    ptrdiff_t dst_step, src_step;
};
void move_walk(const struct move *m, void (*fn)(void *arg, ptrdiff_t dst, ptrdiff_t src, const struct move_line *line), void *arg);

/* Sets `n` elements of `bits` bits from element `at` on to *value. */
void move_fill(void *dst, size_t at, size_t n, uint32_t bits, const void *value);

/* Row-major strides of a shape: stride[rank - 1] is 1. */
void move_strides(const int32_t *dim, int32_t rank, ptrdiff_t *stride);

/* Product of dim[from .. to - 1]. */
size_t move_count(const int32_t *dim, int32_t from, int32_t to);

/* Moves elements of `bits` bits from src, arranged like an input of the node, to dst, arranged like its output 0. */
typedef enum status (*move_fn)(struct cpu_call *c, const void *arg, uint32_t bits, void *dst, const void *src, struct err *err);

/* Has fn move input `in` to output 0. It works for strings as well: fn then moves their numbers. */
enum status move_elements(struct cpu_call *c, uint32_t in, move_fn fn, const void *arg, struct err *err);

/* move_elements with one move. */
enum status move_tensor(struct cpu_call *c, const struct move *m, struct err *err);

/* Checks that the tensors named have one type and that it has elements of fixed size. NULL tensors are passed over. */
enum status move_same_type(const struct node *n, const struct tensor *a, const struct tensor *b, struct err *err);

/* A prepare function: input 0 and all outputs have one type of fixed element size. */
enum status move_prepare(struct cpu_call *c, struct err *err);

/* The same for kernels that can move strings as well. */
enum status move_prepare_strings(struct cpu_call *c, struct err *err);

#endif
