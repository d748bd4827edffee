/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_map.h - a function of one or two values whose results are reduced without being stored, as the squared differences of a
 * normalization. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* The reduced value: fn of in[0] and, if it exists, in[1], which along each axis has in[0]'s extent or 1. */
struct reduce_map {
    const struct ir_fn *fn; /* NULL: in[0] itself */
    bool swaps;             /* fn(in[1], in[0]) */
};

/* Fuse `first`, a map whose floats `op` reduces, into `op`, and fill *map (ir_traits.join). Nothing changes unless *done. False if
 * memory runs out. */
bool reduce_map_take(struct ir *ir, struct ir_op *op, const struct ir_op *first, struct reduce_map *map, bool *done);

/* Define the map's macros for reduce.comp, in which in[1] is bound as `with`. */
void reduce_map_emit(struct gl_shader *p, const struct ir_op *op, const struct reduce_map *map);
