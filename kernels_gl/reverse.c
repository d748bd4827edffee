/* SPDX-License-Identifier: Apache-2.0 */
/* reverse.c - REVERSE_V2: the elements along some axes in reverse order.
 *
 * The op's shape function has checked what it reads, and would have failed on constants that are out of range. */
#include "axis_gather.h"
#include "operands.h"

static enum status reverse_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[0];
    struct axis_gather gather = axis_gather_of(x->rank, x->dim, x->dim);

    for (size_t i = 0; i < tensor_elems(n->in[1]); i++) {
        int32_t axis = (int32_t)tensor_int(n->in[1], i);

        axis = axis < 0 ? axis + x->rank : axis;
        if (!(gather.at[axis] = ir_range(ir, x->dim[axis] - 1, -1, x->dim[axis])))
            return ir_nomem(err);
    }
    return ir_axis_gather(ir, ir_in(ir, n, 0), &gather, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_reverse_v2 = {.max_version = 3,
                                        .quantized = TAKES_QUANTIZED,
                                        .in_types = TAKES_ANY,
                                        .out_types = TAKES_ANY,
                                        .accept = gl_accept_arranged,
                                        .lower = reverse_lower};
