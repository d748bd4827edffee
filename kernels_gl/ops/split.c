/* SPDX-License-Identifier: Apache-2.0 */
/* split.c - SPLIT, SPLIT_V, UNPACK: a tensor cut along an axis into several. */
#include "kernels_gl/common/axis_gather.h"
#include "kernels_gl/common/operands.h"

/* How the ops differ. */
struct split {
    uint32_t input, axis; /* which input is cut, and which one says where; no such input: the option says it */
};

static bool read_axis(const struct node *n, int32_t *axis, struct reason *why)
{
    const struct split *how = n->op->gl->arg;
    int32_t rank = n->in[how->input]->rank;

    if (how->axis != how->input)
        return gl_axis(n, how->axis, rank, axis, why);
    *axis = ((const struct opt_unpack *)n->opt)->axis;
    return !shape_axis(*axis, rank, axis, NULL) ||
           reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "axis %d of rank %d", *axis, rank);
}

static bool split_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct split *how = n->op->gl->arg;
    int32_t axis;

    (void)lim;
    return gl_runtime(n, how->input, "input", why) && gl_one_type(n, how->input, how->input + 1, why) && read_axis(n, &axis, why);
}

static enum status split_lower(struct ir *ir, const struct node *n, struct err *err)
{
    const struct split *how = n->op->gl->arg;
    const struct tensor *x = n->in[how->input];
    struct ir_value *in = ir_in(ir, n, how->input);
    struct reason why;
    int32_t axis, from = 0;

    if (!read_axis(n, &axis, &why))
        return err_set(err, ST_UNSUPPORTED, "%s", why.text);
    for (uint32_t i = 0; in && i < n->n_out; i++) {
        int32_t part = n->out[i]->rank == x->rank ? n->out[i]->dim[axis] : 1;
        struct axis_gather gather = axis_gather_of(x->rank, x->dim, x->dim);

        gather.y[axis] = part;
        if (!(gather.at[axis] = ir_range(ir, from, 1, part)) || !ir_axis_gather(ir, in, &gather, ir_out(ir, n, i)))
            return ir_nomem(err);
        from += part;
    }
    return in ? ST_OK : ir_nomem(err);
}

#define SPLIT(version, ...)                                                                                                        \
    {                                                                                                                              \
        .max_version = (version), MOVES_ANY, .accept = split_accept, .lower = split_lower, .arg = &(const struct split)            \
        {                                                                                                                          \
            __VA_ARGS__                                                                                                            \
        }                                                                                                                          \
    }

const struct gl_kernel gl_split = SPLIT(5, .input = 1, .axis = 0);
const struct gl_kernel gl_split_v = SPLIT(3, .input = 0, .axis = 2);
const struct gl_kernel gl_unpack = SPLIT(6, .input = 0, .axis = 0);
