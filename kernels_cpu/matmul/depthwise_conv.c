/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_conv.c - DEPTHWISE_CONV_2D: shape, checks, and the types it takes. */
#include "kernels_cpu/matmul/depthwise_conv.h"
#include "lib/graph/macs.h"

static enum status dw_geometry(const struct node *n, struct conv_geometry *g, struct err *err)
{
    const struct opt_depthwise_conv_2d *o = n->opt;
    const struct tensor *filter = n->in[CONV_FILTER];

    return conv_geometry_init(g, n->in[CONV_INPUT], filter, filter->dim[3], o->padding, o->stride_height, o->stride_width,
                              o->dilation_height_factor, o->dilation_width_factor, err);
}

static enum status dw_shape(struct node *n, struct err *err)
{
    struct conv_geometry g;
    enum status st;

    if ((st = dw_geometry(n, &g, err)))
        return st;
    if (n->in[CONV_FILTER]->dim[0] != 1)
        return err_set(err, ST_BAD_MODEL, "the filter's first dimension is %d, not 1", (int)n->in[CONV_FILTER]->dim[0]);
    if (!g.ic || g.oc % g.ic)
        return err_set(err, ST_BAD_MODEL, "the filter's %d channels are no multiple of the input's %d", (int)g.oc, (int)g.ic);
    if ((st = conv_bias_check(n, g.oc, err)))
        return st;
    return shape_set(n, 0, (int32_t[]){g.n, g.oh, g.ow, g.oc}, 4, err);
}

static bool filter_ok(enum tensor_type input, enum tensor_type filter)
{
    switch (input) {
    case TYPE_FLOAT32: return filter == TYPE_FLOAT32 || filter == TYPE_INT8;
    case TYPE_UINT8: return filter == TYPE_UINT8;
    case TYPE_INT8: return filter == TYPE_INT8 || filter == TYPE_INT4;
    default: return filter == TYPE_INT8;
    }
}

static bool bias_ok(enum tensor_type input, enum tensor_type bias)
{
    return bias == (input == TYPE_FLOAT32 ? TYPE_FLOAT32 : input == TYPE_INT16 ? TYPE_INT64 : TYPE_INT32);
}

static enum status dw_prepare(struct cpu_call *c, struct err *err)
{
    static const struct conv_family family = {dw_geometry, filter_ok, bias_ok, &dw_plain, &dw_f32, &dw_quant, &dw_hybrid};

    return conv_impl_prepare(c, &family, err);
}

const struct cpu_kernel cpu_depthwise_conv = {
    .arity = {2, 3, 1},
    .shape = dw_shape,
    .prepare = dw_prepare,
    .macs = macs_depthwise_conv,
    .prepare_by_shape = true,
};
