/* SPDX-License-Identifier: Apache-2.0 */
/* conv.c - CONV_2D: shape, checks, and the types it takes. */
#include "kernels_cpu/matmul/conv.h"
#include "lib/graph/macs.h"

static enum status conv_geometry(const struct node *n, struct conv_geometry *g, struct err *err)
{
    const struct opt_conv_2d *o = n->opt;
    const struct tensor *filter = n->in[CONV_FILTER];

    return conv_geometry_init(g, n->in[CONV_INPUT], filter, filter->dim[0], o->padding, o->stride_height, o->stride_width,
                              o->dilation_height_factor, o->dilation_width_factor, err);
}

static enum status conv_shape(struct node *n, struct err *err)
{
    struct conv_geometry g;
    enum status st;
    int32_t filter_c;

    if ((st = conv_geometry(n, &g, err)))
        return st;
    filter_c = n->in[CONV_FILTER]->dim[3];
    if (filter_c < 1 || g.ic % filter_c)
        return err_set(err, ST_BAD_MODEL, "the input's %d channels are no multiple of the filter's %d", (int)g.ic, (int)filter_c);
    if (!g.ic)
        return err_set(err, ST_BAD_MODEL, "the input has no channels");
    if (g.oc % (g.ic / filter_c))
        return err_set(err, ST_BAD_MODEL, "%d output channels cannot be split into %d groups", (int)g.oc, (int)(g.ic / filter_c));
    if ((st = conv_bias_check(n, g.oc, err)))
        return st;
    return shape_set(n, 0, (int32_t[]){g.n, g.oh, g.ow, g.oc}, 4, err);
}

static bool bias_ok(enum tensor_type input, enum tensor_type bias)
{
    switch (input) {
    case TYPE_FLOAT32: return bias == TYPE_FLOAT32;
    case TYPE_INT16: return bias == TYPE_INT32 || bias == TYPE_INT64;
    default: return bias == TYPE_INT32;
    }
}

static bool filter_ok(enum tensor_type input, enum tensor_type filter)
{
    bool small = filter == TYPE_INT8 || filter == TYPE_INT4;

    switch (input) {
    case TYPE_FLOAT32: return filter == TYPE_FLOAT32 || filter == TYPE_UINT8 || small;
    case TYPE_UINT8: return filter == TYPE_UINT8;
    default: return small;
    }
}

static enum status conv_prepare(struct cpu_call *c, struct err *err)
{
    static const struct conv_family family = {conv_geometry, filter_ok, bias_ok, &conv_plain, &conv_f32, &conv_quant, &conv_hybrid};

    return conv_impl_prepare(c, &family, err);
}

const struct cpu_kernel cpu_conv = {
    .arity = {2, 3, 1}, .shape = conv_shape, .prepare = conv_prepare, .macs = macs_conv, .prepare_by_shape = true};
