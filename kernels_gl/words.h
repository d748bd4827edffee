/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - what nodes on 64-bit elements share with what lowers those that compute (lib/gl/words.h). */
#ifndef DELEGAUGE_KERNELS_GL_WORDS_H
#define DELEGAUGE_KERNELS_GL_WORDS_H

#include "../lib/gl/words.h"

/* The low or high words of a tensor of 64-bit elements. NULL: out of memory. */
struct ir_value *words_of(struct ir *ir, const struct tensor *t, bool high);

/* Makes words of the node's output of those of its inputs. NULL where memory ran out; *high NULL: within 32 bits. */
typedef struct ir_value *(*words_fn)(struct ir *ir, const struct node *n, struct ir_value **high);

/* How a node of that operator is computed; NULL: it is none that is. */
words_fn words_computing(const char *op);

/* CAST and BITCAST as such. The latter lowers elements of any size. */
struct ir_value *words_cast(struct ir *ir, const struct node *n, struct ir_value **high);
struct ir_value *words_bitcast(struct ir *ir, const struct node *n, struct ir_value **high);

/* Every `step`-th channel of x from `first` on, as `to` has them. NULL: out of memory. */
struct ir_value *words_channels(struct ir *ir, struct ir_value *x, int32_t first, int32_t step, struct ir_shape to);

/* Both words of each element beside each other along a last axis of two. NULL: out of memory. */
struct ir_value *words_joined(struct ir *ir, struct ir_value *low, struct ir_value *high);

/* A node of that operator takes other elements of 64 bits than INT64, which it computes nothing with but their bits. */
bool words_any_type(const char *op);

/* Its types are such as that computes. */
bool words_compute_types(const struct node *n, struct reason *why);

#endif
