/* SPDX-License-Identifier: Apache-2.0 */
/* pool_argmax.c - MediaPipe's custom ops MaxPoolingWithArgmax2D, which also says where in its window each maximum lay, and
 * MaxUnpooling2D, which puts values back there. Their option bytes begin as TFLite's C struct of the 2-D pooling ops.
 *
 * An index is ky * window width + kx, as a float and a little more so that it survives truncation. TFLite's own version of
 * MaxUnpooling2D has INT32 indices into an image of the output instead. */
#include <float.h>
#include <string.h>

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/quant/fused_activation.h"

static enum status options_read(const struct node *n, struct opt_pool_2d *o, struct err *err)
{
    size_t bytes = offsetof(struct opt_pool_2d, computed);

    if (n->n_custom < bytes)
        return err_set(err, ST_BAD_MODEL, "%zu option bytes, not those of a pooling op", n->n_custom);
    *o = (struct opt_pool_2d){0};
    memcpy(o, n->custom, bytes);
    if (o->padding != PAD_SAME && o->padding != PAD_VALID)
        return err_set(err, ST_BAD_MODEL, "padding %d is unknown", (int)o->padding);
    if (o->filter_width < 1 || o->filter_height < 1 || o->stride_width < 1 || o->stride_height < 1)
        return err_set(err, ST_BAD_MODEL, "a window of %d by %d with strides %d and %d is not positive", o->filter_width,
                       o->filter_height, o->stride_width, o->stride_height);
    return ST_OK;
}

/* MaxPoolingWithArgmax2D */

static enum status pool_geometry(const struct node *n, struct conv_geometry *g, struct range_f32 *range, struct err *err)
{
    const struct tensor *in = n->in[0];
    struct opt_pool_2d o;
    enum status st = options_read(n, &o, err);
    struct tensor window = {.rank = 4, .dim = {1, 0, 0, 1}};

    if (st)
        return st;
    window.dim[1] = o.filter_height;
    window.dim[2] = o.filter_width;
    if ((st = activation_range(o.activation, range, err)))
        return st;
    return conv_geometry_init(g, in, &window, in->rank == 4 ? in->dim[3] : 0, o.padding, o.stride_height, o.stride_width, 1, 1,
                              err);
}

static enum status argmax_shape(struct node *n, struct err *err)
{
    struct conv_geometry g;
    struct range_f32 range;
    enum status st;

    if ((st = pool_geometry(n, &g, &range, err)))
        return st;
    if ((st = shape_set(n, 0, (int32_t[]){g.n, g.oh, g.ow, g.oc}, 4, err)))
        return st;
    return shape_like(n, 1, n->out[0], err);
}

struct argmax_job {
    const struct node *n;
    struct conv_geometry g;
    struct range_f32 range;
};

static void argmax_pixel(const struct argmax_job *j, const float *image, struct conv_span sy, struct conv_span sx, float *y,
                         float *index)
{
    const struct conv_geometry *g = &j->g;

    for (int32_t c = 0; c < g->ic; c++) {
        float max = -FLT_MAX;
        int64_t at = 0;

        for (int32_t ky = sy.k0; ky < sy.k1; ky++) {
            for (int32_t kx = sx.k0; kx < sx.k1; kx++) {
                float x = image[((sy.origin + ky) * g->iw + sx.origin + kx) * g->ic + c];

                if (x > max) {
                    max = x;
                    at = (int64_t)ky * g->kw + kx;
                }
            }
        }
        y[c] = activation_clamp(max, j->range);
        index[c] = (float)at + 0.1f;
    }
}

static void argmax_rows(void *arg, size_t begin, size_t end)
{
    const struct argmax_job *j = arg;
    const struct conv_geometry *g = &j->g;
    size_t c = (size_t)g->ic;

    for (size_t row = begin; row < end; row++) {
        const float *image = (const float *)j->n->in[0]->data + row / (size_t)g->oh * (size_t)g->ih * (size_t)g->iw * c;
        struct conv_span sy = conv_span((int32_t)(row % (size_t)g->oh), g->sh, g->pt, 1, g->kh, g->ih);

        for (int32_t ox = 0; ox < g->ow; ox++) {
            size_t at = (row * (size_t)g->ow + (size_t)ox) * c;

            argmax_pixel(j, image, sy, conv_span(ox, g->sw, g->pl, 1, g->kw, g->iw), (float *)j->n->out[0]->data + at,
                         (float *)j->n->out[1]->data + at);
        }
    }
}

static enum status argmax_run(struct cpu_call *c, struct err *err)
{
    struct argmax_job job = {.n = c->node};
    enum status st = pool_geometry(c->node, &job.g, &job.range, err);

    if (!st)
        threads_for(c->threads, (size_t)job.g.n * (size_t)job.g.oh, 1, argmax_rows, &job);
    return st;
}

const struct cpu_kernel cpu_max_pool_argmax = {
    .arity = {1, 1, 2}, .shape = argmax_shape, .in = {CPU_F32}, .out = {CPU_F32, CPU_F32}, .run = argmax_run};

/* MaxUnpooling2D */

/* Output length along one dimension: MediaPipe multiplies by the window, TFLite by the stride. */
static int64_t unpooled(int32_t in, int window, int stride, const struct opt_pool_2d *o, bool whole_image)
{
    if (!whole_image)
        return (int64_t)in * window;
    return o->padding == PAD_SAME ? (int64_t)in * stride : ((int64_t)in - 1) * stride + window;
}

static enum status unpool_shape(struct node *n, struct err *err)
{
    struct opt_pool_2d o;
    const struct tensor *in = n->in[0];
    int64_t h, w;
    enum status st;

    if ((st = options_read(n, &o, err)))
        return st;
    if (in->rank != 4 || !tensor_same_shape(in, n->in[1]))
        return err_set(err, ST_BAD_MODEL, "values %s and indices %s must have one shape of rank 4", TENSOR_TEXT(in),
                       TENSOR_TEXT(n->in[1]));
    h = unpooled(in->dim[1], o.filter_height, o.stride_height, &o, n->in[1]->type == TYPE_INT32);
    w = unpooled(in->dim[2], o.filter_width, o.stride_width, &o, n->in[1]->type == TYPE_INT32);
    if (h < 0 || h > INT32_MAX || w < 0 || w > INT32_MAX)
        return err_set(err, ST_BAD_MODEL, "an output of %lld by %lld is out of range", (long long)h, (long long)w);
    return shape_set(n, 0, (int32_t[]){in->dim[0], (int32_t)h, (int32_t)w, in->dim[3]}, 4, err);
}

/* Values may meet at one place: the last one stays, so one thread does it all. */
static enum status unpool_windows(const struct node *n, const struct opt_pool_2d *o)
{
    const struct tensor *in = n->in[0], *out = n->out[0];
    const float *x = in->data, *index = n->in[1]->data;
    int64_t total_h = ((int64_t)in->dim[1] - 1) * o->stride_height + o->filter_height - out->dim[1];
    int64_t total_w = ((int64_t)in->dim[2] - 1) * o->stride_width + o->filter_width - out->dim[2];
    int64_t pt = total_h > 0 ? total_h / 2 : 0, pl = total_w > 0 ? total_w / 2 : 0;
    size_t elems = tensor_elems(in), c = (size_t)in->dim[3];

    for (size_t i = 0; i < elems; i++) {
        size_t pixel = i / c, ix = pixel % (size_t)in->dim[2], iy = pixel / (size_t)in->dim[2] % (size_t)in->dim[1];
        size_t image = pixel / (size_t)in->dim[2] / (size_t)in->dim[1];
        int64_t at = index[i] >= 0 && index[i] < 0x1p31f ? (int64_t)index[i] : -1;
        int64_t oy = (int64_t)iy * o->stride_height - pt + at / o->filter_width;
        int64_t ox = (int64_t)ix * o->stride_width - pl + at % o->filter_width;

        /* An index beyond the output names no place: MediaPipe leaves its value out. */
        if (at >= 0 && oy >= 0 && oy < out->dim[1] && ox >= 0 && ox < out->dim[2])
            ((float *)out->data)[((image * (size_t)out->dim[1] + (size_t)oy) * (size_t)out->dim[2] + (size_t)ox) * c + i % c] =
                x[i];
    }
    return ST_OK;
}

static enum status unpool_images(const struct node *n, struct err *err)
{
    const struct tensor *in = n->in[0], *out = n->out[0];
    const int32_t *index = n->in[1]->data;
    size_t elems = tensor_elems(in), image = (size_t)out->dim[1] * (size_t)out->dim[2] * (size_t)out->dim[3];
    size_t per_image = elems / (in->dim[0] ? (size_t)in->dim[0] : 1);

    for (size_t i = 0; i < elems; i++) {
        if (index[i] < 0 || (size_t)index[i] >= image)
            return err_set(err, ST_FAILED, "index %d at %zu is beyond an image of %zu elements", (int)index[i], i, image);
        ((float *)out->data)[i / per_image * image + (size_t)index[i]] = ((const float *)in->data)[i];
    }
    return ST_OK;
}

static enum status unpool_run(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    struct opt_pool_2d o;
    enum status st = options_read(n, &o, err);

    if (st)
        return st;
    memset(n->out[0]->data, 0, n->out[0]->bytes);
    return n->in[1]->type == TYPE_INT32 ? unpool_images(n, err) : unpool_windows(n, &o);
}

const struct cpu_kernel cpu_max_unpool = {
    .arity = {2, 2, 1}, .shape = unpool_shape, .in = {CPU_F32, CPU_F32 | CPU_I32}, .out = {CPU_F32}, .run = unpool_run};
