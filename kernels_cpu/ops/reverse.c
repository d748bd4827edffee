/* SPDX-License-Identifier: Apache-2.0 */
/* reverse.c - REVERSE_V2 and REVERSE_SEQUENCE: dimensions run backwards. */
#include "kernels_cpu/common/move.h"

static enum status read_axes(const struct node *n, uint32_t *mask, struct err *err)
{
    int32_t axes[TENSOR_MAX_RANK], axis;
    uint32_t count;
    enum status st = shape_ints(n->in[1], axes, TENSOR_MAX_RANK, &count, err);

    *mask = 0;
    for (uint32_t i = 0; i < count && !st; i++) {
        if ((st = shape_axis(axes[i], n->in[0]->rank, &axis, err)))
            return st;
        if (*mask >> axis & 1)
            return err_set(err, ST_BAD_MODEL, "axis %d is named twice", axis);
        *mask |= 1u << axis;
    }
    return st;
}

static enum status reverse_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    ptrdiff_t strides[TENSOR_MAX_RANK];
    struct move m = {0};
    uint32_t mask;
    enum status st = read_axes(c->node, &mask, err);

    if (st)
        return st;
    move_strides(x->dim, x->rank, strides);
    for (int32_t i = 0; i < x->rank; i++) {
        bool back = mask >> i & 1;

        m.src0 += back ? (x->dim[i] - 1) * strides[i] : 0;
        move_dim(&m, (size_t)x->dim[i], strides[i], back ? -strides[i] : strides[i]);
    }
    return move_tensor(c, &m, err);
}

static enum status sequence_shape(struct node *n, struct err *err)
{
    const struct opt_reverse_sequence *opt = n->opt;
    const struct tensor *x = n->in[0], *lengths = n->in[1];

    if (opt->seq_dim < 0 || opt->seq_dim >= x->rank || opt->batch_dim < 0 || opt->batch_dim >= x->rank ||
        opt->seq_dim == opt->batch_dim)
        return err_set(err, ST_BAD_MODEL, "seq_dim %d and batch_dim %d of a tensor of rank %d", opt->seq_dim, opt->batch_dim,
                       x->rank);
    if (lengths->rank != 1 || lengths->dim[0] != x->dim[opt->batch_dim])
        return err_set(err, ST_BAD_MODEL, "the lengths must be a vector of %d", x->dim[opt->batch_dim]);
    return shape_like(n, 0, x, err);
}

/* Moves [from, from + count) of batch b along the sequence, forwards or back. */
static void move_part(struct cpu_call *c, int32_t b, int32_t from, int32_t count, bool back)
{
    const struct opt_reverse_sequence *opt = c->node->opt;
    const struct tensor *x = c->node->in[0];
    ptrdiff_t strides[TENSOR_MAX_RANK];
    struct move m = {0};

    move_strides(x->dim, x->rank, strides);
    m.dst0 = b * strides[opt->batch_dim] + from * strides[opt->seq_dim];
    m.src0 = m.dst0 + (back ? (count - 1) * strides[opt->seq_dim] : 0);
    for (int32_t i = 0; i < x->rank; i++)
        if (i == opt->seq_dim)
            move_dim(&m, (size_t)count, strides[i], back ? -strides[i] : strides[i]);
        else if (i != opt->batch_dim)
            move_dim(&m, (size_t)x->dim[i], strides[i], strides[i]);
    move_run(&m, type_bits(x->type), c->node->out[0]->data, x->data, c->threads);
}

static enum status sequence_run(struct cpu_call *c, struct err *err)
{
    const struct opt_reverse_sequence *opt = c->node->opt;
    const struct tensor *x = c->node->in[0], *lengths = c->node->in[1];
    int32_t all = x->dim[opt->seq_dim];

    for (int32_t b = 0; b < lengths->dim[0]; b++) {
        int64_t length = tensor_int(lengths, (size_t)b);

        length = length < 0 ? 0 : length; /* nothing to turn round, as in TFLite */
        if (length > all)
            return err_set(err, ST_FAILED, "length %d is %lld, dimension %d is %d long", b, (long long)length, opt->seq_dim, all);
        move_part(c, b, 0, (int32_t)length, true);
        move_part(c, b, (int32_t)length, all - (int32_t)length, false);
    }
    return ST_OK;
}

const struct cpu_kernel cpu_reverse = {
    .arity = {2, 2, 1}, .shape = shape_same, .prepare = move_prepare_strings, .run = reverse_run};
const struct cpu_kernel cpu_reverse_sequence = {
    .arity = {2, 2, 1}, .shape = sequence_shape, .in = {0, CPU_INDEX}, .prepare = move_prepare, .run = sequence_run};
