/* fully_connected.c - FULLY_CONNECTED: shape, checks, and the choice of implementation by type. */
#include <string.h>

#include "fully_connected.h"

static enum status fc_shape(struct node *n, struct err *err)
{
    const struct opt_fully_connected *o = n->opt;
    const struct tensor *input = node_in(n, FC_INPUT), *filter = node_in(n, FC_FILTER), *bias = node_in(n, FC_BIAS);
    enum status st = shape_arity(n, 2, 3, 1, err);
    int32_t dim[TENSOR_MAX_RANK], units, depth;
    size_t elems;

    if (st)
        return st;
    if (filter->rank != 2 || filter->dim[1] < 1)
        return err_set(err, ST_BAD_MODEL, "the filter must be [units, depth], not %s", TENSOR_TEXT(filter));
    units = filter->dim[0];
    depth = filter->dim[1];
    if (bias && tensor_elems(bias) != (size_t)units)
        return err_set(err, ST_BAD_MODEL, "%zu bias values for %d units", tensor_elems(bias), (int)units);
    if (o->keep_num_dims) {
        if (input->rank < 1 || input->dim[input->rank - 1] != depth)
            return err_set(err, ST_BAD_MODEL, "the filter's depth is %d, the input %s", (int)depth, TENSOR_TEXT(input));
        memcpy(dim, input->dim, sizeof dim);
        dim[input->rank - 1] = units;
        return shape_set(n, 0, dim, input->rank, err);
    }
    elems = tensor_elems(input);
    if (elems % (size_t)depth || elems / (size_t)depth > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "%zu input elements are no rows of %d", elems, (int)depth);
    return shape_set(n, 0, (int32_t[]){(int32_t)(elems / (size_t)depth), units}, 2, err);
}

static bool filter_ok(enum tensor_type input, enum tensor_type filter)
{
    bool small = filter == TYPE_INT8 || filter == TYPE_INT4;

    switch (input) {
    case TYPE_FLOAT32:
        return filter == TYPE_FLOAT32 || small;
    case TYPE_UINT8:
        return filter == TYPE_UINT8;
    case TYPE_INT8:
        return small;
    default:
        return small || filter == TYPE_INT16;
    }
}

static bool output_ok(enum tensor_type input, enum tensor_type output)
{
    return output == input || (input == TYPE_UINT8 && output == TYPE_INT16);
}

static bool bias_ok(enum tensor_type input, enum tensor_type bias)
{
    if (input == TYPE_FLOAT32)
        return bias == TYPE_FLOAT32;
    return bias == TYPE_INT32 || (bias == TYPE_INT64 && input == TYPE_INT16);
}

static enum status fc_choose(const struct node *n, const struct fc_impl **impl, struct err *err)
{
    const struct tensor *input = n->in[FC_INPUT], *filter = n->in[FC_FILTER], *bias = node_in(n, FC_BIAS);

    if (input->type != TYPE_FLOAT32 && input->type != TYPE_UINT8 && input->type != TYPE_INT8 &&
        input->type != TYPE_INT16)
        return cpu_bad_type(n, input, err);
    if (!filter_ok(input->type, filter->type))
        return cpu_bad_type(n, filter, err);
    if (bias && !bias_ok(input->type, bias->type))
        return cpu_bad_type(n, bias, err);
    if (!output_ok(input->type, n->out[0]->type))
        return cpu_bad_type(n, n->out[0], err);
    if (input->type != TYPE_FLOAT32)
        *impl = &fc_quant;
    else if (filter->type == TYPE_FLOAT32)
        *impl = &fc_f32;
    else
        *impl = filter->type == TYPE_INT4 && filter->quant.block_size ? &fc_blockwise : &fc_hybrid;
    return ST_OK;
}

static enum status fc_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_fully_connected *o = c->node->opt;
    const struct tensor *filter = c->node->in[FC_FILTER];
    const struct fc_impl *impl = NULL;
    struct fc_shape s = {.units = (size_t)filter->dim[0], .depth = (size_t)filter->dim[1]};
    enum status st = fc_choose(c->node, &impl, err);

    if (st)
        return st;
    if (o->weights_format != FC_WEIGHTS_DEFAULT)
        return err_set(err, ST_UNSUPPORTED, "weights in format %d", (int)o->weights_format);
    s.batch = tensor_elems(c->node->in[FC_INPUT]) / s.depth;
    return impl->prepare(c, s, err);
}

static enum status fc_run(struct cpu_call *c, struct err *err)
{
    const struct fc_impl *const *impl = c->packed;

    return (*impl)->run(c, err);
}

const struct cpu_kernel cpu_fully_connected = {.shape = fc_shape, .prepare = fc_prepare, .run = fc_run};
