/* SPDX-License-Identifier: Apache-2.0 */
/* conv_3d.c - CONV_3D and CONV_3D_TRANSPOSE, float32. Plain loops: filters of these ops have their output channels along the
 * last dimension, or the last but one, so that either the vector or the sum is contiguous as it is. */
#include <string.h>

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/quant/fused_activation.h"
#include "lib/graph/macs.h"

/* Input [n, in..., ic], window k, output [n, out..., oc]; the three dimensions are depth, height, width. */
struct geometry_3d {
    int32_t n, ic, oc, in[3], k[3], out[3], stride[3], dilation[3], pad[3];
};

struct plan_3d {
    struct geometry_3d g;
    struct range_f32 range;
};

static enum status geometry_init(struct geometry_3d *g, const struct tensor *input, const struct tensor *filter,
                                 const struct opt_conv_3d *o, struct err *err)
{
    if (input->rank != 5 || filter->rank != 5)
        return err_set(err, ST_BAD_MODEL, "input and filter must have rank 5, not %d and %d", (int)input->rank, (int)filter->rank);
    *g = (struct geometry_3d){
        .n = input->dim[0],
        .ic = input->dim[4],
        .stride = {o->stride_depth, o->stride_height, o->stride_width},
        .dilation = {o->dilation_depth_factor, o->dilation_height_factor, o->dilation_width_factor},
    };
    memcpy(g->in, input->dim + 1, sizeof g->in);
    memcpy(g->k, filter->dim, sizeof g->k);
    return ST_OK;
}

static enum status bias_check(const struct tensor *bias, int32_t oc, struct err *err)
{
    if (bias && tensor_elems(bias) != (size_t)oc)
        return err_set(err, ST_BAD_MODEL, "%zu bias values for %d output channels", tensor_elems(bias), (int)oc);
    return ST_OK;
}

static enum status plan_keep(struct cpu_call *c, const struct geometry_3d *g, struct err *err)
{
    const struct opt_conv_3d *o = c->node->opt;
    struct plan_3d p = {.g = *g};
    enum status st;

    if ((st = activation_range(o->activation, &p.range, err)) || (st = cpu_pack(c, sizeof p, err)))
        return st;
    *(struct plan_3d *)c->packed = p;
    return ST_OK;
}

static enum status floats_check(const struct node *n, struct err *err)
{
    for (uint32_t i = 0; i < n->n_in; i++)
        if (n->in[i] && n->in[i]->type != TYPE_FLOAT32 && !(i == 0 && n->builtin == BUILTIN_CONV_3D_TRANSPOSE))
            return cpu_bad_type(n, n->in[i], err);
    return n->out[0]->type == TYPE_FLOAT32 ? ST_OK : cpu_bad_type(n, n->out[0], err);
}

/* Row `row` of the output: its image, and its place along depth and height. */
static size_t row_place(const struct geometry_3d *g, size_t row, int32_t place[2])
{
    place[1] = (int32_t)(row % (size_t)g->out[1]);
    place[0] = (int32_t)(row / (size_t)g->out[1] % (size_t)g->out[0]);
    return row / (size_t)g->out[1] / (size_t)g->out[0];
}

static size_t volume(const int32_t dim[3])
{
    return (size_t)dim[0] * (size_t)dim[1] * (size_t)dim[2];
}

static size_t voxel(const int32_t dim[3], size_t z, size_t y, size_t x)
{
    return (z * (size_t)dim[1] + y) * (size_t)dim[2] + x;
}

static void finish(float *y, const struct tensor *bias, size_t oc, struct range_f32 range)
{
    for (size_t c = 0; c < oc; c++)
        y[c] = activation_clamp(y[c] + (bias ? ((const float *)bias->data)[c] : 0), range);
}

/* CONV_3D: filter [kd, kh, kw, ic, oc]. */

enum { CONV_INPUT, CONV_FILTER, CONV_BIAS };

static enum status conv_geometry(const struct node *n, struct geometry_3d *g, struct err *err)
{
    const struct opt_conv_3d *o = n->opt;
    enum status st = geometry_init(g, n->in[CONV_INPUT], n->in[CONV_FILTER], o, err);

    if (st)
        return st;
    g->oc = n->in[CONV_FILTER]->dim[4];
    for (int i = 0; i < 3; i++)
        if ((st = shape_window(g->in[i], g->k[i], g->stride[i], g->dilation[i], o->padding, &g->out[i], &g->pad[i], err)))
            return st;
    return ST_OK;
}

static enum status conv_shape(struct node *n, struct err *err)
{
    struct geometry_3d g;
    enum status st;

    if ((st = conv_geometry(n, &g, err)) || (st = bias_check(node_in(n, CONV_BIAS), g.oc, err)))
        return st;
    if (n->in[CONV_FILTER]->dim[3] != g.ic)
        return err_set(err, ST_BAD_MODEL, "the filter has %d input channels, the input %d", (int)n->in[CONV_FILTER]->dim[3],
                       (int)g.ic);
    return shape_set(n, 0, (int32_t[]){g.n, g.out[0], g.out[1], g.out[2], g.oc}, 5, err);
}

static enum status conv_prepare(struct cpu_call *c, struct err *err)
{
    struct geometry_3d g;
    enum status st;

    if ((st = floats_check(c->node, err)) || (st = conv_geometry(c->node, &g, err)))
        return st;
    return plan_keep(c, &g, err);
}

static void conv_voxel(const struct geometry_3d *g, const float *image, const float *w, const struct conv_span s[3], float *y)
{
    size_t ic = (size_t)g->ic, oc = (size_t)g->oc;

    memset(y, 0, oc * sizeof *y);
    for (int32_t kz = s[0].k0; kz < s[0].k1; kz++) {
        for (int32_t ky = s[1].k0; ky < s[1].k1; ky++) {
            for (int32_t kx = s[2].k0; kx < s[2].k1; kx++) {
                const float *x = image + voxel(g->in, (size_t)(s[0].origin + (int64_t)kz * g->dilation[0]),
                                               (size_t)(s[1].origin + (int64_t)ky * g->dilation[1]),
                                               (size_t)(s[2].origin + (int64_t)kx * g->dilation[2])) *
                                             ic;
                const float *f = w + voxel(g->k, (size_t)kz, (size_t)ky, (size_t)kx) * ic * oc;

                for (size_t i = 0; i < ic; i++, f += oc)
                    for (size_t c = 0; c < oc; c++)
                        y[c] += x[i] * f[c];
            }
        }
    }
}

static void conv_rows(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct plan_3d *p = c->packed;
    const struct geometry_3d *g = &p->g;
    const struct node *n = c->node;

    for (size_t row = begin; row < end; row++) {
        int32_t place[2];
        size_t image = row_place(g, row, place);
        struct conv_span s[3];

        for (int i = 0; i < 2; i++)
            s[i] = conv_span(place[i], g->stride[i], g->pad[i], g->dilation[i], g->k[i], g->in[i]);
        for (int32_t ox = 0; ox < g->out[2]; ox++) {
            float *y = (float *)n->out[0]->data + (row * (size_t)g->out[2] + (size_t)ox) * (size_t)g->oc;

            s[2] = conv_span(ox, g->stride[2], g->pad[2], g->dilation[2], g->k[2], g->in[2]);
            conv_voxel(g, (const float *)n->in[CONV_INPUT]->data + image * volume(g->in) * (size_t)g->ic, n->in[CONV_FILTER]->data,
                       s, y);
            finish(y, node_in(n, CONV_BIAS), (size_t)g->oc, p->range);
        }
    }
}

static void conv_run(struct cpu_call *c)
{
    const struct plan_3d *p = c->packed;

    threads_for(c->threads, (size_t)p->g.n * (size_t)p->g.out[0] * (size_t)p->g.out[1], 1, conv_rows, c);
}

const struct cpu_kernel cpu_conv_3d = {
    .arity = {2, 3, 1}, .shape = conv_shape, .prepare = conv_prepare, .compute = conv_run, .macs = macs_conv_3d};

/* CONV_3D_TRANSPOSE: output shape, filter [kd, kh, kw, oc, ic], input, bias. */

enum { TRANSPOSE_SHAPE, TRANSPOSE_FILTER, TRANSPOSE_INPUT, TRANSPOSE_BIAS };

static enum status transpose_geometry(const struct node *n, const int32_t *out, struct geometry_3d *g, struct err *err)
{
    const struct opt_conv_3d *o = n->opt;
    enum status st = geometry_init(g, n->in[TRANSPOSE_INPUT], n->in[TRANSPOSE_FILTER], o, err);

    if (st)
        return st;
    g->oc = n->in[TRANSPOSE_FILTER]->dim[3];
    memcpy(g->out, out + 1, sizeof g->out);
    for (int i = 0; i < 3; i++) {
        int32_t in;

        /* The padding of the forward convolution, from our output to our input. */
        if ((st = shape_window(g->out[i], g->k[i], g->stride[i], g->dilation[i], o->padding, &in, &g->pad[i], err)))
            return st;
        if (in != g->in[i])
            return err_set(err, ST_BAD_MODEL, "an output of %d along dimension %d belongs to an input of %d, not %d",
                           (int)g->out[i], i + 1, (int)in, (int)g->in[i]);
    }
    return ST_OK;
}

static enum status transpose_shape(struct node *n, struct err *err)
{
    int32_t dim[5];
    uint32_t count;
    struct geometry_3d g;
    enum status st;

    if ((st = shape_ints(n->in[TRANSPOSE_SHAPE], dim, 5, &count, err)))
        return st;
    if (count != 5)
        return err_set(err, ST_BAD_MODEL, "the output shape has %u dimensions, not 5", (unsigned)count);
    if ((st = transpose_geometry(n, dim, &g, err)) || (st = bias_check(node_in(n, TRANSPOSE_BIAS), g.oc, err)))
        return st;
    if (n->in[TRANSPOSE_FILTER]->dim[4] != g.ic)
        return err_set(err, ST_BAD_MODEL, "the filter has %d input channels, the input %d", (int)n->in[TRANSPOSE_FILTER]->dim[4],
                       (int)g.ic);
    if (dim[0] != g.n || dim[4] != g.oc)
        return err_set(err, ST_BAD_MODEL, "output shape %s does not fit %d images and %d channels",
                       shape_text(dim, 5, (char[64]){0}, 64), (int)g.n, (int)g.oc);
    return shape_set(n, 0, dim, 5, err);
}

static enum status transpose_prepare(struct cpu_call *c, struct err *err)
{
    struct geometry_3d g;
    enum status st;

    if ((st = floats_check(c->node, err)) || (st = transpose_geometry(c->node, c->node->out[0]->dim, &g, err)))
        return st;
    return plan_keep(c, &g, err);
}

/* The window position through which output o sees input i along dimension d, or -1. */
static int64_t window_at(const struct geometry_3d *g, int d, int32_t o, int32_t i)
{
    int64_t at = (int64_t)o + g->pad[d] - (int64_t)i * g->stride[d];

    return at >= 0 && at % g->dilation[d] == 0 && at / g->dilation[d] < g->k[d] ? at / g->dilation[d] : -1;
}

/* The inputs [i0, i1) that may reach output o along dimension d. */
static void inputs_of(const struct geometry_3d *g, int d, int32_t o, int32_t *i0, int32_t *i1)
{
    int64_t at = (int64_t)o + g->pad[d], reach = (int64_t)(g->k[d] - 1) * g->dilation[d];
    int64_t first = at > reach ? (at - reach + g->stride[d] - 1) / g->stride[d] : 0, last = at / g->stride[d] + 1;

    *i1 = (int32_t)(last < g->in[d] ? last : g->in[d]);
    *i0 = (int32_t)(first < *i1 ? first : *i1);
}

/* Adds one input voxel to an output voxel. */
static void transpose_add(const struct geometry_3d *g, const float *x, const float *w, float *y)
{
    size_t ic = (size_t)g->ic, oc = (size_t)g->oc;

    for (size_t c = 0; c < oc; c++, w += ic) {
        float sum = y[c];

        for (size_t i = 0; i < ic; i++)
            sum += x[i] * w[i];
        y[c] = sum;
    }
}

static void transpose_voxel(const struct geometry_3d *g, const float *image, const float *w, const int32_t o[3], float *y)
{
    int32_t i0[3], i1[3];

    for (int d = 0; d < 3; d++)
        inputs_of(g, d, o[d], &i0[d], &i1[d]);
    memset(y, 0, (size_t)g->oc * sizeof *y);
    for (int32_t iz = i0[0]; iz < i1[0]; iz++) {
        int64_t kz = window_at(g, 0, o[0], iz);

        for (int32_t iy = i0[1]; kz >= 0 && iy < i1[1]; iy++) {
            int64_t ky = window_at(g, 1, o[1], iy);

            for (int32_t ix = i0[2]; ky >= 0 && ix < i1[2]; ix++) {
                int64_t kx = window_at(g, 2, o[2], ix);

                if (kx >= 0)
                    transpose_add(g, image + voxel(g->in, (size_t)iz, (size_t)iy, (size_t)ix) * (size_t)g->ic,
                                  w + voxel(g->k, (size_t)kz, (size_t)ky, (size_t)kx) * (size_t)g->oc * (size_t)g->ic, y);
            }
        }
    }
}

static void transpose_rows(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct plan_3d *p = c->packed;
    const struct geometry_3d *g = &p->g;
    const struct node *n = c->node;

    for (size_t row = begin; row < end; row++) {
        int32_t o[3];
        size_t image = row_place(g, row, o);

        for (o[2] = 0; o[2] < g->out[2]; o[2]++) {
            float *y = (float *)n->out[0]->data + (row * (size_t)g->out[2] + (size_t)o[2]) * (size_t)g->oc;

            transpose_voxel(g, (const float *)n->in[TRANSPOSE_INPUT]->data + image * volume(g->in) * (size_t)g->ic,
                            n->in[TRANSPOSE_FILTER]->data, o, y);
            finish(y, node_in(n, TRANSPOSE_BIAS), (size_t)g->oc, p->range);
        }
    }
}

static void transpose_run(struct cpu_call *c)
{
    const struct plan_3d *p = c->packed;

    threads_for(c->threads, (size_t)p->g.n * (size_t)p->g.out[0] * (size_t)p->g.out[1], 1, transpose_rows, c);
}

const struct cpu_kernel cpu_conv_3d_transpose = {
    .arity = {3, 4, 1},
    .shape = transpose_shape,
    .prepare = transpose_prepare,
    .compute = transpose_run,
    .macs = macs_conv_3d_transpose,
};
