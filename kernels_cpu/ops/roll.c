/* SPDX-License-Identifier: Apache-2.0 */
/* roll.c - Roll: elements move along axes, and those that leave at one end come in at the other. */
#include "kernels_cpu/common/move.h"

enum { X, SHIFTS, AXES };

static enum status roll_shape(struct node *n, struct err *err)
{
    if (n->in[SHIFTS]->rank > 1 || n->in[AXES]->rank > 1 || tensor_elems(n->in[SHIFTS]) != tensor_elems(n->in[AXES]))
        return err_set(err, ST_BAD_MODEL, "shifts are %s, axes %s, expected vectors of one length", TENSOR_TEXT(n->in[SHIFTS]),
                       TENSOR_TEXT(n->in[AXES]));
    return shape_like(n, 0, n->in[X], err);
}

/* How far each dimension rolls, from 0 to its size; an axis may be named several times. */
static enum status read_shifts(const struct node *n, int32_t shift[TENSOR_MAX_RANK], struct err *err)
{
    const struct tensor *x = n->in[X];
    int32_t by[TENSOR_MAX_RANK], axes[TENSOR_MAX_RANK], axis;
    uint32_t count, n_axes;
    enum status st;

    for (int32_t i = 0; i < TENSOR_MAX_RANK; i++)
        shift[i] = 0;
    if ((st = shape_ints(n->in[SHIFTS], by, TENSOR_MAX_RANK, &count, err)) ||
        (st = shape_ints(n->in[AXES], axes, TENSOR_MAX_RANK, &n_axes, err)))
        return st;
    for (uint32_t i = 0; i < count; i++) {
        int64_t rolled;

        if ((st = shape_axis(axes[i], x->rank, &axis, err)))
            return st;
        if (!x->dim[axis])
            continue;
        rolled = ((int64_t)shift[axis] + by[i]) % x->dim[axis];
        shift[axis] = (int32_t)(rolled < 0 ? rolled + x->dim[axis] : rolled);
    }
    return ST_OK;
}

/* Each dimension has a part that moves on and one that comes round; `round` says, bit by bit, of which dimensions the latter. */
static struct move part(const struct tensor *x, const int32_t *shift, uint32_t round)
{
    ptrdiff_t stride[TENSOR_MAX_RANK];
    struct move m = {0};

    move_strides(x->dim, x->rank, stride);
    for (int32_t i = 0; i < x->rank; i++) {
        int32_t on = x->dim[i] - shift[i];
        bool second = round >> i & 1;

        m.src0 += second ? on * stride[i] : 0;
        m.dst0 += second ? 0 : shift[i] * stride[i];
        move_dim(&m, (size_t)(second ? shift[i] : on), stride[i], stride[i]);
    }
    return m;
}

static enum status roll_parts(struct cpu_call *c, const void *arg, uint32_t bits, void *dst, const void *src, struct err *err)
{
    const struct tensor *x = c->node->in[X];
    const int32_t *shift = arg;
    uint32_t rolling = 0;

    (void)err;
    for (int32_t i = 0; i < x->rank; i++)
        rolling |= shift[i] ? 1u << i : 0;
    for (uint32_t round = 0; round < 1u << x->rank; round++) {
        struct move m = part(x, shift, round);

        if (!(round & ~rolling))
            move_run(&m, bits, dst, src, c->threads);
    }
    return ST_OK;
}

static enum status roll_run(struct cpu_call *c, struct err *err)
{
    int32_t shift[TENSOR_MAX_RANK];
    enum status st = read_shifts(c->node, shift, err);

    return st ? st : move_elements(c, X, roll_parts, shift, err);
}

const struct cpu_kernel cpu_roll = {.arity = {3, 3, 1}, .shape = roll_shape, .prepare = move_prepare_strings, .run = roll_run};
