/* SPDX-License-Identifier: Apache-2.0 */
/* tile.c - TILE and BROADCAST_TO: the input again and again along each axis.
 *
 * The op's shape function has checked what it reads, and would have failed on constants that are out of range. */
#include "data_movement.h"

/* Along each axis the input again and again, as often as the output's shape says. */
static enum status tile_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct axis_gather gather = {.axis = {0, 1, 2, 3}};

    for (int axis = 0; x && y && axis < 4; axis++) {
        int32_t *at, extent = ir_dim(y->shape, axis);

        if (extent == ir_dim(x->shape, axis))
            continue;
        if (!(at = ARENA_ARRAY(ir->arena, (size_t)extent, int32_t)))
            return ir_nomem(err);
        for (int32_t k = 0; k < extent; k++)
            at[k] = k % ir_dim(x->shape, axis);
        gather.at[axis] = at;
    }
    return ir_axis_gather(ir, x, &gather, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_broadcast_to = {
    .max_version = 3, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = gl_accept_arranged, .lower = tile_lower};
const struct gl_kernel gl_tile = {
    .max_version = 3, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = gl_accept_arranged, .lower = tile_lower};
