/* SPDX-License-Identifier: Apache-2.0 */
/* tile.c - TILE and BROADCAST_TO: the input again and again along each axis.
 *
 * The op's shape function has checked what it reads, and would have failed on constants that are out of range. */
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/operands.h"

/* Along each axis the input again and again, as often as the output's shape says. */
static enum status tile_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0], *y = n->out[0];
    struct axis_gather gather = axis_gather_of(y->rank, y->dim, y->dim);

    for (int32_t axis = 0; axis < y->rank; axis++) {
        int32_t *at, from = axis - (y->rank - x->rank);

        gather.x[axis] = from < 0 ? 1 : x->dim[from];
        if (gather.y[axis] == gather.x[axis])
            continue;
        if (!(at = ARENA_ARRAY(ir->arena, (size_t)gather.y[axis], int32_t)))
            return ir_nomem(err);
        for (int32_t k = 0; k < gather.y[axis]; k++)
            at[k] = k % gather.x[axis];
        gather.at[axis] = at;
    }
    return ir_axis_gather(ir, ir_in(ir, n, 0), &gather, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_broadcast_to = {.max_version = 4, MOVES_ANY, .accept = gl_accept_arranged, .lower = tile_lower};
const struct gl_kernel gl_tile = {.max_version = 3, MOVES_ANY, .accept = gl_accept_arranged, .lower = tile_lower};
