/* SPDX-License-Identifier: Apache-2.0 */
/* pool_3d.c - AvgPool3D and MaxPool3D: custom operators with the attributes that TensorFlow's operators of these names have. */
#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/quant/fused_activation.h"
#include "lib/base/flexbuffer.h"

#include <math.h>

/* Input [n, in..., c], output [n, out..., c]; the three dimensions are depth, height, width. */
struct pool_3d {
    int32_t n, c, in[3], out[3], k[3], stride[3], pad[3];
};

/* Reads the three inner ones of five numbers, the outer of which must be 1. */
static enum status read_five(const struct flex_map *m, const char *key, int32_t out[3], struct err *err)
{
    const struct flex_ints v = flex_vector(m, key);

    if (v.n != 5 || flex_vector_int(&v, 0) != 1 || flex_vector_int(&v, 4) != 1)
        return err_set(err, ST_BAD_MODEL, "%s is not [1,depth,height,width,1]", key);
    for (size_t i = 0; i < 3; i++) {
        out[i] = flex_vector_int(&v, i + 1);
        if (out[i] < 1)
            return err_set(err, ST_BAD_MODEL, "%s has %d for dimension %zu", key, out[i], i + 1);
    }
    return ST_OK;
}

static enum status dimension(struct pool_3d *p, int i, bool same, struct err *err)
{
    int64_t in = p->in[i], k = p->k[i], stride = p->stride[i], total;

    if (!same && in < k)
        return err_set(err, ST_BAD_MODEL, "a window of %d does not fit %d inputs", p->k[i], p->in[i]);
    p->out[i] = (int32_t)((same ? in + stride - 1 : in + stride - k) / stride);
    total = (p->out[i] - 1) * stride + k - in;
    p->pad[i] = total > 0 ? (int32_t)(total / 2) : 0;
    return ST_OK;
}

static enum status describe(const struct node *n, struct pool_3d *p, struct err *err)
{
    const int32_t *dim = n->in[0]->dim;
    struct flex_map m;
    bool same;
    enum status st;

    if (n->in[0]->rank != 5)
        return err_set(err, ST_BAD_MODEL, "input is %s, expected rank 5", TENSOR_TEXT(n->in[0]));
    *p = (struct pool_3d){.n = dim[0], .c = dim[4], .in = {dim[1], dim[2], dim[3]}};
    if ((st = flex_open(n->custom, n->n_custom, &m, err)) || (st = read_five(&m, "ksize", p->k, err)) ||
        (st = read_five(&m, "strides", p->stride, err)))
        return st;
    same = flex_string_is(&m, "padding", "SAME");
    if (!same && !flex_string_is(&m, "padding", "VALID"))
        return err_set(err, ST_BAD_MODEL, "the padding is neither SAME nor VALID");
    if (!flex_string_is(&m, "data_format", "NDHWC"))
        return err_set(err, ST_UNSUPPORTED, "the data format is not NDHWC");
    for (int i = 0; i < 3 && !st; i++)
        st = dimension(p, i, same, err);
    return st;
}

static enum status pool_3d_shape(struct node *n, struct err *err)
{
    struct pool_3d p;
    enum status st = describe(n, &p, err);

    return st ? st : shape_set(n, 0, (int32_t[]){p.n, p.out[0], p.out[1], p.out[2], p.c}, 5, err);
}

static enum status pool_3d_prepare(struct cpu_call *c, struct err *err)
{
    const struct node *n = c->node;
    const struct tensor *x = n->in[0], *y = n->out[0];
    struct pool_3d p;
    enum status st;

    if (x->type != TYPE_FLOAT32 && x->type != TYPE_INT8 && x->type != TYPE_INT16)
        return cpu_bad_type(n, x, err);
    if (y->type != x->type)
        return cpu_bad_type(n, y, err);
    if (x->type == TYPE_INT8 && (fabsf(quant_scale(x) - quant_scale(y)) > 1e-6f || quant_zero(x) != quant_zero(y)))
        return err_set(err, ST_BAD_MODEL, "input and output are quantized differently: %g and %g, %d and %d",
                       (double)quant_scale(x), (double)quant_scale(y), quant_zero(x), quant_zero(y));
    if ((st = describe(n, &p, err)) || (st = cpu_pack(c, sizeof p, err)))
        return st;
    *(struct pool_3d *)c->packed = p;
    return ST_OK;
}

/* One output position: where its first channel's inputs begin, and the window's part inside the input. */
struct window {
    const struct pool_3d *p;
    size_t image;
    struct conv_span s[3];
};

/* Calls `each` with x, the value of channel c at every place in the window. */
#define FOR_WINDOW(type, base, w, ch, each)                                                                                        \
    for (int64_t i0 = (w)->s[0].origin + (w)->s[0].k0; i0 < (w)->s[0].origin + (w)->s[0].k1; i0++)                                 \
        for (int64_t i1 = (w)->s[1].origin + (w)->s[1].k0; i1 < (w)->s[1].origin + (w)->s[1].k1; i1++)                             \
            for (int64_t i2 = (w)->s[2].origin + (w)->s[2].k0; i2 < (w)->s[2].origin + (w)->s[2].k1; i2++) {                       \
                const type x = ((const type *)(base))[(((w)->image + (size_t)i0) * (size_t)(w)->p->in[1] + (size_t)i1) *           \
                                                          (size_t)(w)->p->in[2] * (size_t)(w)->p->c +                              \
                                                      (size_t)i2 * (size_t)(w)->p->c + (ch)];                                      \
                each;                                                                                                              \
            }

static float average_f32(const void *base, const struct window *w, size_t c, int32_t count)
{
    float sum = 0;

    FOR_WINDOW(float, base, w, c, sum += x)
    return sum / (float)count;
}

static float max_f32(const void *base, const struct window *w, size_t c)
{
    float most = -FLT_MAX;

    FOR_WINDOW(float, base, w, c, most = most < x ? x : most)
    return most;
}

static int32_t average_of(int32_t sum, int32_t count)
{
    return sum > 0 ? (sum + count / 2) / count : (sum - count / 2) / count;
}

#define INTEGER_POOLS(type, suffix, lowest)                                                                                        \
    static int32_t average_##suffix(const void *base, const struct window *w, size_t c, int32_t count)                             \
    {                                                                                                                              \
        uint32_t sum = 0;                                                                                                          \
                                                                                                                                   \
        FOR_WINDOW(type, base, w, c, sum += (uint32_t)x)                                                                           \
        return average_of((int32_t)sum, count);                                                                                    \
    }                                                                                                                              \
    static int32_t max_##suffix(const void *base, const struct window *w, size_t c)                                                \
    {                                                                                                                              \
        int32_t most = lowest;                                                                                                     \
                                                                                                                                   \
        FOR_WINDOW(type, base, w, c, most = most < x ? x : most)                                                                   \
        return most;                                                                                                               \
    }

INTEGER_POOLS(int8_t, i8, INT8_MIN)
INTEGER_POOLS(int16_t, i16, INT16_MIN)

static void position(const struct cpu_call *c, const struct window *w, size_t at, bool average)
{
    const struct tensor *x = c->node->in[0];
    void *y = c->node->out[0]->data;
    int32_t count = (w->s[0].k1 - w->s[0].k0) * (w->s[1].k1 - w->s[1].k0) * (w->s[2].k1 - w->s[2].k0);

    for (size_t ch = 0; ch < (size_t)w->p->c; ch++, at++) {
        if (x->type == TYPE_FLOAT32)
            ((float *)y)[at] = activation_clamp(average ? average_f32(x->data, w, ch, count) : max_f32(x->data, w, ch),
                                                (struct range_f32){-FLT_MAX, FLT_MAX});
        else if (x->type == TYPE_INT8)
            ((int8_t *)y)[at] = (int8_t)(average ? average_i8(x->data, w, ch, count) : max_i8(x->data, w, ch));
        else
            ((int16_t *)y)[at] = (int16_t)(average ? average_i16(x->data, w, ch, count) : max_i16(x->data, w, ch));
    }
}

static struct conv_span span(const struct pool_3d *p, int i, size_t o)
{
    return conv_span((int32_t)o, p->stride[i], p->pad[i], 1, p->k[i], p->in[i]);
}

static void rows(const struct cpu_call *c, size_t begin, size_t end, bool average)
{
    const struct pool_3d *p = c->packed;

    for (size_t row = begin; row < end; row++) {
        size_t oy = row % (size_t)p->out[1], oz = row / (size_t)p->out[1] % (size_t)p->out[0];
        struct window w = {
            .p = p, .image = row / (size_t)p->out[1] / (size_t)p->out[0] * (size_t)p->in[0], .s = {span(p, 0, oz), span(p, 1, oy)}};

        for (size_t ox = 0; ox < (size_t)p->out[2]; ox++) {
            w.s[2] = span(p, 2, ox);
            position(c, &w, (row * (size_t)p->out[2] + ox) * (size_t)p->c, average);
        }
    }
}

static void average_rows(void *arg, size_t begin, size_t end)
{
    rows(arg, begin, end, true);
}

static void max_rows(void *arg, size_t begin, size_t end)
{
    rows(arg, begin, end, false);
}

static void average_run(struct cpu_call *c)
{
    const struct pool_3d *p = c->packed;

    threads_for(c->threads, (size_t)p->n * (size_t)p->out[0] * (size_t)p->out[1], 1, average_rows, c);
}

static void max_run(struct cpu_call *c)
{
    const struct pool_3d *p = c->packed;

    threads_for(c->threads, (size_t)p->n * (size_t)p->out[0] * (size_t)p->out[1], 1, max_rows, c);
}

const struct cpu_kernel cpu_average_pool_3d = {
    .arity = {1, 1, 1}, .shape = pool_3d_shape, .prepare = pool_3d_prepare, .compute = average_run};
const struct cpu_kernel cpu_max_pool_3d = {
    .arity = {1, 1, 1}, .shape = pool_3d_shape, .prepare = pool_3d_prepare, .compute = max_run};
