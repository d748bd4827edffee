/* transpose_conv_f32.c - float32 transposed convolution on the gemm loops.
 *
 * A padded zero changes no sum unless its weight is infinite or NaN: then the literal loops stand in. */
#include <math.h>
#include <string.h>

#include "transpose_conv.h"
#include "transpose_conv_gemm.h"

struct tconv_plan {
    const struct tconv_impl *impl;
    struct tconv_gemm p;
    struct tconv t;
    struct range_f32 range;
    bool constant;               /* weights and bias were packed by prepare; else each run packs them into scratch */
    bool finite;                 /* no weight is infinite or NaN */
    size_t bias;                 /* offset in packed or scratch */
};

static bool weights_pack(const struct tconv_plan *p, char *base)
{
    const float *w = p->t.filter->data;
    size_t elems = tensor_elems(p->t.filter);
    bool finite = true;

    tconv_gemm_pack(&p->p, w, base + p->p.w);
    gemm_f32_pack_bias(p->p.isa, (size_t)p->t.g.oc, p->t.bias ? p->t.bias->data : NULL, (float *)(base + p->bias));
    for (size_t i = 0; i < elems; i++)
        finite &= isfinite(w[i]);
    return finite;
}

static enum status tconv_f32_prepare(struct cpu_call *c, const struct tconv *t, struct err *err)
{
    struct tconv_plan p = {.impl = &tconv_f32, .t = *t, .finite = true};
    struct layout packed = {0}, scratch = {0}, *weights;
    enum status st = activation_range(t->activation, &p.range, err);

    if (st)
        return st;
    p.constant = t->filter->is_const && (!t->bias || t->bias->is_const);
    layout_add(&packed, 1, sizeof p);
    weights = p.constant ? &packed : &scratch;
    tconv_gemm_init(&p.p, &gemm_f32, c->mode, &t->g, weights, &scratch);
    p.bias = layout_add(weights, gemm_panels(p.p.isa, (size_t)t->g.oc) * (size_t)p.p.isa->lanes, sizeof(float));
    if ((st = cpu_pack(c, packed.bytes, err)))
        return st;
    if (p.constant)
        p.finite = weights_pack(&p, c->packed);
    *(struct tconv_plan *)c->packed = p;
    c->scratch_bytes = scratch.bytes;
    return ST_OK;
}

/* The inputs [k0, k1) that reach output o. */
static struct conv_span inputs_of(int32_t o, int32_t stride, int32_t pad, int32_t kernel, int32_t in)
{
    int64_t at = (int64_t)o + pad;
    int64_t i0 = at - kernel + 1 > 0 ? (at - kernel + stride) / stride : 0, i1 = at / stride + 1;

    i1 = i1 > in ? in : i1;
    return (struct conv_span){at, (int32_t)(i0 > i1 ? i1 : i0), (int32_t)i1};
}

/* The definition, for one output element. */
static float literal_sum(const struct tconv *t, const float *image, struct conv_span sy, struct conv_span sx, size_t oc,
                         float sum)
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

static void literal_row(const struct tconv_plan *p, float *output, size_t row)
{
    const struct conv_geometry *g = &p->t.g;
    const float *bias = p->t.bias ? p->t.bias->data : NULL;
    const float *image = (const float *)p->t.input->data + row / (size_t)g->oh * (size_t)g->ih * (size_t)g->iw *
                         (size_t)g->ic;
    float *y = output + row * (size_t)g->ow * (size_t)g->oc;
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

static void literal_rows(void *arg, size_t begin, size_t end)
{
    const struct cpu_call *c = arg;

    for (size_t row = begin; row < end; row++)
        literal_row(c->packed, c->node->out[0]->data, row);
}

static void copy(const void *arg, size_t first, size_t n, void *out)
{
    memcpy(out, (const float *)arg + first, n * sizeof(float));
}

static enum status tconv_f32_run(struct cpu_call *c, struct err *err)
{
    const struct tconv_plan *p = c->packed;
    char *weights = p->constant ? c->packed : c->scratch;
    bool finite = p->constant ? p->finite : weights_pack(p, weights);
    const struct gemm_f32_post post = {(const float *)(weights + p->bias), p->t.bias_first, p->range.lo, p->range.hi};
    struct tconv_gemm_run r = {
        .weights = weights + p->p.w, .scratch = c->scratch, .copy = copy, .copy_arg = p->t.input->data,
        .output = c->node->out[0]->data, .output_bytes = sizeof(float), .post = &post,
    };

    (void)err;
    if (!finite)
        threads_for(c->threads, (size_t)p->t.g.n * (size_t)p->t.g.oh, 1, literal_rows, c);
    else
        tconv_gemm_run(&p->p, &r, c->threads);
    return ST_OK;
}

const struct tconv_impl tconv_f32 = {tconv_f32_prepare, tconv_f32_run};
