/* SPDX-License-Identifier: Apache-2.0 */
/* rearrange.c - TRANSPOSE, TILE, BROADCAST_TO, REVERSE_V2: picks whose indices follow from the shapes and a list of axes.
 *
 * The ops' shape functions have checked what they read, and would have failed on constants that are out of range. */
#include "moves.h"

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    (void)lim;
    (void)g;
    return gl_arity(n, 2, 2, 1, why) && gl_runtime(n, 0, "input", why) && gl_constant(n, 1, "order", why) &&
           gl_one_type(n, 0, 1, why);
}

static enum status transpose_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct pick pick = {.axis = {0, 1, 2, 3}};
    int32_t rank = n->in[0]->rank;

    for (int32_t i = 0; i < rank; i++) {
        int32_t from = (int32_t)tensor_int(n->in[1], (size_t)i);

        pick.axis[ir_axis(rank, i)] = ir_axis(rank, from < 0 ? from + rank : from);
    }
    return ir_pick(ir, ir_in(ir, n, 0), &pick, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

/* Along each axis the input again and again, as often as the output's shape says. */
static enum status tile_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct pick pick = {.axis = {0, 1, 2, 3}};

    for (int axis = 0; x && y && axis < 4; axis++) {
        int32_t *at, extent = ir_dim(y->shape, axis);

        if (extent == ir_dim(x->shape, axis))
            continue;
        if (!(at = ARENA_ARRAY(ir->arena, (size_t)extent, int32_t)))
            return ir_nomem(err);
        for (int32_t k = 0; k < extent; k++)
            at[k] = k % ir_dim(x->shape, axis);
        pick.at[axis] = at;
    }
    return ir_pick(ir, x, &pick, y) ? ST_OK : ir_nomem(err);
}

static enum status reverse_lower(struct ir *ir, const struct node *n, struct err *err)
{
    struct ir_value *x = ir_in(ir, n, 0), *y = ir_out(ir, n, 0);
    struct pick pick = {.axis = {0, 1, 2, 3}};
    int32_t rank = n->in[0]->rank;

    for (size_t i = 0; x && y && i < tensor_elems(n->in[1]); i++) {
        int32_t axis = (int32_t)tensor_int(n->in[1], i), extent;

        axis = ir_axis(rank, axis < 0 ? axis + rank : axis);
        extent = ir_dim(x->shape, axis);
        if (!(pick.at[axis] = ir_range(ir, extent - 1, -1, extent)))
            return ir_nomem(err);
    }
    return ir_pick(ir, x, &pick, y) ? ST_OK : ir_nomem(err);
}

#define REARRANGE(version, lower_)                                                                                                 \
    {                                                                                                                              \
        .max_version = (version), .in_types = TAKES_ANY, .out_types = TAKES_ANY, .accept = accept, .lower = (lower_)               \
    }

const struct gl_kernel gl_broadcast_to = REARRANGE(3, tile_lower);
const struct gl_kernel gl_reverse_v2 = REARRANGE(3, reverse_lower);
const struct gl_kernel gl_tile = REARRANGE(3, tile_lower);
const struct gl_kernel gl_transpose = REARRANGE(7, transpose_lower);
