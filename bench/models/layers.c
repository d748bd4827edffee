/* SPDX-License-Identifier: Apache-2.0 */
/* layers.c - layers of convolutional networks with weights drawn by integers alone, the same on every machine. */
#include "bench/models/layers.h"

#include <math.h>
#include <stdlib.h>

#include "lib/base/splitmix.h"

const char *net_name(struct net *n, const char *fmt, ...)
{
    char text[256], *copy;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    copy = arena_strdup(&n->b.arena, text);
    if (!copy)
        n->b.st = ST_NOMEM;
    return copy ? copy : "";
}

/* Close to a standard normal, by adding four uniforms: integers only, so that every machine draws the same weights. */
static float normal(uint64_t *state)
{
    uint64_t r = splitmix_next(state);
    int32_t sum = 0;

    for (int i = 0; i < 4; i++, r >>= 16)
        sum += (int32_t)(r & 0xffff);
    return ((float)sum - 131070.0f) * (1.7320508f / 65536.0f);
}

static int32_t weights(struct net *n, const char *name, const int32_t *dim, int32_t rank, float spread, float center)
{
    size_t elems = 1;
    float *w;
    int32_t index;

    for (int32_t i = 0; i < rank; i++)
        elems *= (size_t)dim[i];
    w = malloc(elems * sizeof *w);
    if (!w) {
        n->b.st = ST_NOMEM;
        return 0;
    }
    for (size_t i = 0; i < elems; i++)
        w[i] = center + spread * normal(&n->seed);
    index = build_const(&n->b, name, TYPE_FLOAT32, dim, rank, w);
    free(w);
    return index;
}

/* The shape of a tensor, or zeros once building has failed. */
static const int32_t *dims(struct net *n, int32_t tensor)
{
    static const int32_t none[TENSOR_MAX_RANK];

    return n->b.st ? none : build_at(&n->b, tensor)->dim;
}

int32_t layer_input(struct net *n, const char *name, int32_t h, int32_t w, int32_t c)
{
    return build_tensor(&n->b, name, TYPE_FLOAT32, SHAPE(1, h, w, c));
}

static int32_t same(int32_t length, int32_t stride)
{
    return (length + stride - 1) / stride;
}

/* Half of the values do not survive a ReLU. */
static float keep(enum activation act)
{
    return act == ACT_NONE ? 1.0f : 2.0f;
}

int32_t layer_conv(struct net *n, int32_t x, const char *scope, const char *out_name, int32_t channels, struct window win,
                   enum activation act, float gain)
{
    const int32_t *in = dims(n, x);
    const int32_t h = same(in[1], win.stride), w = same(in[2], win.stride), c = in[3];
    const float spread = gain * sqrtf(keep(act) / (float)(win.kernel * win.kernel * c));
    const struct opt_conv_2d opt = {PAD_SAME, win.stride, win.stride, act, win.dilation, win.dilation, 0};
    int32_t filter = weights(n, net_name(n, "%s/weights", scope), SHAPE(channels, win.kernel, win.kernel, c), spread, 0);
    int32_t bias = weights(n, net_name(n, "%s/Conv2D_bias", scope), SHAPE(channels), 0.1f, 0);
    int32_t y = build_tensor(&n->b, out_name, TYPE_FLOAT32, SHAPE(1, h, w, channels));

    build_op(&n->b, BUILTIN_CONV_2D, 1, &opt, INDICES(x, filter, bias), INDICES(y));
    return y;
}

int32_t layer_depthwise(struct net *n, int32_t x, const char *scope, const char *out_name, struct window win, enum activation act)
{
    const int32_t *in = dims(n, x);
    const int32_t h = same(in[1], win.stride), w = same(in[2], win.stride), c = in[3];
    const float spread = sqrtf(keep(act) / (float)(win.kernel * win.kernel));
    const struct opt_depthwise_conv_2d opt = {PAD_SAME, win.stride, win.stride, 1, act, win.dilation, win.dilation};
    int32_t filter = weights(n, net_name(n, "%s/depthwise_weights", scope), SHAPE(1, win.kernel, win.kernel, c), spread, 0);
    int32_t bias = weights(n, net_name(n, "%s/depthwise_bias", scope), SHAPE(c), 0.1f, 0.1f);
    int32_t y = build_tensor(&n->b, out_name, TYPE_FLOAT32, SHAPE(1, h, w, c));

    build_op(&n->b, BUILTIN_DEPTHWISE_CONV_2D, win.dilation > 1 ? 2 : 1, &opt, INDICES(x, filter, bias), INDICES(y));
    return y;
}

int32_t layer_add(struct net *n, int32_t x1, int32_t x2, const char *out_name)
{
    const int32_t *in = dims(n, x1);
    int32_t y = build_tensor(&n->b, out_name, TYPE_FLOAT32, SHAPE(1, in[1], in[2], in[3]));

    build_op(&n->b, BUILTIN_ADD, 1, &(struct opt_add){ACT_NONE, true}, INDICES(x1, x2), INDICES(y));
    return y;
}

int32_t layer_global_pool(struct net *n, int32_t x, const char *out_name)
{
    const int32_t *in = dims(n, x);
    const struct opt_pool_2d opt = {PAD_VALID, in[2], in[1], in[2], in[1], ACT_NONE, {0}};
    int32_t y = build_tensor(&n->b, out_name, TYPE_FLOAT32, SHAPE(1, 1, 1, in[3]));

    build_op(&n->b, BUILTIN_AVERAGE_POOL_2D, 1, &opt, INDICES(x), INDICES(y));
    return y;
}

int32_t layer_resize(struct net *n, int32_t x, const char *out_name, int32_t h, int32_t w)
{
    const int32_t c = dims(n, x)[3];
    int32_t size = build_const(&n->b, net_name(n, "%s/size", out_name), TYPE_INT32, SHAPE(2), (const int32_t[]){h, w});
    int32_t y = build_tensor(&n->b, out_name, TYPE_FLOAT32, SHAPE(1, h, w, c));

    build_op(&n->b, BUILTIN_RESIZE_BILINEAR, 1, &(struct opt_resize_bilinear){.align_corners = true}, INDICES(x, size), INDICES(y));
    return y;
}

int32_t layer_reshape(struct net *n, int32_t x, const char *out_name, const int32_t *dim, int32_t rank)
{
    struct opt_reshape opt = {.num_dimensions = rank};
    int32_t shape = build_const(&n->b, net_name(n, "%s/shape", out_name), TYPE_INT32, SHAPE(rank), dim);
    int32_t y = build_tensor(&n->b, out_name, TYPE_FLOAT32, dim, rank);

    for (int32_t i = 0; i < rank; i++)
        opt.shape[i] = dim[i];
    build_op(&n->b, BUILTIN_RESHAPE, 1, &opt, INDICES(x, shape), INDICES(y));
    return y;
}

int32_t layer_concat(struct net *n, const int32_t *x, uint32_t count, int axis, const char *out_name)
{
    int32_t out[TENSOR_MAX_RANK] = {0}, rank, y;

    if (n->b.st)
        return 0;
    rank = build_at(&n->b, x[0])->rank;
    for (int32_t d = 0; d < rank; d++)
        out[d] = dims(n, x[0])[d];
    for (uint32_t i = 1; i < count; i++)
        out[axis] += dims(n, x[i])[axis];
    y = build_tensor(&n->b, out_name, TYPE_FLOAT32, out, rank);
    build_op(&n->b, BUILTIN_CONCATENATION, 1, &(struct opt_concatenation){.axis = axis}, x, count, INDICES(y));
    return y;
}

int32_t layer_squeeze(struct net *n, int32_t x, const char *out_name)
{
    const struct opt_squeeze opt = {.squeeze_dims = {1, 2}, .num_squeeze_dims = 2};
    int32_t y = build_tensor(&n->b, out_name, TYPE_FLOAT32, SHAPE(1, dims(n, x)[3]));

    build_op(&n->b, BUILTIN_SQUEEZE, 1, &opt, INDICES(x), INDICES(y));
    return y;
}

/* An op with one input and one output of the same shape. */
static int32_t unary(struct net *n, int32_t x, const char *out_name, enum builtin op, const void *opt)
{
    int32_t dim[TENSOR_MAX_RANK] = {0}, rank, y;

    if (n->b.st)
        return 0;
    rank = build_at(&n->b, x)->rank;
    for (int32_t d = 0; d < rank; d++)
        dim[d] = dims(n, x)[d];
    y = build_tensor(&n->b, out_name, TYPE_FLOAT32, dim, rank);
    build_op(&n->b, op, 1, opt, INDICES(x), INDICES(y));
    return y;
}

int32_t layer_softmax(struct net *n, int32_t x, const char *out_name)
{
    return unary(n, x, out_name, BUILTIN_SOFTMAX, &(struct opt_softmax){.beta = 1});
}

int32_t layer_logistic(struct net *n, int32_t x, const char *out_name)
{
    return unary(n, x, out_name, BUILTIN_LOGISTIC, NULL);
}
