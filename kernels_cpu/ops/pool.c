/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - AVERAGE_POOL_2D, MAX_POOL_2D and L2_POOL_2D. Each output position folds its window, cut to the input, along
 * contiguous channels. */
#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/quant/fused_activation.h"
#include "kernels_cpu/quant/packed_int.h"

/* ---- 2-D pooling by definition, for CPU_REFERENCE ----
 *
 *   y[n][oy][ox][c] = fold over ky < kh, kx < kw of x[n][oy * sh - pt + ky][ox * sw - pl + kx][c], positions outside x left out
 *
 * Sources: TFLite's reference_ops AveragePool, MaxPool, L2Pool and their integer forms. */

enum pool_fold {
    POOL_AVERAGE, /* sum / count; integers: 64-bit sums, halves away from zero */
    POOL_MAX,     /* the largest; NaN never wins; -FLT_MAX or the type's least value if nothing does */
    POOL_L2,      /* sqrt(sum of squares / count); floats only */
};

struct pool_plain {
    const struct conv_geometry *g;
    enum pool_fold fold;
    enum tensor_type type;        /* of x and y: FLOAT32, INT8, UINT8, INT16 */
    bool doubles;                 /* sum floats in double */
    struct range_f32 range;       /* clamp of floats */
    struct range_i32 range_quant; /* clamp of integers */
    const void *x;                /* [n, ih, iw, c] */
    void *y;                      /* [n, oh, ow, c] */
};

static float float_of(const struct pool_plain *p, size_t image, int64_t y0, int64_t x0, int32_t c)
{
    const struct conv_geometry *g = p->g;
    float sum = 0, most = -FLT_MAX, count = 0;
    double exact = 0;

    for (int64_t iy = y0; iy < y0 + g->kh; iy++)
        for (int64_t ix = x0; ix < x0 + g->kw; ix++) {
            float v;

            if (iy < 0 || iy >= g->ih || ix < 0 || ix >= g->iw)
                continue;
            v = ((const float *)
                     p->x)[((image * (size_t)g->ih + (size_t)iy) * (size_t)g->iw + (size_t)ix) * (size_t)g->ic + (size_t)c];
            sum += p->fold == POOL_L2 ? v * v : v;
            exact += p->fold == POOL_L2 ? (double)v * (double)v : (double)v;
            most = v > most ? v : most;
            count++;
        }
    if (p->fold == POOL_MAX)
        return most;
    if (p->doubles)
        return (float)(p->fold == POOL_L2 ? sqrt(exact / (double)count) : exact / (double)count);
    return p->fold == POOL_L2 ? sqrtf(sum / count) : sum / count;
}

static int64_t integer_of(const struct pool_plain *p, size_t image, int64_t y0, int64_t x0, int32_t c)
{
    const struct conv_geometry *g = p->g;
    int64_t sum = 0, most = int_limits(p->type).lo, count = 0;

    for (int64_t iy = y0; iy < y0 + g->kh; iy++)
        for (int64_t ix = x0; ix < x0 + g->kw; ix++) {
            int32_t v;

            if (iy < 0 || iy >= g->ih || ix < 0 || ix >= g->iw)
                continue;
            packed_int_load(p->type, p->x,
                            ((image * (size_t)g->ih + (size_t)iy) * (size_t)g->iw + (size_t)ix) * (size_t)g->ic + (size_t)c, 1, &v);
            sum += v;
            most = v > most ? v : most;
            count++;
        }
    if (p->fold == POOL_MAX)
        return most;
    return sum < 0 ? -((-sum + count / 2) / count) : (sum + count / 2) / count;
}

static void put(const struct pool_plain *p, size_t at, int64_t v)
{
    const int32_t clamped = (int32_t)(v < p->range_quant.lo ? p->range_quant.lo : v > p->range_quant.hi ? p->range_quant.hi : v);

    packed_int_store(p->type, p->y, at, 1, &clamped);
}

/* Compute rows [begin, end) of the n * oh output rows (a job of threads_for). `arg` is a struct pool_plain. */
static void pool_plain_rows(void *arg, size_t begin, size_t end)
{
    const struct pool_plain *p = arg;
    const struct conv_geometry *g = p->g;

    for (size_t row = begin; row < end; row++)
        for (int32_t ox = 0; ox < g->ow; ox++)
            for (int32_t c = 0; c < g->ic; c++) {
                const size_t image = row / (size_t)g->oh, oy = row % (size_t)g->oh;
                const size_t at = (row * (size_t)g->ow + (size_t)ox) * (size_t)g->ic + (size_t)c;
                const int64_t y0 = (int64_t)oy * g->sh - g->pt, x0 = (int64_t)ox * g->sw - g->pl;

                if (p->type == TYPE_FLOAT32)
                    ((float *)p->y)[at] = activation_clamp(float_of(p, image, y0, x0, c), p->range);
                else
                    put(p, at, integer_of(p, image, y0, x0, c));
            }
}

/* ---- the fast loops ---- */

struct pool_plan;

typedef void (*window_fn)(const struct pool_plan *p, const void *image, void *y, struct conv_span sy, struct conv_span sx);

struct pool_plan {
    struct conv_geometry g;
    struct range_f32 range; /* of floats */
    struct range_i32 range_quant;
    window_fn window;
};

static enum status pool_geometry(const struct node *n, struct conv_geometry *g, struct err *err)
{
    const struct opt_pool_2d *o = n->opt;
    const struct tensor *in = n->in[0];
    /* A pooling window is a filter without channels. */
    const struct tensor window = {.rank = 4, .dim = {1, o->filter_height, o->filter_width, 1}};

    return conv_geometry_init(g, in, &window, in->rank == 4 ? in->dim[3] : 0, o->padding, o->stride_height, o->stride_width, 1, 1,
                              err);
}

static enum status pool_shape(struct node *n, struct err *err)
{
    struct conv_geometry g;
    enum status st = pool_geometry(n, &g, err);

    return st ? st : shape_set(n, 0, (int32_t[]){g.n, g.oh, g.ow, g.oc}, 4, err);
}

static size_t pixel_at(const struct conv_geometry *g, struct conv_span sy, struct conv_span sx, int32_t ky, int32_t kx)
{
    return ((size_t)(sy.origin + ky) * (size_t)g->iw + (size_t)(sx.origin + kx)) * (size_t)g->ic;
}

/* y[c] = `fold` of itself and each x[c] of the window, begun from `first`; then `result` of it, where `count` is the window's size:
 * above 0, since SAME pads less than half a window at each side. */
#define FOLD_F32(name, first, fold, result)                                                                                        \
    static void name(const struct pool_plan *p, const void *image, void *out, struct conv_span sy, struct conv_span sx)            \
    {                                                                                                                              \
        const size_t channels = (size_t)p->g.ic;                                                                                   \
        const float count = (float)((int64_t)(sy.k1 - sy.k0) * (sx.k1 - sx.k0));                                                   \
        float *y = out;                                                                                                            \
                                                                                                                                   \
        (void)count;                                                                                                               \
        for (size_t c = 0; c < channels; c++)                                                                                      \
            y[c] = first;                                                                                                          \
        for (int32_t ky = sy.k0; ky < sy.k1; ky++) {                                                                               \
            for (int32_t kx = sx.k0; kx < sx.k1; kx++) {                                                                           \
                const float *x = (const float *)image + pixel_at(&p->g, sy, sx, ky, kx);                                           \
                                                                                                                                   \
                for (size_t c = 0; c < channels; c++)                                                                              \
                    y[c] = fold;                                                                                                   \
            }                                                                                                                      \
        }                                                                                                                          \
        for (size_t c = 0; c < channels; c++)                                                                                      \
            y[c] = activation_clamp(result, p->range);                                                                             \
    }

FOLD_F32(average_f32, 0, y[c] + x[c], y[c] / count)
FOLD_F32(max_f32, -FLT_MAX, y[c] < x[c] ? x[c] : y[c], y[c])
FOLD_F32(l2_f32, 0, y[c] + x[c] * x[c], sqrtf(y[c] / count))

/* Rounds to nearest, halves away from zero. */
static int64_t divide_rounded(int64_t sum, int64_t count)
{
    return (sum > 0 ? sum + count / 2 : sum - count / 2) / count;
}

/* Sums of a block of channels stay on the stack; 64 bits, as windows may be large. */
#define AVERAGE(type)                                                                                                              \
    static void average_##type(const struct pool_plan *p, const void *image, void *out, struct conv_span sy, struct conv_span sx)  \
    {                                                                                                                              \
        enum { BLOCK = 64 };                                                                                                       \
        size_t channels = (size_t)p->g.ic;                                                                                         \
        int64_t count = (int64_t)(sy.k1 - sy.k0) * (sx.k1 - sx.k0);                                                                \
        type *y = out;                                                                                                             \
                                                                                                                                   \
        for (size_t first = 0; first < channels; first += BLOCK) {                                                                 \
            size_t n = channels - first < BLOCK ? channels - first : BLOCK;                                                        \
            int64_t sum[BLOCK] = {0};                                                                                              \
                                                                                                                                   \
            for (int32_t ky = sy.k0; ky < sy.k1; ky++) {                                                                           \
                for (int32_t kx = sx.k0; kx < sx.k1; kx++) {                                                                       \
                    const type *x = (const type *)image + pixel_at(&p->g, sy, sx, ky, kx) + first;                                 \
                                                                                                                                   \
                    for (size_t c = 0; c < n; c++)                                                                                 \
                        sum[c] += x[c];                                                                                            \
                }                                                                                                                  \
            }                                                                                                                      \
            for (size_t c = 0; c < n; c++)                                                                                         \
                y[first + c] = (type)fixed_clamp((int32_t)divide_rounded(sum[c], count), p->range_quant.lo, p->range_quant.hi);    \
        }                                                                                                                          \
    }

#define MAX(type, lowest)                                                                                                          \
    static void max_##type(const struct pool_plan *p, const void *image, void *out, struct conv_span sy, struct conv_span sx)      \
    {                                                                                                                              \
        size_t channels = (size_t)p->g.ic;                                                                                         \
        type *y = out;                                                                                                             \
                                                                                                                                   \
        for (size_t c = 0; c < channels; c++)                                                                                      \
            y[c] = lowest;                                                                                                         \
        for (int32_t ky = sy.k0; ky < sy.k1; ky++) {                                                                               \
            for (int32_t kx = sx.k0; kx < sx.k1; kx++) {                                                                           \
                const type *x = (const type *)image + pixel_at(&p->g, sy, sx, ky, kx);                                             \
                                                                                                                                   \
                for (size_t c = 0; c < channels; c++)                                                                              \
                    y[c] = y[c] < x[c] ? x[c] : y[c];                                                                              \
            }                                                                                                                      \
        }                                                                                                                          \
        for (size_t c = 0; c < channels; c++)                                                                                      \
            y[c] = (type)fixed_clamp(y[c], p->range_quant.lo, p->range_quant.hi);                                                  \
    }

AVERAGE(int8_t)
AVERAGE(uint8_t)
AVERAGE(int16_t)
MAX(int8_t, INT8_MIN)
MAX(uint8_t, 0)
MAX(int16_t, INT16_MIN)

static window_fn window_choose(int32_t builtin, enum tensor_type type)
{
    bool max = builtin == BUILTIN_MAX_POOL_2D;

    if (builtin == BUILTIN_L2_POOL_2D)
        return type == TYPE_FLOAT32 ? l2_f32 : NULL;
    switch (type) {
    case TYPE_FLOAT32: return max ? max_f32 : average_f32;
    case TYPE_INT8: return max ? max_int8_t : average_int8_t;
    case TYPE_UINT8: return max ? max_uint8_t : average_uint8_t;
    case TYPE_INT16: return max ? max_int16_t : average_int16_t;
    default: return NULL;
    }
}

static enum status pool_prepare(struct cpu_call *c, struct err *err)
{
    const struct opt_pool_2d *o = c->node->opt;
    const struct tensor *in = c->node->in[0], *out = c->node->out[0];
    struct pool_plan p = {.window = window_choose(c->node->builtin, in->type)};
    enum status st;

    if (!p.window)
        return cpu_bad_type(c->node, in, err);
    if (out->type != in->type)
        return cpu_bad_type(c->node, out, err);
    if ((st = pool_geometry(c->node, &p.g, err)) || (st = activation_range(o->activation, &p.range, err)))
        return st;
    if (in->type != TYPE_FLOAT32 && (st = activation_range_quant(o->activation, out, &p.range_quant, err)))
        return st;
    if ((st = cpu_pack(c, sizeof p, err)))
        return st;
    *(struct pool_plan *)c->packed = p;
    return ST_OK;
}

static void pool_rows(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct pool_plan *p = c->packed;
    const struct conv_geometry *g = &p->g;
    size_t pixel = (size_t)g->ic * type_bits(c->node->in[0]->type) / 8;

    for (size_t row = begin; row < end; row++) {
        const char *image = (const char *)c->node->in[0]->data + row / (size_t)g->oh * (size_t)g->ih * (size_t)g->iw * pixel;
        char *y = (char *)c->node->out[0]->data + row * (size_t)g->ow * pixel;
        struct conv_span sy = conv_span((int32_t)(row % (size_t)g->oh), g->sh, g->pt, 1, g->kh, g->ih);

        for (int32_t ox = 0; ox < g->ow; ox++, y += pixel)
            p->window(p, image, y, sy, conv_span(ox, g->sw, g->pl, 1, g->kw, g->iw));
    }
}

static void pool_run(struct cpu_call *c)
{
    const struct pool_plan *p = c->packed;
    const int32_t op = c->node->builtin;
    struct pool_plain plain = {.g = &p->g,
                               .fold = op == BUILTIN_MAX_POOL_2D  ? POOL_MAX
                                       : op == BUILTIN_L2_POOL_2D ? POOL_L2
                                                                  : POOL_AVERAGE,
                               .type = c->node->in[0]->type,
                               .doubles = c->double_sums,
                               .range = p->range,
                               .range_quant = p->range_quant,
                               .x = c->node->in[0]->data,
                               .y = c->node->out[0]->data};

    if (c->mode == CPU_REFERENCE)
        threads_for(c->threads, (size_t)p->g.n * (size_t)p->g.oh, 1, pool_plain_rows, &plain);
    else
        threads_for(c->threads, (size_t)p->g.n * (size_t)p->g.oh, 1, pool_rows, c);
}

const struct cpu_kernel cpu_average_pool = {.arity = {1, 1, 1}, .shape = pool_shape, .prepare = pool_prepare, .compute = pool_run};
const struct cpu_kernel cpu_max_pool = {.arity = {1, 1, 1}, .shape = pool_shape, .prepare = pool_prepare, .compute = pool_run};
const struct cpu_kernel cpu_l2_pool = {.arity = {1, 1, 1}, .shape = pool_shape, .prepare = pool_prepare, .compute = pool_run};
