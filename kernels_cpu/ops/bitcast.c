/* SPDX-License-Identifier: Apache-2.0 */
/* bitcast.c - BITCAST: the same bytes under another type. A last dimension comes or goes where elements change their size.
 *
 * Types of fewer than 8 bits become only each other: TFLite counts a byte for each of their elements, and where the sizes differ
 * reads past the end. */
#include <string.h>

#include "lib/graph/kernel.h"

static enum status bitcast_shape(struct node *n, struct err *err)
{
    const struct tensor *x = n->n_in ? n->in[0] : NULL;
    int32_t dim[TENSOR_MAX_RANK], rank, from, to;

    rank = x->rank;
    memcpy(dim, x->dim, sizeof dim);
    from = (int32_t)type_bits(x->type);
    to = (int32_t)type_bits(n->out[0]->type);
    if (!from || !to || (from != to && (from < 8 || to < 8)))
        return err_set(err, ST_UNSUPPORTED, "no CPU kernel casts the bits of %s to %s", type_name(x->type),
                       type_name(n->out[0]->type));
    if (from > to) {
        if (rank == TENSOR_MAX_RANK)
            return err_set(err, ST_UNSUPPORTED, "%s has no room for one more dimension", TENSOR_TEXT(x));
        dim[rank++] = from / to;
    } else if (from < to) {
        if (rank == 0 || dim[rank - 1] != to / from)
            return err_set(err, ST_BAD_MODEL, "the last dimension of %s must be %d to become %s", TENSOR_TEXT(x), (int)(to / from),
                           type_name(n->out[0]->type));
        rank--;
    }
    return shape_set(n, 0, dim, rank, err);
}

static enum status bitcast_run(struct cpu_call *c, struct err *err)
{
    struct tensor *y = c->node->out[0];

    if (y->bytes)
        memcpy(y->data, c->node->in[0]->data, y->bytes);
    return tensor_check_bools(y, err);
}

const struct cpu_kernel cpu_bitcast = {.arity = {1, 1, 1}, .shape = bitcast_shape, .run = bitcast_run};
