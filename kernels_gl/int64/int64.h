/* SPDX-License-Identifier: Apache-2.0 */
/* int64.h - what nodes on 64-bit elements share with what lowers those that compute (lib/gl/lower/int64.h). */
#ifndef DELEGAUGE_KERNELS_GL_WORDS_H
#define DELEGAUGE_KERNELS_GL_WORDS_H

#include "lib/gl/lower/int64.h"

/* The low or high words of a tensor of 64-bit elements. NULL: out of memory. */
struct ir_value *words_of(struct ir *ir, const struct tensor *t, bool high);

/* The high words of integers that fit 32 bits, which are x. NULL: out of memory. */
struct ir_value *words_sign(struct ir *ir, struct ir_value *x);

/* The nearest integers of 32 bits, of low and high words. */
extern const struct ir_fn fn_clamp_words;

/* Makes words of the node's output of those of its inputs. NULL where memory ran out; *high NULL: within 32 bits. */
typedef struct ir_value *(*words_fn)(struct ir *ir, const struct node *n, struct ir_value **high);

/* How the node is computed; NULL: it is none that is. */
words_fn words_computing(const struct node *n);

/* A tensor that says where something is: what is beyond 32 bits names no place. NULL: out of memory. */
struct ir_value *words_index(struct ir *ir, const struct tensor *t);

/* CAST and BITCAST as such. The latter lowers elements of any size. */
struct ir_value *words_cast(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *words_bitcast(struct ir *ir, const struct node *n, struct ir_value **high);

/* INT64 as the nearest floats. NULL: out of memory. */
struct ir_value *words_float(struct ir *ir, const struct tensor *t);

/* Every `step`-th channel of x from `first` on, as `to` has them. NULL: out of memory. */
struct ir_value *words_channels(struct ir *ir, struct ir_value *x, int32_t first, int32_t step, struct ir_shape to);

/* Both words of each element beside each other along a last axis of two. NULL: out of memory. */
struct ir_value *words_joined(struct ir *ir, struct ir_value *low, struct ir_value *high);

/* Operators of INT64 whose kernels have shaders for it. */
struct ir_value *words_scatter(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *words_stablehlo_scatter(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *words_window(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *words_bucketize(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *words_reduce(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *words_cumsum(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *words_topk(struct ir *ir, const struct node *n, struct ir_value **high);

/* The elements of 64 bits that the node computes with; 0: none. */
uint32_t words_computed_types(const struct node *n);

/* Its types are such as that computes. */
bool words_compute_types(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why);

#endif
