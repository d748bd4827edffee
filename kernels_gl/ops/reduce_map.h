/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_map.h - one function of two values, whose results are reduced without being stored: the squares of differences that a
 * normalization has the mean of are as many as its input's elements. */
#ifndef DELEGAUGE_KERNELS_GL_REDUCE_MAP_H
#define DELEGAUGE_KERNELS_GL_REDUCE_MAP_H

#include "lib/gl/ir/kernel.h"

/* The reduced value: fn of in[0] and in[1], if there is one, which has as many elements along each axis as in[0], or one. */
struct reduce_map {
    const struct ir_fn *fn; /* NULL: in[0] itself */
    bool swaps;             /* of in[1] and in[0] */
};

/* Lets `op`, which reduces the floats that `first` makes, make them as well, as ir_traits.join; fills *map. */
bool reduce_map_take(struct ir *ir, struct ir_op *op, const struct ir_op *first, struct reduce_map *map, bool *done);

/* Defines it for reduce.comp, which calls in[1] `with`. */
void reduce_map_emit(struct gl_shader *p, const struct ir_op *op, const struct reduce_map *map);

#endif
