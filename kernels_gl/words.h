/* SPDX-License-Identifier: Apache-2.0 */
/* words.h - what nodes on INT64 tensors share with what lowers those that compute (lib/gl/words.h). */
#ifndef DELEGAUGE_KERNELS_GL_WORDS_H
#define DELEGAUGE_KERNELS_GL_WORDS_H

#include "../lib/gl/words.h"

/* The low or high words of an INT64 tensor. NULL: out of memory. */
struct ir_value *words_of(struct ir *ir, const struct tensor *t, bool high);

/* Makes words of the node's output of those of its inputs. NULL where memory ran out; *high NULL: within 32 bits. */
typedef struct ir_value *(*words_fn)(struct ir *ir, const struct node *n, struct ir_value **high);

/* How a node of that operator is computed; NULL: it is none that is. */
words_fn words_computing(const char *op);

/* Its types are such as that computes. */
bool words_compute_types(const struct node *n, struct reason *why);

#endif
