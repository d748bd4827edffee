/* SPDX-License-Identifier: Apache-2.0 */
/* reshape.c - RESHAPE, SQUEEZE, EXPAND_DIMS: the same bytes under another shape. */
#include <string.h>

#include "kernels_cpu/common/axis.h"
#include "kernels_cpu/common/move.h"
#include "kernels_cpu/common/strings.h"

static enum status copy_run(struct cpu_call *c, struct err *err)
{
    const struct tensor *x = c->node->in[0];
    struct tensor *y = c->node->out[0];
    enum status st;

    if (x->type == TYPE_STRING && ((st = strings_check(x, err)) || (st = cpu_resize_output(c, 0, y->dim, y->rank, x->bytes, err))))
        return st;
    if (y->data != x->data && y->bytes)
        memcpy(y->data, x->data, y->bytes);
    return ST_OK;
}

/* The shape tensor wins where it is a vector of INT32; converters also write ones that are not, beside the option. */
static enum status wanted_shape(const struct node *n, int32_t *dim, uint32_t *rank, struct err *err)
{
    const struct opt_reshape *opt = n->opt;
    const struct tensor *shape = node_in(n, 1);

    if (shape && shape->rank == 1 && shape->type == TYPE_INT32)
        return shape_ints(shape, dim, TENSOR_MAX_RANK, rank, err);
    if (!opt || opt->num_dimensions < 0 || opt->num_dimensions > TENSOR_MAX_RANK)
        return err_set(err, ST_BAD_MODEL, "no usable shape: neither an INT32 vector as input 1 nor an option");
    *rank = (uint32_t)opt->num_dimensions;
    memcpy(dim, opt->shape, *rank * sizeof *dim);
    if (*rank == 1 && dim[0] == 0)
        *rank = 0; /* old converters wrote a scalar's shape so */
    return ST_OK;
}

/* Replaces the one -1 by what makes the counts agree. Zeros on both sides cancel, as TFLite has it. */
static enum status stretch(const struct tensor *x, int32_t *dim, int32_t rank, struct err *err)
{
    size_t elems = tensor_elems(x), nonzero_in = 1, nonzero_out = 1;
    int32_t at = -1;
    bool zero_out = false;

    for (int32_t i = 0; i < x->rank; i++)
        nonzero_in *= x->dim[i] ? (size_t)x->dim[i] : 1;
    for (int32_t i = 0; i < rank; i++) {
        if (dim[i] == -1) {
            if (at >= 0)
                return err_set(err, ST_BAD_MODEL, "new dimensions %d and %d are both -1", at, i);
            at = i;
        } else if (dim[i] < 0) {
            return err_set(err, ST_BAD_MODEL, "new dimension %d is %d", i, dim[i]);
        } else if (dim[i] == 0) {
            zero_out = true;
        } else if (__builtin_mul_overflow(nonzero_out, (size_t)dim[i], &nonzero_out)) {
            return err_set(err, ST_BAD_MODEL, "the new shape has too many elements");
        }
    }
    if (at >= 0 && elems == 0 && !zero_out)
        dim[at] = 0;
    else if (at >= 0)
        dim[at] = nonzero_in / nonzero_out > INT32_MAX ? INT32_MAX : (int32_t)(nonzero_in / nonzero_out);
    return ST_OK;
}

static enum status reshape_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK];
    uint32_t rank;
    size_t elems;
    char text[96];
    enum status st;

    if ((st = wanted_shape(n, dim, &rank, err)) || (st = stretch(n->in[0], dim, (int32_t)rank, err)) ||
        (st = shape_elems(dim, (int32_t)rank, &elems, err)))
        return st;
    if (elems != tensor_elems(n->in[0]))
        return err_set(err, ST_BAD_MODEL, "%zu elements cannot take the shape %s", tensor_elems(n->in[0]),
                       shape_text(dim, (int32_t)rank, text, sizeof text));
    return shape_set(n, 0, dim, (int32_t)rank, err);
}

static enum status squeeze_shape(struct node *n, struct err *err)
{
    const struct opt_squeeze *opt = n->opt;
    int32_t dim[TENSOR_MAX_RANK], rank = 0, axis;
    uint32_t drop = 0;
    const struct tensor *x = n->in[0];
    enum status st;

    if (opt->num_squeeze_dims < 0 || opt->num_squeeze_dims > TENSOR_MAX_RANK)
        return err_set(err, ST_BAD_MODEL, "%d dimensions to squeeze, at most %d", opt->num_squeeze_dims, TENSOR_MAX_RANK);
    for (int32_t i = 0; i < opt->num_squeeze_dims; i++) {
        if ((st = shape_axis(opt->squeeze_dims[i], x->rank, &axis, err)))
            return st;
        if (x->dim[axis] != 1)
            return err_set(err, ST_BAD_MODEL, "dimension %d to squeeze is %d, not 1", axis, x->dim[axis]);
        drop |= 1u << axis;
    }
    for (int32_t i = 0; i < x->rank; i++)
        if (opt->num_squeeze_dims ? !(drop >> i & 1) : x->dim[i] != 1)
            dim[rank++] = x->dim[i];
    return shape_set(n, 0, dim, rank, err);
}

static enum status expand_dims_shape(struct node *n, struct err *err)
{
    int32_t dim[TENSOR_MAX_RANK + 1], axis;
    const struct tensor *x = n->in[0];
    enum status st;

    if (x->rank == TENSOR_MAX_RANK)
        return err_set(err, ST_UNSUPPORTED, "rank %d cannot grow, the most supported is %d", x->rank, TENSOR_MAX_RANK);
    if ((st = axis_read(n->in[1], x->rank + 1, &axis, err)))
        return st;
    memcpy(dim, x->dim, (size_t)axis * sizeof *dim);
    dim[axis] = 1;
    memcpy(dim + axis + 1, x->dim + axis, (size_t)(x->rank - axis) * sizeof *dim);
    return shape_set(n, 0, dim, x->rank + 1, err);
}

const struct cpu_kernel cpu_reshape = {
    .arity = {1, 2, 1}, .shape = reshape_shape, .prepare = move_prepare_strings, .run = copy_run};
const struct cpu_kernel cpu_squeeze = {
    .arity = {1, 1, 1}, .shape = squeeze_shape, .prepare = move_prepare_strings, .run = copy_run};
const struct cpu_kernel cpu_expand_dims = {
    .arity = {2, 2, 1}, .shape = expand_dims_shape, .prepare = move_prepare_strings, .run = copy_run};
