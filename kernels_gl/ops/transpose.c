/* SPDX-License-Identifier: Apache-2.0 */
/* transpose.c - TRANSPOSE: axes in another order.
 *
 * The op's shape function has checked what it reads, and would have failed on constants that are out of range. */
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/operands.h"

static enum status transpose_lower(struct ir *ir, const struct node *n, struct err *err)
{
    int32_t rank = n->in[0]->rank;
    struct axis_gather gather = axis_gather_of(rank, n->in[0]->dim, n->out[0]->dim);

    for (int32_t i = 0; i < rank; i++) {
        int32_t from = (int32_t)tensor_int(n->in[1], (size_t)i);

        gather.axis[i] = from < 0 ? from + rank : from;
    }
    return ir_axis_gather(ir, ir_in(ir, n, 0), &gather, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_transpose = {.max_version = 9, MOVES_ANY, .accept = gl_accept_arranged, .lower = transpose_lower};
