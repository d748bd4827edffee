/* SPDX-License-Identifier: Apache-2.0 */
/* xnnpack_nodes.c - each operator as a node of an XNNPACK subgraph, a function of the table below. */
#include "lib/delegates/xnnpack/xnnpack_net.h"

#include <math.h>

#include "lib/graph/shape.h"

/* What a node is made of. */
struct making {
    struct xnnpack_net *x;
    const struct node *n;
    struct reason *why;
    uint32_t in, out;
    float lo, hi; /* of its fused activation */
};

static bool refuse(struct making *m, const char *text)
{
    return reason_set(m->why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "%s", text);
}

/* ---- what several need ---- */

static bool value(struct making *m, const struct tensor *t, uint32_t *id)
{
    return xnnpack_net_value(m->x, t, NULL, 0, id, m->why);
}

static bool same_quant(const struct tensor *a, const struct tensor *b)
{
    return a->quant.n == b->quant.n &&
           (!a->quant.n || (a->quant.scale[0] == b->quant.scale[0] && a->quant.zero_point[0] == b->quant.zero_point[0]));
}

/* Its first input and its output, of one type. */
static bool ends(struct making *m, uint32_t input)
{
    const struct tensor *x = node_in(m->n, input), *y = node_out(m->n, 0);

    if (!x || !y)
        return reason_set(m->why, REASON_MISSING_REQUIRED_OPERAND, "an operand is omitted");
    return value(m, x, &m->in) && value(m, y, &m->out);
}

static bool ends_alike(struct making *m, uint32_t input)
{
    const struct tensor *x = node_in(m->n, input), *y = node_out(m->n, 0);

    if (x && y && x->type != y->type)
        return reason_set(m->why, REASON_UNSUPPORTED_OUTPUT_TYPE, "from %s to %s", type_name(x->type), type_name(y->type));
    return ends(m, input);
}

/* The same reals in the same steps. */
static bool ends_same(struct making *m)
{
    if (!ends_alike(m, 0))
        return false;
    return same_quant(m->n->in[0], m->n->out[0]) ||
           reason_set(m->why, REASON_UNSUPPORTED_QUANTIZATION, "input and output have other scales or zero points");
}

static bool activation(struct making *m, enum activation act)
{
    m->lo = act == ACT_RELU_N1_TO_1 ? -1.f : act == ACT_NONE ? -INFINITY : 0.f;
    m->hi = act == ACT_RELU_N1_TO_1 ? 1.f : act == ACT_RELU6 ? 6.f : INFINITY;
    return act <= ACT_RELU6 || reason_set(m->why, REASON_UNSUPPORTED_OPERATOR_VARIANT, "XNNPACK fuses no activation %d", (int)act);
}

/* ---- weights ---- */

/* Scales of the sums: x times filter. NULL: out of memory. */
static float *steps_of_sums(struct making *m, const struct tensor *x, const struct tensor *w)
{
    const uint32_t n = w->quant.n ? w->quant.n : 1;
    float *steps = ARENA_ARRAY(&m->x->arena, n, float);

    for (uint32_t i = 0; steps && i < n; i++)
        steps[i] = w->quant.n ? x->quant.scale[0] * w->quant.scale[i] : 1.f;
    return steps;
}

static bool weights_fit(struct making *m, const struct tensor *x, const struct tensor *w, int32_t dim)
{
    if (!w || !w->is_const || w->type != x->type)
        return refuse(m, !w || !w->is_const ? "weights are computed at run time" : "weights of another type than the input");
    if (w->type != TYPE_FLOAT32 && (!w->quant.n || x->quant.n != 1))
        return reason_set(m->why, REASON_UNSUPPORTED_QUANTIZATION, "the weights have no scale, or the input has not one");
    if (w->quant.n > 1 && w->quant.dim != dim)
        return reason_set(m->why, REASON_UNSUPPORTED_QUANTIZATION, "weights quantized along dimension %d", w->quant.dim);
    for (uint32_t i = 0; w->type == TYPE_INT8 && i < w->quant.n; i++)
        if (w->quant.zero_point[i])
            return reason_set(m->why, REASON_UNSUPPORTED_QUANTIZATION, "weights with zero point %lld",
                              (long long)w->quant.zero_point[i]);
    return true;
}

/* Filter and bias, the latter XNN_INVALID_VALUE_ID where there is none. */
static bool weights(struct making *m, const struct tensor *x, const struct tensor *w, int32_t dim, const struct tensor *bias,
                    uint32_t *w_id, uint32_t *bias_id)
{
    static const float one = 1;
    const float *sums;

    *bias_id = XNN_INVALID_VALUE_ID;
    if (!weights_fit(m, x, w, dim) || !xnnpack_net_value(m->x, w, w->quant.n ? w->quant.scale : &one, w->quant.n, w_id, m->why))
        return false;
    if (!bias)
        return true;
    if (!bias->is_const || bias->type != (w->type == TYPE_FLOAT32 ? TYPE_FLOAT32 : TYPE_INT32) || bias->rank != 1)
        return refuse(m, "the bias is computed at run time, or of another type than sums are");
    if (!(sums = steps_of_sums(m, x, w)))
        return refuse(m, "out of memory");
    return xnnpack_net_value(m->x, bias, sums, w->quant.n, bias_id, m->why);
}

static uint32_t pad_flag(enum padding p)
{
    return p == PAD_SAME ? XNN_FLAG_TENSORFLOW_SAME_PADDING : 0;
}

static bool make_conv(struct making *m)
{
    const struct opt_conv_2d *o = m->n->opt;
    const struct tensor *x = node_in(m->n, 0), *w = node_in(m->n, 1);
    uint32_t filter, bias;

    if (!activation(m, o->activation) || !ends_alike(m, 0) || !weights(m, x, w, 0, node_in(m->n, 2), &filter, &bias))
        return false;
    const uint32_t groups = (uint32_t)(x->dim[3] / w->dim[3]);

    return xnnpack_took(xnn_define_convolution_2d(m->x->subgraph, 0, 0, 0, 0, (uint32_t)w->dim[1], (uint32_t)w->dim[2],
                                                  (uint32_t)o->stride_height, (uint32_t)o->stride_width,
                                                  (uint32_t)o->dilation_height_factor, (uint32_t)o->dilation_width_factor, groups,
                                                  (size_t)w->dim[3], (size_t)w->dim[0] / groups, m->lo, m->hi, m->in, filter, bias,
                                                  m->out, pad_flag(o->padding)),
                        m->why);
}

static bool make_depthwise_conv(struct making *m)
{
    const struct opt_depthwise_conv_2d *o = m->n->opt;
    const struct tensor *x = node_in(m->n, 0), *w = node_in(m->n, 1);
    uint32_t filter, bias;

    if (!activation(m, o->activation) || !ends_alike(m, 0) || !weights(m, x, w, 3, node_in(m->n, 2), &filter, &bias))
        return false;
    return xnnpack_took(xnn_define_depthwise_convolution_2d(m->x->subgraph, 0, 0, 0, 0, (uint32_t)w->dim[1], (uint32_t)w->dim[2],
                                                            (uint32_t)o->stride_height, (uint32_t)o->stride_width,
                                                            (uint32_t)o->dilation_height_factor, (uint32_t)o->dilation_width_factor,
                                                            (uint32_t)(w->dim[3] / x->dim[3]), (size_t)x->dim[3], m->lo, m->hi,
                                                            m->in, filter, bias, m->out, pad_flag(o->padding)),
                        m->why);
}

/* What of the output's length the steps and the filter leave, beyond what the convolution's padding takes off. */
static bool deconv_edge(int32_t in, int32_t out, int32_t filter, int32_t stride, bool same, int32_t *pads, int32_t *extra)
{
    const int64_t full = (int64_t)(in - 1) * stride + filter;

    *pads = same && full > out ? (int32_t)(full - out) : 0;
    *extra = (int32_t)(out - (full - *pads));
    return *extra >= 0 && *extra < stride;
}

static bool make_transpose_conv(struct making *m)
{
    const struct opt_transpose_conv *o = m->n->opt;
    const struct tensor *x = node_in(m->n, 2), *w = node_in(m->n, 1), *y = node_out(m->n, 0);
    int32_t pad_h, pad_w, extra_h, extra_w;
    uint32_t filter, bias;

    if (!activation(m, o->activation) || !ends_alike(m, 2) || !weights(m, x, w, 0, node_in(m->n, 3), &filter, &bias))
        return false;
    if (!deconv_edge(x->dim[1], y->dim[1], w->dim[1], o->stride_height, o->padding == PAD_SAME, &pad_h, &extra_h) ||
        !deconv_edge(x->dim[2], y->dim[2], w->dim[2], o->stride_width, o->padding == PAD_SAME, &pad_w, &extra_w))
        return refuse(m, "the output is longer by a stride, or shorter, than its steps make it");
    return xnnpack_took(
        xnn_define_deconvolution_2d(m->x->subgraph, (uint32_t)pad_h / 2, (uint32_t)(pad_w - pad_w / 2),
                                    (uint32_t)(pad_h - pad_h / 2), (uint32_t)pad_w / 2, (uint32_t)extra_h, (uint32_t)extra_w,
                                    (uint32_t)w->dim[1], (uint32_t)w->dim[2], (uint32_t)o->stride_height, (uint32_t)o->stride_width,
                                    1, 1, 1, (size_t)w->dim[3], (size_t)w->dim[0], m->lo, m->hi, m->in, filter, bias, m->out, 0),
        m->why);
}

static bool make_fully_connected(struct making *m)
{
    const struct opt_fully_connected *o = m->n->opt;
    const struct tensor *x = node_in(m->n, 0);
    uint32_t filter, bias;

    if (o->weights_format != FC_WEIGHTS_DEFAULT || m->n->n_out != 1 || !x || !x->rank)
        return refuse(m, "shuffled weights, or an input without dimensions");
    if (!activation(m, o->activation) || !ends_alike(m, 0) || !weights(m, x, node_in(m->n, 1), 0, node_in(m->n, 2), &filter, &bias))
        return false;
    if (!o->keep_num_dims && x->dim[x->rank - 1] != m->n->in[1]->dim[1] && x->rank < 2)
        return refuse(m, "a vector of several rows");
    if (x->type == TYPE_FLOAT32 && !xnnpack_splits(m->x, (uint32_t)m->n->in[1]->dim[1], m->why))
        return false;
    return xnnpack_took(xnn_define_fully_connected(m->x->subgraph, m->lo, m->hi, m->in, filter, bias, m->out,
                                                   o->keep_num_dims ? 0 : XNN_FLAG_TENSORFLOW_RESHAPE_2D),
                        m->why);
}

/* ---- windows ---- */

static bool make_pool(struct making *m)
{
    const struct opt_pool_2d *o = m->n->opt;
    const uint32_t h = (uint32_t)o->filter_height, w = (uint32_t)o->filter_width, sh = (uint32_t)o->stride_height,
                   sw = (uint32_t)o->stride_width, flag = pad_flag(o->padding);
    xnn_subgraph_t s = m->x->subgraph;

    if (!activation(m, o->activation) || !ends_same(m))
        return false;
    if (m->n->builtin == BUILTIN_MAX_POOL_2D)
        return xnnpack_took(xnn_define_max_pooling_2d(s, 0, 0, 0, 0, h, w, sh, sw, 1, 1, m->lo, m->hi, m->in, m->out, flag),
                            m->why);
    return xnnpack_took(xnn_define_average_pooling_2d(s, 0, 0, 0, 0, h, w, sh, sw, m->lo, m->hi, m->in, m->out, flag), m->why);
}

/* Over height and width of an image. */
static bool make_mean(struct making *m)
{
    const struct opt_reducer *o = m->n->opt;
    const struct tensor *x = node_in(m->n, 0), *axes = node_in(m->n, 1);
    int32_t axis[TENSOR_MAX_RANK];
    uint32_t n = 0, set = 0;
    struct err err;

    if (!x || !axes || !axes->is_const || x->rank != 4 || !o->keep_dims)
        return refuse(m, "not over height and width of an image, whose dimensions stay");
    if (shape_ints(axes, axis, TENSOR_MAX_RANK, &n, &err))
        return refuse(m, "axes that cannot be read");
    for (uint32_t i = 0; i < n; i++)
        set |= axis[i] >= -4 && axis[i] < 4 ? 1u << (axis[i] < 0 ? axis[i] + 4 : axis[i]) : 0;
    if (set != 6)
        return refuse(m, "not over height and width of an image, whose dimensions stay");
    if (!ends_alike(m, 0))
        return false;
    return xnnpack_took(xnn_define_global_average_pooling_2d(m->x->subgraph, -INFINITY, INFINITY, m->in, m->out, 0), m->why);
}

static bool make_resize_bilinear(struct making *m)
{
    const struct opt_resize_bilinear *o = m->n->opt;
    const struct tensor *y = node_out(m->n, 0);

    if (o->align_corners && o->half_pixel_centers)
        return refuse(m, "align_corners and half_pixel_centers");
    if (!ends_same(m))
        return false;
    return xnnpack_took(xnn_define_static_resize_bilinear_2d(m->x->subgraph, (size_t)y->dim[1], (size_t)y->dim[2], m->in, m->out,
                                                             o->align_corners        ? XNN_FLAG_ALIGN_CORNERS
                                                             : o->half_pixel_centers ? 0
                                                                                     : XNN_FLAG_TENSORFLOW_LEGACY_MODE),
                        m->why);
}

/* ---- element by element ---- */

typedef enum xnn_status (*clamped_fn)(xnn_subgraph_t s, float lo, float hi, uint32_t a, uint32_t b, uint32_t y, uint32_t flags);
typedef enum xnn_status (*binary_fn)(xnn_subgraph_t s, uint32_t a, uint32_t b, uint32_t y, uint32_t flags);
typedef enum xnn_status (*unary_fn)(xnn_subgraph_t s, uint32_t x, uint32_t y, uint32_t flags);

static bool both(struct making *m, uint32_t *a, uint32_t *b)
{
    const struct tensor *ta = node_in(m->n, 0), *tb = node_in(m->n, 1);

    if (!ta || !tb || ta->type != tb->type)
        return reason_set(m->why, REASON_UNSUPPORTED_INPUT_TYPE, "operands of two types");
    if (!ends_alike(m, 0) || !value(m, tb, b))
        return false;
    *a = m->in;
    return true;
}

static bool make_clamped(struct making *m, enum activation act, clamped_fn define)
{
    uint32_t a, b;

    return activation(m, act) && both(m, &a, &b) && xnnpack_took(define(m->x->subgraph, m->lo, m->hi, a, b, m->out, 0), m->why);
}

static bool make_add(struct making *m)
{
    return make_clamped(m, ((const struct opt_add *)m->n->opt)->activation, xnn_define_add2);
}

static bool make_sub(struct making *m)
{
    return make_clamped(m, ((const struct opt_sub *)m->n->opt)->activation, xnn_define_subtract);
}

static bool make_mul(struct making *m)
{
    return make_clamped(m, ((const struct opt_mul *)m->n->opt)->activation, xnn_define_multiply2);
}

static bool make_div(struct making *m)
{
    return make_clamped(m, ((const struct opt_div *)m->n->opt)->activation, xnn_define_divide);
}

static bool make_binary(struct making *m)
{
    const binary_fn define = m->n->builtin == BUILTIN_MAXIMUM   ? xnn_define_maximum2
                             : m->n->builtin == BUILTIN_MINIMUM ? xnn_define_minimum2
                                                                : xnn_define_squared_difference;
    uint32_t a, b;

    return both(m, &a, &b) && xnnpack_took(define(m->x->subgraph, a, b, m->out, 0), m->why);
}

static bool make_unary(struct making *m)
{
    static const struct {
        int32_t builtin;
        unary_fn define;
    } known[] = {{BUILTIN_ABS, xnn_define_abs},
                 {BUILTIN_CEIL, xnn_define_ceiling},
                 {BUILTIN_FLOOR, xnn_define_floor},
                 {BUILTIN_HARD_SWISH, xnn_define_hardswish},
                 {BUILTIN_LOGISTIC, xnn_define_sigmoid},
                 {BUILTIN_NEG, xnn_define_negate},
                 {BUILTIN_ROUND, xnn_define_bankers_rounding},
                 {BUILTIN_SOFTMAX, xnn_define_softmax},
                 {BUILTIN_SQRT, xnn_define_square_root},
                 {BUILTIN_SQUARE, xnn_define_square},
                 {BUILTIN_DEQUANTIZE, xnn_define_convert},
                 {BUILTIN_QUANTIZE, xnn_define_convert}};
    size_t i = 0;

    if (m->n->builtin == BUILTIN_SOFTMAX &&
        (((const struct opt_softmax *)m->n->opt)->beta != 1.f || !node_in(m->n, 0) || !m->n->in[0]->rank))
        return refuse(m, "a beta other than 1, or a scalar");
    while (known[i].builtin != m->n->builtin)
        i++;
    return (known[i].define == xnn_define_convert ? ends(m, 0) : ends_alike(m, 0)) &&
           xnnpack_took(known[i].define(m->x->subgraph, m->in, m->out, 0), m->why);
}

static bool make_clamp(struct making *m)
{
    const enum activation act = m->n->builtin == BUILTIN_RELU    ? ACT_RELU
                                : m->n->builtin == BUILTIN_RELU6 ? ACT_RELU6
                                                                 : ACT_RELU_N1_TO_1;

    return activation(m, act) && ends_same(m) &&
           xnnpack_took(xnn_define_clamp(m->x->subgraph, m->lo, m->hi, m->in, m->out, 0), m->why);
}

static bool make_elu(struct making *m)
{
    return ends_alike(m, 0) && xnnpack_took(xnn_define_elu(m->x->subgraph, 1.f, m->in, m->out, 0), m->why);
}

static bool make_leaky_relu(struct making *m)
{
    const struct opt_leaky_relu *o = m->n->opt;

    return ends_alike(m, 0) && xnnpack_took(xnn_define_leaky_relu(m->x->subgraph, o->alpha, m->in, m->out, 0), m->why);
}

/* A slope for each channel. */
static bool make_prelu(struct making *m)
{
    const struct tensor *x = node_in(m->n, 0), *slope = node_in(m->n, 1);
    uint32_t id;

    if (!slope || !slope->is_const || slope->rank < 1 || !x || x->rank < 1 || slope->type != x->type ||
        slope->dim[slope->rank - 1] != x->dim[x->rank - 1] || tensor_elems(slope) != (size_t)slope->dim[slope->rank - 1])
        return refuse(m, "slopes are computed at run time, or not one for each channel");
    return ends_alike(m, 0) && xnnpack_net_value(m->x, slope, NULL, 0, &id, m->why) &&
           xnnpack_took(xnn_define_prelu(m->x->subgraph, m->in, id, m->out, 0), m->why);
}

/* ---- where elements go ---- */

static bool make_reshape(struct making *m)
{
    const struct tensor *y = node_out(m->n, 0);
    size_t dims[TENSOR_MAX_RANK];

    for (int32_t i = 0; y && i < y->rank; i++)
        dims[i] = (size_t)y->dim[i];
    return ends_same(m) && xnnpack_took(xnn_define_static_reshape(m->x->subgraph, (size_t)y->rank, dims, m->in, m->out, 0), m->why);
}

/* Zeros around. */
static bool make_pad(struct making *m)
{
    const struct tensor *x = node_in(m->n, 0), *pads = node_in(m->n, 1);
    size_t before[TENSOR_MAX_RANK], after[TENSOR_MAX_RANK];

    if (!pads || !pads->is_const || (pads->type != TYPE_INT32 && pads->type != TYPE_INT64) || m->n->n_in != 2)
        return refuse(m, "paddings are computed at run time");
    if (!ends_same(m))
        return false;
    for (int32_t i = 0; i < x->rank; i++) {
        const bool wide = pads->type == TYPE_INT64;
        const int64_t b = wide ? ((const int64_t *)pads->data)[2 * i] : ((const int32_t *)pads->data)[2 * i],
                      a = wide ? ((const int64_t *)pads->data)[2 * i + 1] : ((const int32_t *)pads->data)[2 * i + 1];

        before[i] = (size_t)b;
        after[i] = (size_t)a;
    }
    return xnnpack_took(xnn_define_static_constant_pad(m->x->subgraph, before, after, 0.f, m->in, m->out, 0), m->why);
}

static bool make_depth_to_space(struct making *m)
{
    const struct opt_depth_to_space *o = m->n->opt;

    return ends_same(m) &&
           xnnpack_took(xnn_define_depth_to_space(m->x->subgraph, m->in, m->out, (uint32_t)o->block_size, 0), m->why);
}

/* ---- all ---- */

static const struct {
    int32_t builtin;
    bool (*make)(struct making *m);
} makers[] = {
    {BUILTIN_ABS, make_unary},
    {BUILTIN_ADD, make_add},
    {BUILTIN_AVERAGE_POOL_2D, make_pool},
    {BUILTIN_CEIL, make_unary},
    {BUILTIN_CONV_2D, make_conv},
    {BUILTIN_DEPTHWISE_CONV_2D, make_depthwise_conv},
    {BUILTIN_DEPTH_TO_SPACE, make_depth_to_space},
    {BUILTIN_DEQUANTIZE, make_unary},
    {BUILTIN_DIV, make_div},
    {BUILTIN_ELU, make_elu},
    {BUILTIN_EXPAND_DIMS, make_reshape},
    {BUILTIN_FLOOR, make_unary},
    {BUILTIN_FULLY_CONNECTED, make_fully_connected},
    {BUILTIN_HARD_SWISH, make_unary},
    {BUILTIN_LEAKY_RELU, make_leaky_relu},
    {BUILTIN_LOGISTIC, make_unary},
    {BUILTIN_MAXIMUM, make_binary},
    {BUILTIN_MAX_POOL_2D, make_pool},
    {BUILTIN_MEAN, make_mean},
    {BUILTIN_MINIMUM, make_binary},
    {BUILTIN_MUL, make_mul},
    {BUILTIN_NEG, make_unary},
    {BUILTIN_PAD, make_pad},
    {BUILTIN_PRELU, make_prelu},
    {BUILTIN_QUANTIZE, make_unary},
    {BUILTIN_RELU, make_clamp},
    {BUILTIN_RELU6, make_clamp},
    {BUILTIN_RELU_N1_TO_1, make_clamp},
    {BUILTIN_RESHAPE, make_reshape},
    {BUILTIN_RESIZE_BILINEAR, make_resize_bilinear},
    {BUILTIN_ROUND, make_unary},
    {BUILTIN_SOFTMAX, make_unary},
    {BUILTIN_SQRT, make_unary},
    {BUILTIN_SQUARE, make_unary},
    {BUILTIN_SQUARED_DIFFERENCE, make_binary},
    {BUILTIN_SQUEEZE, make_reshape},
    {BUILTIN_SUB, make_sub},
    {BUILTIN_TRANSPOSE_CONV, make_transpose_conv},
};

bool xnnpack_net_add(struct xnnpack_net *x, const struct node *n, struct reason *why)
{
    struct making m = {.x = x, .n = n, .why = why};

    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++)
        if (makers[i].builtin == n->builtin)
            return makers[i].make(&m);
    return reason_set(why, REASON_UNSUPPORTED_OPERATOR, "XNNPACK's subgraphs have no such operator");
}
