/* SPDX-License-Identifier: Apache-2.0 */
/* index_range.h - the range of valid values of an integer input, from the operators that read it as indices or sizes.
 *
 * For random inputs: an integer drawn from the whole range of its type is an error in most models (GATHER: "index 95, dimension 0
 * is 10 long") or unrealistic (the sine of a position of 10^8). So the graph is followed from the input, through operators that
 * pass values on (RESHAPE, CAST, CONCATENATION, ADD of one constant, …), to operators that limit them:
 *
 *   GATHER, GATHER_ND, EMBEDDING_LOOKUP(_SPARSE)          rows of the table; of several dimensions, the shortest
 *   SCATTER_ND, SPARSE_TO_DENSE, UNSORTED_SEGMENT_*       indices in the result, if its shape is constant
 *   ONE_HOT                                               indices below the depth, if that is constant
 *   SLICE, STRIDED_SLICE, DYNAMIC_UPDATE_SLICE            offsets at which a slice fits for any value of the other operands
 *   HASHTABLE_LOOKUP                                      from the smallest to the largest key
 *   REVERSE_SEQUENCE                                      lengths
 *   TILE, FILL, BROADCAST_TO, RANGE, PAD                  small sizes (at most 2, 8 or 16), so that results fit in memory
 *   CAST to floating point                                0 to 2047, which half precision represents exactly
 *
 * Not followed: subgraphs of IF and WHILE, products, divisions, sums of two tensors. */
#pragma once

#include "lib/graph/graph.h"

struct index_range {
    int64_t lo, hi;          /* both inclusive, lo <= hi; not limited to the range of the input's type */
    const struct node *node; /* the last reader that narrowed the range; NULL: no operator does, and lo and hi are undefined */
};

/* Find the range that all readers of `input` allow. `input` is a tensor of g, whose shapes are resolved; unless it is of an integer
 * type and not quantized, there is no range. If two readers have no value in common, the one that runs first counts. Fails only
 * with ST_NOMEM. */
enum status index_range_find(const struct graph *g, const struct tensor *input, struct index_range *out, struct err *err);
