/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv.c - TRANSPOSE_CONV and MediaPipe's Convolution2DTransposeBias: shape, checks, and the choice of
 * implementation by type. */
#include <string.h>

#include "kernels_cpu/matmul/transpose_conv.h"
#include "lib/graph/macs.h"

/* Return the padding before the input of the forward convolution, whose input is our output. */
static int32_t forward_padding(int32_t out, int32_t kernel, int32_t stride, enum padding padding)
{
    int64_t small = padding == PAD_SAME ? ((int64_t)out + stride - 1) / stride : ((int64_t)out + stride - kernel) / stride;
    int64_t total = (small - 1) * stride + kernel - out;

    return total > 0 ? (int32_t)(total / 2) : 0;
}

static enum status tconv_check(const struct tconv *t, int stride_h, int stride_w, enum padding padding, struct err *err)
{
    if (t->input->rank != 4 || t->filter->rank != 4)
        return err_set(err, ST_BAD_MODEL, "input and filter must have rank 4, not %d and %d", (int)t->input->rank,
                       (int)t->filter->rank);
    if (stride_h < 1 || stride_w < 1)
        return err_set(err, ST_BAD_MODEL, "strides %d and %d are not positive", stride_h, stride_w);
    if (padding != PAD_SAME && padding != PAD_VALID)
        return err_set(err, ST_BAD_MODEL, "padding %d is unknown", (int)padding);
    if (t->input->dim[3] != t->filter->dim[3])
        return err_set(err, ST_BAD_MODEL, "the filter has %d input channels, the input %d", (int)t->filter->dim[3],
                       (int)t->input->dim[3]);
    if (t->bias && tensor_elems(t->bias) != (size_t)t->filter->dim[0])
        return err_set(err, ST_BAD_MODEL, "%zu bias values for %d output channels", tensor_elems(t->bias), (int)t->filter->dim[0]);
    return ST_OK;
}

static void tconv_geometry(struct tconv *t, int stride_h, int stride_w)
{
    const int32_t *in = t->input->dim, *filter = t->filter->dim;

    t->g = (struct conv_geometry){.n = in[0],
                                  .ih = in[1],
                                  .iw = in[2],
                                  .ic = in[3],
                                  .oc = filter[0],
                                  .kh = filter[1],
                                  .kw = filter[2],
                                  .sh = stride_h,
                                  .sw = stride_w,
                                  .dh = 1,
                                  .dw = 1};
}

/* TRANSPOSE_CONV: output shape, filter, input, bias. */

static enum status builtin_read(const struct node *n, struct tconv *t, struct err *err)
{
    const struct opt_transpose_conv *o = n->opt;
    enum status st = shape_arity(n, 3, 4, 1, err);

    if (st)
        return st;
    *t = (struct tconv){.filter = n->in[1], .input = n->in[2], .bias = node_in(n, 3), .activation = o->activation};
    if ((st = tconv_check(t, o->stride_height, o->stride_width, o->padding, err)))
        return st;
    tconv_geometry(t, o->stride_height, o->stride_width);
    return ST_OK;
}

static enum status builtin_shape(struct node *n, struct err *err)
{
    int32_t dim[4];
    uint32_t count;
    struct tconv t;
    enum status st;

    if ((st = builtin_read(n, &t, err)))
        return st;
    if (n->in[0]->type != TYPE_INT32)
        return err_set(err, ST_BAD_MODEL, "the output shape is of type %s, not INT32", type_name(n->in[0]->type));
    if ((st = shape_ints(n->in[0], dim, 4, &count, err)))
        return st;
    if (count != 4 || dim[0] != t.g.n || dim[3] != t.g.oc)
        return err_set(err, ST_BAD_MODEL, "output shape %s does not fit %d images and %d channels",
                       shape_text(dim, (int32_t)count, (char[64]){0}, 64), (int)t.g.n, (int)t.g.oc);
    return shape_set(n, 0, dim, 4, err);
}

/* Convolution2DTransposeBias: input, filter, bias; its option bytes begin as TFLite's C struct of TRANSPOSE_CONV. */

static enum status custom_options(const struct node *n, int32_t o[3], struct err *err)
{
    if (n->n_custom < 3 * sizeof *o)
        return err_set(err, ST_BAD_MODEL, "%zu option bytes, not padding and two strides", n->n_custom);
    memcpy(o, n->custom, 3 * sizeof *o);
    return ST_OK;
}

/* Return how many rows or columns SAME cuts from the full transposed size. */
static int32_t custom_cut(int32_t in, int32_t kernel, int32_t stride, enum padding padding)
{
    int32_t cut = kernel - (in - 1) % stride - 1;

    return padding == PAD_SAME && cut > 0 ? cut : 0;
}

static enum status custom_read(const struct node *n, struct tconv *t, struct err *err)
{
    enum { PADDING, STRIDE_W, STRIDE_H };
    struct conv_geometry *g = &t->g;
    int64_t oh, ow;
    int32_t o[3], cut_h, cut_w;
    enum status st;

    if ((st = shape_arity(n, 3, 3, 1, err)) || (st = custom_options(n, o, err)))
        return st;
    *t = (struct tconv){.input = n->in[0], .filter = n->in[1], .bias = n->in[2], .bias_first = true};
    if ((st = tconv_check(t, o[STRIDE_H], o[STRIDE_W], (enum padding)o[PADDING], err)))
        return st;
    tconv_geometry(t, o[STRIDE_H], o[STRIDE_W]);
    if (g->ih < 1 || g->iw < 1)
        return err_set(err, ST_BAD_MODEL, "an image of %d by %d is empty", (int)g->ih, (int)g->iw);
    cut_h = custom_cut(g->ih, g->kh, g->sh, (enum padding)o[PADDING]);
    cut_w = custom_cut(g->iw, g->kw, g->sw, (enum padding)o[PADDING]);
    oh = (int64_t)g->sh * (g->ih - 1) + g->kh - cut_h;
    ow = (int64_t)g->sw * (g->iw - 1) + g->kw - cut_w;
    if (oh < 0 || oh > INT32_MAX || ow < 0 || ow > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "an output of %lld by %lld is out of range", (long long)oh, (long long)ow);
    g->oh = (int32_t)oh;
    g->ow = (int32_t)ow;
    g->pt = cut_h / 2;
    g->pl = cut_w / 2;
    return ST_OK;
}

static enum status custom_shape(struct node *n, struct err *err)
{
    struct tconv t;
    enum status st = custom_read(n, &t, err);

    return st ? st : shape_set(n, 0, (int32_t[]){t.g.n, t.g.oh, t.g.ow, t.g.oc}, 4, err);
}

/* Return true if an input of type `input` allows these types of filter and bias. */
static bool types_ok(enum tensor_type input, enum tensor_type filter, enum tensor_type bias)
{
    switch (input) {
    case TYPE_FLOAT32: return (filter == TYPE_FLOAT32 || filter == TYPE_INT8) && bias == TYPE_FLOAT32;
    case TYPE_UINT8: return filter == TYPE_UINT8 && bias == TYPE_INT32;
    case TYPE_INT8: return filter == TYPE_INT8 && bias == TYPE_INT32;
    case TYPE_INT16: return filter == TYPE_INT8 && (bias == TYPE_INT32 || bias == TYPE_INT64);
    default: return false;
    }
}

static enum status tconv_prepare(struct cpu_call *c, const struct tconv *t, struct err *err)
{
    const struct node *n = c->node;
    enum tensor_type input = t->input->type, any_bias = input == TYPE_FLOAT32 ? TYPE_FLOAT32 : TYPE_INT32;
    const struct tconv_impl *impl;

    if (n->out[0]->type != input)
        return cpu_bad_type(n, n->out[0], err);
    if (!types_ok(input, t->filter->type, any_bias) || (t->bias_first && t->filter->type != input))
        return cpu_bad_type(n, t->filter, err);
    if (t->bias && !types_ok(input, t->filter->type, t->bias->type))
        return cpu_bad_type(n, t->bias, err);
    if (c->mode == CPU_REFERENCE)
        impl = &tconv_plain;
    else
        impl = input != TYPE_FLOAT32 ? &tconv_quant : t->filter->type == TYPE_FLOAT32 ? &tconv_f32 : &tconv_hybrid;
    c->compute = impl->compute;
    return impl->prepare(c, t, err);
}

static enum status builtin_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_transpose_conv *o = c->node->opt;
    struct tconv t;
    enum status st = builtin_read(c->node, &t, err);

    if (st)
        return st;
    t.g.oh = c->node->out[0]->dim[1];
    t.g.ow = c->node->out[0]->dim[2];
    t.g.pt = forward_padding(t.g.oh, t.g.kh, t.g.sh, o->padding);
    t.g.pl = forward_padding(t.g.ow, t.g.kw, t.g.sw, o->padding);
    return tconv_prepare(c, &t, err);
}

static enum status custom_prepare(struct cpu_call *c, struct err *err)
{
    struct tconv t;
    enum status st = custom_read(c->node, &t, err);

    return st ? st : tconv_prepare(c, &t, err);
}

const struct cpu_kernel cpu_transpose_conv = {
    .shape = builtin_shape,
    .prepare = builtin_prepare,
    .macs = macs_transpose_conv,
    .prepare_by_shape = true,
};
const struct cpu_kernel cpu_convolution_2d_transpose_bias = {
    .shape = custom_shape,
    .prepare = custom_prepare,
    .macs = macs_transpose_conv_bias,
    .prepare_by_shape = true,
};
