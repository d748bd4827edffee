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

/* Makes the words of the node's output from the words of its inputs. NULL if memory runs out; *high NULL: within 32 bits. */
typedef struct ir_value *(*int64_lower_fn)(struct ir *ir, const struct node *n, struct ir_value **high);

/* Return the function that computes the node; NULL if there is none. */
int64_lower_fn int64_computing(const struct node *n);

/* Return the value of a tensor of indices: an index beyond 32 bits names no place. NULL if memory runs out. */
struct ir_value *int64_index(struct ir *ir, const struct tensor *t);

/* CAST and BITCAST as such. The latter lowers elements of any size. */
struct ir_value *int64_cast(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *int64_bitcast(struct ir *ir, const struct node *n, struct ir_value **high);

/* INT64 as the nearest floats. NULL: out of memory. */
struct ir_value *int64_float(struct ir *ir, const struct tensor *t);

/* Every `step`-th channel of x from `first` on, as `to` has them. NULL: out of memory. */
struct ir_value *int64_channels(struct ir *ir, struct ir_value *x, int32_t first, int32_t step, struct ir_shape to);

/* Both words of each element beside each other along a last axis of two. NULL: out of memory. */
struct ir_value *int64_interleave(struct ir *ir, struct ir_value *low, struct ir_value *high);

/* Operators of INT64 whose kernels have shaders for it. */
struct ir_value *int64_scatter(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *int64_stablehlo_scatter(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *int64_window(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *int64_bucketize(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *int64_reduce(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *int64_cumsum(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *int64_topk(struct ir *ir, const struct node *n, struct ir_value **high);

/* Return the 64-bit element types that the node computes with; 0: none. */
uint32_t int64_computed_types(const struct node *n);

/* Check that the node's types are such as the shaders compute. False: *why. */
bool int64_compute_types(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why);

#endif
