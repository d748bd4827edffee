/* SPDX-License-Identifier: Apache-2.0 */
/* int64.h - the functions that nodes on 64-bit elements share with the lowering of nodes that compute (lib/gl/lower/int64.h). */
#ifndef DELEGAUGE_KERNELS_GL_INT64_H
#define DELEGAUGE_KERNELS_GL_INT64_H

#include "lib/gl/lower/int64.h"

/* Return the low or high words of a tensor of 64-bit elements. NULL if memory runs out. */
struct ir_value *int64_half(struct ir *ir, const struct tensor *t, bool high);

/* Return the high words of the integers x, which fit 32 bits. NULL if memory runs out. */
struct ir_value *int64_sign(struct ir *ir, struct ir_value *x);

/* The nearest integers of 32 bits, of low and high words. */
extern const struct ir_fn fn_clamp_int64;

/* Return how the node computes with 64-bit elements; NULL if it does not. */
const struct gl_int64 *int64_computing(const struct node *n);

/* Arithmetic and comparisons, for gl_kernel.int64. */
extern const struct gl_int64 int64_add, int64_sub, int64_mul, int64_neg, int64_floor_mod, int64_minimum, int64_maximum, int64_less,
    int64_less_equal, int64_greater, int64_greater_equal, int64_equal, int64_not_equal, int64_stablehlo_add, int64_stablehlo_and,
    int64_stablehlo_multiply, int64_stablehlo_minimum, int64_stablehlo_maximum;

/* Define the slot gl_kernel.int64 of a kernel whose accept asks for the types. */
#define INT64_ASKS(fn, types_) (&(const struct gl_int64){.lower = (fn), .types = (types_), .asks = true})

/* Return the value of a tensor of indices: an index beyond 32 bits names no place. NULL if memory runs out. */
struct ir_value *int64_index(struct ir *ir, const struct tensor *t);

/* CAST (gl_int64.lower). */
struct ir_value *int64_cast(struct ir *ir, const struct node *n, struct ir_value **high);

/* INT64 as the nearest floats. NULL: out of memory. */
struct ir_value *int64_float(struct ir *ir, const struct tensor *t);

/* Every `step`-th channel of x from `first` on, as `to` has them. NULL: out of memory. */
struct ir_value *int64_channels(struct ir *ir, struct ir_value *x, int32_t first, int32_t step, struct ir_shape to);

/* Both words of each element beside each other along a last axis of two. NULL: out of memory. */
struct ir_value *int64_interleave(struct ir *ir, struct ir_value *low, struct ir_value *high);

/* Check that the node's types are such as the shaders compute. False: *why. */
bool int64_compute_types(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why);

#endif
