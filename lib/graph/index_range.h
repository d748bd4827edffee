/* SPDX-License-Identifier: Apache-2.0 */
/* index_range.h - which integers an input may hold, as the operators that read it say: rows of a table, places in a tensor.
 *
 * For random content. An integer drawn from the whole range of its type is an error in most models (GATHER: "index 95, dimension 0
 * is 10 long"), or a question that nobody asks (the sine of a position of 10^8). So the graph is walked from the input, through
 * operators that pass values on (RESHAPE, CAST, CONCATENATION, ADD of one constant, …), to the operators that read them as indices
 * or sizes:
 *
 *   GATHER, GATHER_ND, EMBEDDING_LOOKUP(_SPARSE)          rows of the table; of several dimensions, the shortest
 *   SCATTER_ND, SPARSE_TO_DENSE, UNSORTED_SEGMENT_*       places in the result, if its shape is constant
 *   ONE_HOT                                               places, if the depth is constant
 *   SLICE, STRIDED_SLICE, DYNAMIC_UPDATE_SLICE            places at which a part fits, whatever its other operands are
 *   HASHTABLE_LOOKUP                                      from the smallest to the largest key
 *   REVERSE_SEQUENCE                                      lengths
 *   TILE, FILL, BROADCAST_TO, RANGE, PAD                  small sizes (at most 2, 8 or 16), so that memory holds the results
 *   CAST to floating point                                0 to 2047: all are different numbers in half precision
 *
 * Not followed: subgraphs of IF and WHILE, products, divisions, sums of two tensors. */
#ifndef DELEGAUGE_INDEX_RANGE_H
#define DELEGAUGE_INDEX_RANGE_H

#include "lib/graph/graph.h"

struct index_range {
    int64_t lo, hi;          /* both inclusive, lo <= hi; not yet held against the limits of the input's type */
    const struct node *node; /* the reader that narrowed it last; NULL: no operator bounds the input, lo and hi mean nothing */
};

/* Find the range that every reader of `input` allows, an integer tensor of g that is not quantized (other types: no bounds). g's
 * shapes are resolved. If two readers leave no common value, the one that runs first counts. Fails only with ST_NOMEM. */
enum status index_range_find(const struct graph *g, const struct tensor *input, struct index_range *out, struct err *err);

#endif
