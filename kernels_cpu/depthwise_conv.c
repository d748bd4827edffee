/* depthwise_conv.c - DEPTHWISE_CONV_2D: shape, checks, and the choice of implementation by type. */
#include "depthwise_conv.h"

static enum status dw_geometry(const struct node *n, struct conv_geometry *g, struct err *err)
{
    const struct opt_depthwise_conv_2d *o = n->opt;
    const struct tensor *filter = n->in[DW_FILTER];

    return conv_geometry_init(g, n->in[DW_INPUT], filter, filter->dim[3], o->padding, o->stride_height,
                              o->stride_width, o->dilation_height_factor, o->dilation_width_factor, err);
}

static enum status dw_shape(struct node *n, struct err *err)
{
    const struct tensor *bias = node_in(n, DW_BIAS);
    struct conv_geometry g;
    enum status st;

    if ((st = shape_arity(n, 2, 3, 1, err)) || (st = dw_geometry(n, &g, err)))
        return st;
    if (n->in[DW_FILTER]->dim[0] != 1)
        return err_set(err, ST_BAD_MODEL, "the filter's first dimension is %d, not 1", (int)n->in[DW_FILTER]->dim[0]);
    if (!g.ic || g.oc % g.ic)
        return err_set(err, ST_BAD_MODEL, "the filter's %d channels are no multiple of the input's %d", (int)g.oc,
                       (int)g.ic);
    if (bias && tensor_elems(bias) != (size_t)g.oc)
        return err_set(err, ST_BAD_MODEL, "%zu bias values for %d output channels", tensor_elems(bias), (int)g.oc);
    return shape_set(n, 0, (int32_t[]){g.n, g.oh, g.ow, g.oc}, 4, err);
}

static bool filter_ok(enum tensor_type input, enum tensor_type filter)
{
    switch (input) {
    case TYPE_FLOAT32:
        return filter == TYPE_FLOAT32 || filter == TYPE_INT8;
    case TYPE_UINT8:
        return filter == TYPE_UINT8;
    case TYPE_INT8:
        return filter == TYPE_INT8 || filter == TYPE_INT4;
    default:
        return filter == TYPE_INT8;
    }
}

static bool bias_ok(enum tensor_type input, enum tensor_type bias)
{
    return bias == (input == TYPE_FLOAT32 ? TYPE_FLOAT32 : input == TYPE_INT16 ? TYPE_INT64 : TYPE_INT32);
}

static enum status dw_choose(const struct node *n, const struct dw_impl **impl, struct err *err)
{
    const struct tensor *input = n->in[DW_INPUT], *filter = n->in[DW_FILTER], *bias = node_in(n, DW_BIAS);

    if (input->type != TYPE_FLOAT32 && input->type != TYPE_UINT8 && input->type != TYPE_INT8 &&
        input->type != TYPE_INT16)
        return cpu_bad_type(n, input, err);
    if (n->out[0]->type != input->type)
        return cpu_bad_type(n, n->out[0], err);
    if (!filter_ok(input->type, filter->type))
        return cpu_bad_type(n, filter, err);
    if (bias && !bias_ok(input->type, bias->type))
        return cpu_bad_type(n, bias, err);
    *impl = input->type != TYPE_FLOAT32 ? &dw_quant : filter->type == TYPE_FLOAT32 ? &dw_f32 : &dw_hybrid;
    return ST_OK;
}

static enum status dw_prepare(struct cpu_call *c, struct err *err)
{
    const struct dw_impl *impl = NULL;
    struct conv_geometry g;
    enum status st;

    if ((st = dw_choose(c->node, &impl, err)) || (st = dw_geometry(c->node, &g, err)))
        return st;
    return impl->prepare(c, &g, err);
}

static enum status dw_run(struct cpu_call *c, struct err *err)
{
    const struct dw_impl *const *impl = c->packed;

    return (*impl)->run(c, err);
}

const struct cpu_kernel cpu_depthwise_conv = {.shape = dw_shape, .prepare = dw_prepare, .run = dw_run};
