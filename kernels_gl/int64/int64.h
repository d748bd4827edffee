/* SPDX-License-Identifier: Apache-2.0 */
/* int64.h - functions on 64-bit elements that the kernels and lib/gl/lower/int64.h share. */
#pragma once

#include "lib/gl/lower/int64.h"

/* Return the low or high halves of a tensor of 64-bit elements. NULL if memory runs out. */
struct ir_value *int64_half(struct ir *ir, const struct tensor *t, bool high);

/* Return the high halves of integers x that fit 32 bits: their signs. NULL if memory runs out. */
struct ir_value *int64_sign(struct ir *ir, struct ir_value *x);

/* Function of low and high halves: the nearest 32-bit integers. */
extern const struct ir_fn fn_clamp_int64;

/* Return the node's 64-bit lowering; NULL if it has none. */
const struct gl_int64 *int64_computing(const struct node *n);

/* gl_kernel.int64 of arithmetic and comparisons. */
extern const struct gl_int64 int64_add, int64_sub, int64_mul, int64_neg, int64_floor_mod, int64_minimum, int64_maximum, int64_less,
    int64_less_equal, int64_greater, int64_greater_equal, int64_equal, int64_not_equal, int64_stablehlo_add, int64_stablehlo_and,
    int64_stablehlo_multiply, int64_stablehlo_minimum, int64_stablehlo_maximum;

/* Value for gl_kernel.int64 of a kernel whose accept checks the types. */
#define INT64_ASKS(fn, types_) (&(const struct gl_int64){.lower = (fn), .types = (types_), .asks = true})

/* Return the value of a tensor of indices, clamped to 32 bits: an index beyond them is out of range in any tensor. NULL if memory
 * runs out. */
struct ir_value *int64_index(struct ir *ir, const struct tensor *t);

/* Lower CAST (gl_int64.lower). */
struct ir_value *int64_cast(struct ir *ir, const struct node *n, struct ir_value **high);

/* Return INT64 elements as the nearest floats. NULL if memory runs out. */
struct ir_value *int64_float(struct ir *ir, const struct tensor *t);

/* Return every `step`-th channel of x from `first` on, in shape `to`. NULL if memory runs out. */
struct ir_value *int64_channels(struct ir *ir, struct ir_value *x, int32_t first, int32_t step, struct ir_shape to);

/* Return the low and high half of each element as neighbours along a last axis of two. NULL if memory runs out. */
struct ir_value *int64_interleave(struct ir *ir, struct ir_value *low, struct ir_value *high);

/* Check that the shaders compute with the node's types. False: *why. */
bool int64_compute_types(const struct gl_limits *lim, const struct node *n, struct reason *why);
