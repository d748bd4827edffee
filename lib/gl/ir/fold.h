/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h - the folding of tensors of any rank into the four axes of a value: axes that lie next to each other count as one.
 *
 * Elements keep their dense order, so folding moves nothing by itself. But a value of another shape may have to be stored otherwise
 * (slices of four channels lie between B and H), and that is a copy: ir_fold_best looks for the fold that copies least. */
#pragma once

#include "lib/gl/ir/ir_shape.h"
#include "lib/tensor/tensor.h"

/* Runs of adjacent axes: B is axes at[0] to at[1] - 1, H the axes from there to at[2] - 1, and so on; at[4] is the rank. Up to rank
 * 4 each axis is a run of its own, from C backwards, and the runs before are empty. */
struct ir_fold {
    int32_t at[5];
    uint64_t copies; /* of ir_fold_best: elements that reshaping its tensors copies */
};

/* A tensor that is to be folded like others. */
struct ir_folded {
    const int32_t *dim;     /* [rank] its extents, all at least 1 */
    const int32_t *order;   /* axis i of the fold is its axis order[i], a permutation; NULL: its axis i */
    struct ir_shape stored; /* the shape of the value that holds it */
    bool free;              /* a constant, which may have any shape of as many elements */
};

/* Return the fold under which tensors of that shape are stored. Above rank 4, ones at the front go first; a shape that still has
 * more than four axes keeps the first as B and the last two as W and C, and H is all between: then anything that happens between
 * batch and channels is a view. */
struct ir_fold ir_fold_stored(const int32_t *dim, int32_t rank);

/* Return the extents of a tensor with dim[at[4]] under the fold; INT32_MAX, which fits no device, for one that is larger. */
struct ir_shape ir_fold_shape(const struct ir_fold *f, const int32_t *dim);

/* Return the same for a tensor whose axes have another order. to[i]: the axis there (0 to 3) of axis i of the fold. */
struct ir_shape ir_fold_permuted(const struct ir_fold *f, const struct ir_folded *t, int to[4]);

/* Return the axis of B, H, W, C (0 to 3) that the tensor's axis belongs to. */
int ir_fold_axis(const struct ir_fold *f, int32_t axis);

/* Return a set of axes, bit i for axis i, that must not be in one run with the axis before: the axes at which key[] changes. key[i]
 * < 0: axis i is one element long in all tensors and may be in any run. */
uint32_t ir_fold_apart(const int32_t *key, int32_t rank);

/* Return that set if only one axis stands for itself. */
uint32_t ir_fold_around(const int32_t *dim, int32_t rank, int32_t axis);

/* Store the fold that copies the fewest elements of the n tensors, of the folds that keep these axes apart. False: there is none,
 * as `apart` asks for more than four runs. Up to rank 4 there always is, and nothing is copied. */
bool ir_fold_best(int32_t rank, uint32_t apart, const struct ir_folded *t, uint32_t n, struct ir_fold *out);

/* Return true if the vec4 of two values with as many elements lie in the same order, so that one may be a view of the other. */
bool ir_same_order(struct ir_shape x, struct ir_shape y);
