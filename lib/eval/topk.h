/* SPDX-License-Identifier: Apache-2.0 */
/* topk.h - the largest scores of a classifier's output, whatever its type and shape. */
#pragma once

#include "lib/tensor/tensor.h"

enum { TOPK_MAX = 100 };

/* Store in *n the number of classes of an output: [N], [1,N], [1,1,1,N], [1,N,1,1], any shape with a single dimension above 1.
 * ST_USAGE, naming the tensor, for other shapes, for a type that has no order, and for fewer than two classes. */
enum status topk_classes(const struct tensor *t, uint32_t *n, struct err *err);

/* The classes with the largest scores, the largest first, equal scores in the order of the classes, as TFLite's stable sort has
 * them; NaN never is among them. */
struct topk {
    uint32_t n; /* as many as asked for, at most TOPK_MAX; fewer if fewer are numbers */
    uint32_t index[TOPK_MAX];
    double score[TOPK_MAX]; /* real values: a quantized output is scaled */
    uint32_t n_nan;         /* scores that are NaN, of the classes that count */
};

/* Fill *out with the k largest of an output that topk_classes accepts; it has data. `among`: whether a class counts, for each;
 * NULL: all do. */
void topk_find(const struct tensor *t, uint32_t k, const bool *among, struct topk *out);
