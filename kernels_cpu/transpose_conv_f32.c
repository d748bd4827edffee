/* transpose_conv_f32.c - float32 transposed convolution on the gemm loops.
 *
 * Output rows whose (oy + pt) leaves the same remainder by the stride see the same window rows, and likewise columns: each
 * such phase is a plain convolution of stride 1 over the padded input. Sums run over input rows and columns in ascending
 * order, which is TFLite's, so window positions descend. */
#include <math.h>

#include "gemm.h"
#include "layout.h"
#include "transpose_conv.h"

struct tconv_plan {
    const struct tconv_impl *impl;
    struct tconv t;
    struct range_f32 range;
    const struct gemm_isa *isa;
    struct padded padded;
    int32_t before_h, before_w;  /* rows and columns of padding: how far back a window reaches */
    bool constant;               /* weights and bias were packed by prepare; else each run packs them into scratch */
    bool literal;                /* the padded image is too large */
    bool finite;                 /* no weight is infinite or NaN */
    size_t w, bias;              /* offsets in packed or scratch */
    size_t taps, image;          /* offsets in scratch */
};

/* The window positions along one dimension that reach an output o, through which input, for all o of one phase. */
struct phase {
    int32_t first;               /* smallest o of the phase */
    int32_t count;               /* outputs in it */
    int32_t input;               /* (first + pad) / stride: the last input that `first` sees */
    int32_t k;                   /* (first + pad) % stride: the window position through which it sees it */
    int32_t taps;                /* window positions k, k + stride, ..., each one input further back */
};

static struct phase phase_make(int32_t first, int32_t out, int32_t stride, int32_t pad, int32_t kernel)
{
    int64_t at = (int64_t)first + pad;
    struct phase p = {.first = first, .count = (int32_t)(((int64_t)out - first + stride - 1) / stride),
                      .input = (int32_t)(at / stride), .k = (int32_t)(at % stride)};

    p.taps = p.k < kernel ? (kernel - 1 - p.k) / stride + 1 : 0;
    return p;
}

static bool weights_pack(const struct tconv_plan *p, char *base)
{
    const struct conv_geometry *g = &p->t.g;
    size_t taps = (size_t)g->kh * (size_t)g->kw, ic = (size_t)g->ic, elems = tensor_elems(p->t.filter);
    const float *w = p->t.filter->data;
    bool finite = true;

    gemm_f32_pack(p->isa, taps, ic, (size_t)g->oc, w, (struct gemm_strides){ic, 1, taps * ic}, (float *)(base + p->w));
    gemm_f32_pack_bias(p->isa, (size_t)g->oc, p->t.bias ? p->t.bias->data : NULL, (float *)(base + p->bias));
    for (size_t i = 0; i < elems; i++)
        finite &= isfinite(w[i]);
    return finite;
}

static void padding_plan(struct tconv_plan *p)
{
    const struct conv_geometry *g = &p->t.g;

    p->before_h = g->kh ? (g->kh - 1) / g->sh : 0;
    p->before_w = g->kw ? (g->kw - 1) / g->sw : 0;
    if (g->oh < 1 || g->ow < 1)
        return;
    p->padded.h = (size_t)p->before_h + (size_t)(((int64_t)g->oh - 1 + g->pt) / g->sh) + 1;
    p->padded.w = (size_t)p->before_w + (size_t)(((int64_t)g->ow - 1 + g->pl) / g->sw) + 1;
}

static enum status tconv_f32_prepare(struct cpu_call *c, const struct tconv *t, struct err *err)
{
    struct tconv_plan p = {.impl = &tconv_f32, .t = *t, .isa = gemm_f32_isa(c->mode), .finite = true};
    const struct conv_geometry *g = &t->g;
    size_t taps = (size_t)g->kh * (size_t)g->kw, pixels;
    struct layout packed = {0}, scratch = {0}, *weights;
    enum status st = activation_range(t->activation, &p.range, err);

    if (st)
        return st;
    p.constant = t->filter->is_const && (!t->bias || t->bias->is_const);
    padding_plan(&p);
    layout_add(&packed, 1, sizeof p);
    weights = p.constant ? &packed : &scratch;
    p.w = layout_add(weights, gemm_f32_packed(p.isa, taps, (size_t)g->ic, (size_t)g->oc), sizeof(float));
    p.bias = layout_add(weights, gemm_panels(p.isa, (size_t)g->oc) * (size_t)p.isa->lanes, sizeof(float));
    p.taps = layout_add(&scratch, taps, 2 * sizeof(size_t));
    p.literal = !padded_fits(p.padded, t->input->bytes + c->node->out[0]->bytes, &pixels);
    if (!p.literal)
        p.image = layout_add(&scratch, pixels, (size_t)g->ic * sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    if (p.constant)
        p.finite = weights_pack(&p, c->packed);
    *(struct tconv_plan *)c->packed = p;
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

/* The inputs [i0, i1) that reach output o. */
static struct conv_span inputs_of(int32_t o, int32_t stride, int32_t pad, int32_t kernel, int32_t in)
{
    int64_t at = (int64_t)o + pad;
    int64_t i0 = at - kernel + 1 > 0 ? (at - kernel + stride) / stride : 0, i1 = at / stride + 1;

    i1 = i1 > in ? in : i1;
    return (struct conv_span){at, (int32_t)(i0 > i1 ? i1 : i0), (int32_t)i1};
}

/* The definition, for one output element. */
static float literal_sum(const struct tconv *t, const float *image, struct conv_span sy, struct conv_span sx,
                         size_t oc, float sum)
{
    const struct conv_geometry *g = &t->g;
    const float *filter = (const float *)t->filter->data + oc * (size_t)g->kh * (size_t)g->kw * (size_t)g->ic;

    for (int32_t iy = sy.k0; iy < sy.k1; iy++) {
        for (int32_t ix = sx.k0; ix < sx.k1; ix++) {
            size_t ky = (size_t)(sy.origin - (int64_t)iy * g->sh), kx = (size_t)(sx.origin - (int64_t)ix * g->sw);
            const float *x = image + ((size_t)iy * (size_t)g->iw + (size_t)ix) * (size_t)g->ic;
            const float *w = filter + (ky * (size_t)g->kw + kx) * (size_t)g->ic;

            for (size_t k = 0; k < (size_t)g->ic; k++)
                sum += x[k] * w[k];
        }
    }
    return sum;
}

static void literal_rows(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;
    const struct tconv_plan *p = c->packed;
    const struct conv_geometry *g = &p->t.g;
    const float *bias = p->t.bias ? p->t.bias->data : NULL;

    for (size_t row = begin; row < end; row++) {
        const float *image = (const float *)p->t.input->data + row / (size_t)g->oh * (size_t)g->ih * (size_t)g->iw *
                             (size_t)g->ic;
        float *y = (float *)c->node->out[0]->data + row * (size_t)g->ow * (size_t)g->oc;
        struct conv_span sy = inputs_of((int32_t)(row % (size_t)g->oh), g->sh, g->pt, g->kh, g->ih);

        for (int32_t ox = 0; ox < g->ow; ox++) {
            struct conv_span sx = inputs_of(ox, g->sw, g->pl, g->kw, g->iw);

            for (size_t oc = 0; oc < (size_t)g->oc; oc++, y++) {
                float b = bias ? bias[oc] : 0;
                float sum = literal_sum(&p->t, image, sy, sx, oc, p->t.bias_first ? b : 0);

                *y = activation_clamp(p->t.bias_first ? sum : sum + b, p->range);
            }
        }
    }
}

static void phase_run(const struct tconv_plan *p, struct cpu_call *c, struct gemm *gemm, const char *image, char *y,
                      struct phase py, struct phase px)
{
    const struct conv_geometry *g = &p->t.g;
    size_t *tap = (size_t *)((char *)c->scratch + p->taps), ic = (size_t)g->ic;
    size_t taps = (size_t)py.taps * (size_t)px.taps, t = 0;

    for (int32_t i = py.taps - 1; i >= 0; i--) {
        for (int32_t j = px.taps - 1; j >= 0; j--, t++) {
            tap[t] = ((size_t)(p->before_h - i) * p->padded.w + (size_t)(p->before_w - j)) * ic;
            tap[taps + t] = ((size_t)py.k + (size_t)i * (size_t)g->sh) * (size_t)g->kw +
                            (size_t)px.k + (size_t)j * (size_t)g->sw;
        }
    }
    gemm->rows = (size_t)py.count;
    gemm->cols = (size_t)px.count;
    gemm->x = image + ((size_t)py.input * p->padded.w + (size_t)px.input) * ic * sizeof(float);
    gemm->y = y + ((size_t)py.first * (size_t)g->ow + (size_t)px.first) * (size_t)g->oc * sizeof(float);
    gemm->taps = taps;
    gemm->tap_x = tap;
    gemm->tap_w = tap + taps;
    gemm_run(gemm, c->threads);
}

static void image_run(const struct tconv_plan *p, struct cpu_call *c, struct gemm *gemm, const char *x, char *y)
{
    const struct conv_geometry *g = &p->t.g;
    char *image = (char *)c->scratch + p->image;

    pad_image(c->threads, x, g->ih, g->iw, (size_t)g->ic * sizeof(float), p->before_h, p->before_w, p->padded, 0,
              image);
    for (int32_t oy = 0; oy < g->oh && oy < g->sh; oy++) {
        struct phase py = phase_make(oy, g->oh, g->sh, g->pt, g->kh);

        for (int32_t ox = 0; ox < g->ow && ox < g->sw; ox++)
            phase_run(p, c, gemm, image, y, py, phase_make(ox, g->ow, g->sw, g->pl, g->kw));
    }
}

static enum status tconv_f32_run(struct cpu_call *c, struct err *err)
{
    const struct tconv_plan *p = c->packed;
    const struct conv_geometry *g = &p->t.g;
    char *weights = p->constant ? c->packed : c->scratch;
    bool finite = p->constant ? p->finite : weights_pack(p, weights);
    const struct gemm_f32_post post = {(const float *)(weights + p->bias), p->t.bias_first, p->range.lo, p->range.hi};
    size_t pixel = (size_t)g->oc * sizeof(float), row = (size_t)g->ow * pixel;
    struct gemm gemm = {
        .isa = p->isa, .x_row = p->padded.w * (size_t)g->ic * sizeof(float), .x_col = (size_t)g->ic * sizeof(float),
        .y_row = row * (size_t)g->sh, .y_col = pixel * (size_t)g->sw, .channels = (size_t)g->oc,
        .depth = (size_t)g->ic, .w_taps = (size_t)g->kh * (size_t)g->kw, .w = weights + p->w, .post = &post,
    };

    (void)err;
    if (p->literal || !finite) {
        threads_for(c->threads, (size_t)g->n * (size_t)g->oh, 1, literal_rows, c);
        return ST_OK;
    }
    for (size_t i = 0; i < (size_t)g->n; i++)
        image_run(p, c, &gemm, (const char *)p->t.input->data + i * (size_t)g->ih * (size_t)g->iw * gemm.x_col,
                  (char *)c->node->out[0]->data + i * (size_t)g->oh * row);
    return ST_OK;
}

const struct tconv_impl tconv_f32 = {tconv_f32_prepare, tconv_f32_run};
