/* SPDX-License-Identifier: Apache-2.0 */
/* reverse.c - REVERSE_V2: the elements along some axes in reverse order.
 *
 * The op's shape function has checked what it reads, and would have failed on constants that are out of range. */
#include "data_movement.h"

static enum status reverse_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct axis_gather gather = {.axis = {0, 1, 2, 3}};
    int32_t rank = n->in[0]->rank;

    for (size_t i = 0; x && y && i < tensor_elems(n->in[1]); i++) {
        int32_t axis = (int32_t)tensor_int(n->in[1], i), extent;

        axis = ir_axis(rank, axis < 0 ? axis + rank : axis);
        extent = ir_dim(x->shape, axis);
        if (!(gather.at[axis] = ir_range(ir, extent - 1, -1, extent)))
            return ir_nomem(err);
    }
    return ir_axis_gather(ir, x, &gather, y) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_reverse_v2 = {
    .max_version = 3, .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = gl_accept_arranged, .lower = reverse_lower};
