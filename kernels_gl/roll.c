/* SPDX-License-Identifier: Apache-2.0 */
/* roll.c - Roll: elements move along axes, and those that leave at one end come in at the other. */
#include "axis_gather.h"
#include "operands.h"

enum { X, SHIFTS, AXES };

static bool accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    int32_t by[TENSOR_MAX_RANK], axes[TENSOR_MAX_RANK];
    uint32_t shifts, count;

    (void)lim;
    (void)g;
    if (!gl_arity(n, 3, 3, 1, why) || !gl_runtime(n, X, "input", why) || !gl_one_type(n, X, 1, why) ||
        !gl_ints(n, SHIFTS, "shifts", by, TENSOR_MAX_RANK, &shifts, why) ||
        !gl_ints(n, AXES, "axes", axes, TENSOR_MAX_RANK, &count, why))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (axes[i] < -n->in[X]->rank || axes[i] >= n->in[X]->rank)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "axis %d of a tensor of rank %d", axes[i], n->in[X]->rank);
    return true;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct tensor *x = n->in[X];
    struct axis_gather gather = axis_gather_of(x->rank, x->dim, x->dim);
    int32_t shift[TENSOR_MAX_RANK] = {0};

    for (size_t i = 0; i < tensor_elems(n->in[AXES]); i++) {
        const int32_t axis = (int32_t)tensor_int(n->in[AXES], i), at = axis < 0 ? axis + x->rank : axis;
        const int64_t by = (shift[at] + tensor_int(n->in[SHIFTS], i)) % x->dim[at];

        shift[at] = (int32_t)(by < 0 ? by + x->dim[at] : by);
    }
    for (int32_t i = 0; i < x->rank; i++) {
        int32_t *at = shift[i] ? ARENA_ARRAY(ir->arena, (size_t)x->dim[i], int32_t) : NULL;

        if (shift[i] && !at)
            return ir_nomem(err);
        for (int32_t k = 0; at && k < x->dim[i]; k++)
            at[k] = k < shift[i] ? x->dim[i] - shift[i] + k : k - shift[i];
        gather.at[i] = at;
    }
    return ir_axis_gather(ir, ir_in(ir, n, X), &gather, ir_out(ir, n, 0)) ? ST_OK : ir_nomem(err);
}

const struct gl_kernel gl_roll = {.max_version = 1,
                                  .quantized = TAKES_QUANTIZED,
                                  .same_steps = true,
                                  .in_types = TAKES_ANY,
                                  .out_types = TAKES_ANY,
                                  .accept = accept,
                                  .lower = lower};
