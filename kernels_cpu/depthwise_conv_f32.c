/* depthwise_conv_f32.c - float32 DEPTHWISE_CONV_2D: vectors lie across channels, each sum runs over the window in order.
 *
 * Positions whose window lies inside the input run in tiles; those at an edge run one by one with the window cut. */
#include <string.h>

#include "depthwise_conv.h"
#include "layout.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* A run of neighbouring positions that see the same part of the window. Strides are in floats. */
struct dw_run {
    const float *x, *w, *bias;
    float *y;
    size_t cols, channels;
    size_t x_col, x_ky, x_kx;    /* from one position, window row, window column to the next */
    size_t w_row;
    int kh, kw;
    float lo, hi;
};

#define ROUNDED(acc, w, x) ((acc) + (w) * (x))

#define NAME scalar
#define TARGET
#define LANES 1
#define MADD ROUNDED
#include "depthwise_f32_row.h"

#define NAME plain
#define TARGET
#define LANES 4
#define MADD ROUNDED
#include "depthwise_f32_row.h"

static void row_plain(const struct dw_run *r, size_t c)
{
    scalar_row(r, plain_row(r, c));
}

static void run_plain(const struct dw_run *r)
{
    row_plain(r, 0);
}

#if defined(__x86_64__)

#define NAME avx
#define TARGET __attribute__((target("avx")))
#define LANES 8
#define MADD ROUNDED
#include "depthwise_f32_row.h"

#define NAME fma
#define TARGET __attribute__((target("avx2,fma")))
#define LANES 8
#define MADD(acc, w, x) _mm256_fmadd_ps((w), (x), (acc))
#include "depthwise_f32_row.h"

#define NAME fma512
#define TARGET __attribute__((target("avx512f,fma")))
#define LANES 16
#define MADD(acc, w, x) _mm512_fmadd_ps((w), (x), (acc))
#include "depthwise_f32_row.h"

static void run_avx(const struct dw_run *r)
{
    row_plain(r, avx_row(r, 0));
}

static void run_fma(const struct dw_run *r)
{
    row_plain(r, fma_row(r, 0));
}

static void run_fma512(const struct dw_run *r)
{
    row_plain(r, fma_row(r, fma512_row(r, 0)));
}

typedef void (*dw_run_fn)(const struct dw_run *);

static dw_run_fn run_choose(enum cpu_mode mode)
{
    if (mode == CPU_FAST && __builtin_cpu_supports("avx512f"))
        return run_fma512;
    if (mode == CPU_FAST && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return run_fma;
    return __builtin_cpu_supports("avx") ? run_avx : run_plain;
}

#else

typedef void (*dw_run_fn)(const struct dw_run *);

#if defined(__aarch64__)

#define NAME neon
#define TARGET
#define LANES 4
#define MADD(acc, w, x) vfmaq_f32((acc), (w), (x))
#include "depthwise_f32_row.h"

static void run_neon(const struct dw_run *r)
{
    scalar_row(r, neon_row(r, 0));
}

static dw_run_fn run_choose(enum cpu_mode mode)
{
    return mode == CPU_FAST ? run_neon : run_plain;
}

#else

static dw_run_fn run_choose(enum cpu_mode mode)
{
    (void)mode;
    return run_plain;
}

#endif
#endif

/* Several output channels per input channel: inputs are scalars here, vectors lie across the outputs that share one. */
static void run_multiplied(const struct dw_run *r, size_t multiplier)
{
    for (size_t col = 0; col < r->cols; col++) {
        float *y = r->y + col * r->channels;

        memset(y, 0, r->channels * sizeof *y);
        for (size_t k = 0; k < (size_t)r->kh * (size_t)r->kw; k++) {
            size_t ky = k / (size_t)r->kw, kx = k % (size_t)r->kw;
            const float *x = r->x + col * r->x_col + ky * r->x_ky + kx * r->x_kx;
            const float *w = r->w + ky * r->w_row + kx * r->channels;

            for (size_t c = 0; c < r->channels; c += multiplier, x++)
                for (size_t i = 0; i < multiplier; i++)
                    y[c + i] += *x * w[c + i];
        }
        for (size_t c = 0; c < r->channels; c++)
            y[c] = activation_clamp(y[c] + r->bias[c], (struct range_f32){r->lo, r->hi});
    }
}

struct dw_plan {
    const struct dw_impl *impl;
    struct conv_geometry g;
    struct range_f32 range;
    dw_run_fn run;
    int32_t inner0, inner1;      /* columns of the output that see the whole window's width */
    float zeros[];               /* stands for an omitted bias */
};

static enum status dw_f32_prepare(struct cpu_call *c, const struct conv_geometry *g, struct err *err)
{
    const struct opt_depthwise_conv_2d *o = c->node->opt;
    struct layout l = {.bytes = offsetof(struct dw_plan, zeros)};
    struct dw_plan p = {.impl = &dw_f32, .g = *g, .run = run_choose(c->mode)};
    enum status st = activation_range(o->activation, &p.range, err);

    layout_add(&l, (size_t)g->oc, sizeof(float));
    if (st || (st = cpu_pack(c, l.bytes, err)))
        return st;
    while (p.inner0 < g->ow && conv_span(p.inner0, g->sw, g->pl, g->dw, g->kw, g->iw).k0 > 0)
        p.inner0++;
    p.inner1 = p.inner0;
    while (p.inner1 < g->ow && conv_span(p.inner1, g->sw, g->pl, g->dw, g->kw, g->iw).k1 == g->kw)
        p.inner1++;
    *(struct dw_plan *)c->packed = p;
    return ST_OK;
}

/* Output columns [first, first + cols) of one row, whose windows all are cut to sy and sx. */
static void cols_run(const struct cpu_call *c, size_t row, int32_t first, int32_t cols, struct conv_span sy,
                     struct conv_span sx)
{
    const struct dw_plan *p = c->packed;
    const struct conv_geometry *g = &p->g;
    const struct tensor *bias = node_in(c->node, DW_BIAS);
    size_t ic = (size_t)g->ic, oc = (size_t)g->oc;
    size_t image = row / (size_t)g->oh * (size_t)g->ih;
    int64_t iy = sy.origin + (int64_t)sy.k0 * g->dh, ix = sx.origin + (int64_t)sx.k0 * g->dw;
    struct dw_run r = {
        .x = c->node->in[DW_INPUT]->data,
        .w = (const float *)c->node->in[DW_FILTER]->data + ((size_t)sy.k0 * (size_t)g->kw + (size_t)sx.k0) * oc,
        .bias = bias ? bias->data : p->zeros,
        .y = (float *)c->node->out[0]->data + (row * (size_t)g->ow + (size_t)first) * oc,
        .cols = (size_t)cols, .channels = oc,
        .x_col = (size_t)g->sw * ic, .x_ky = (size_t)g->dh * (size_t)g->iw * ic, .x_kx = (size_t)g->dw * ic,
        .w_row = (size_t)g->kw * oc, .kh = sy.k1 - sy.k0, .kw = sx.k1 - sx.k0, .lo = p->range.lo, .hi = p->range.hi,
    };

    if (r.kh > 0 && r.kw > 0)
        r.x += ((image + (size_t)iy) * (size_t)g->iw + (size_t)ix) * ic;
    else
        r.kh = r.kw = 0;
    if (oc == ic)
        p->run(&r);
    else
        run_multiplied(&r, oc / ic);
}

static void rows_run(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct dw_plan *p = c->packed;
    const struct conv_geometry *g = &p->g;

    for (size_t row = begin; row < end; row++) {
        struct conv_span sy = conv_span((int32_t)(row % (size_t)g->oh), g->sh, g->pt, g->dh, g->kh, g->ih);

        for (int32_t ox = 0; ox < g->ow;) {
            int32_t cols = ox == p->inner0 && p->inner1 > ox ? p->inner1 - ox : 1;

            cols_run(c, row, ox, cols, sy, conv_span(ox, g->sw, g->pl, g->dw, g->kw, g->iw));
            ox += cols;
        }
    }
}

static enum status dw_f32_run(struct cpu_call *c, struct err *err)
{
    const struct dw_plan *p = c->packed;

    (void)err;
    threads_for(c->threads, (size_t)p->g.n * (size_t)p->g.oh, 1, rows_run, c);
    return ST_OK;
}

const struct dw_impl dw_f32 = {dw_f32_prepare, dw_f32_run};
