/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_literal.c - CPU_FAST's transposed convolution if a weight is infinite or NaN, one output element at a time. */
#include "kernels_cpu/matmul/transpose_conv.h"

/* The inputs [k0, k1) that reach output o. */
static struct conv_span inputs_of(int32_t o, int32_t stride, int32_t pad, int32_t kernel, int32_t in)
{
    int64_t at = (int64_t)o + pad;
    int64_t i0 = at - kernel + 1 > 0 ? (at - kernel + stride) / stride : 0, i1 = at / stride + 1;

    i1 = i1 > in ? in : i1;
    return (struct conv_span){at, (int32_t)(i0 > i1 ? i1 : i0), (int32_t)i1};
}

struct literal {
    const struct tconv *t;
    struct range_f32 range;
    float *output;
};

static float element(const struct tconv *t, size_t image, struct conv_span sy, struct conv_span sx, size_t oc, float sum)
{
    const struct conv_geometry *g = &t->g;
    size_t ic = (size_t)g->ic, rows = image * (size_t)g->ih;

    for (int32_t iy = sy.k0; iy < sy.k1; iy++) {
        for (int32_t ix = sx.k0; ix < sx.k1; ix++) {
            size_t ky = (size_t)(sy.origin - (int64_t)iy * g->sh), kx = (size_t)(sx.origin - (int64_t)ix * g->sw);
            const float *x = (const float *)t->input->data + ((rows + (size_t)iy) * (size_t)g->iw + (size_t)ix) * ic;
            const float *w = (const float *)t->filter->data + ((oc * (size_t)g->kh + ky) * (size_t)g->kw + kx) * ic;

            for (size_t k = 0; k < ic; k++)
                sum += x[k] * w[k];
        }
    }
    return sum;
}

static void row(const struct literal *l, size_t at)
{
    const struct tconv *t = l->t;
    const struct conv_geometry *g = &t->g;
    const float *bias = t->bias ? t->bias->data : NULL;
    float *y = l->output + at * (size_t)g->ow * (size_t)g->oc;
    struct conv_span sy = inputs_of((int32_t)(at % (size_t)g->oh), g->sh, g->pt, g->kh, g->ih);

    for (int32_t ox = 0; ox < g->ow; ox++) {
        struct conv_span sx = inputs_of(ox, g->sw, g->pl, g->kw, g->iw);

        for (size_t oc = 0; oc < (size_t)g->oc; oc++, y++) {
            float b = bias ? bias[oc] : 0;
            float sum = element(t, at / (size_t)g->oh, sy, sx, oc, t->bias_first ? b : 0);

            *y = activation_clamp(t->bias_first ? sum : sum + b, l->range);
        }
    }
}

static void rows(void *arg, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        row(arg, i);
}

void tconv_literal_run(const struct tconv *t, struct range_f32 range, float *output, struct threads *threads)
{
    struct literal l = {t, range, output};

    threads_for(threads, (size_t)t->g.n * (size_t)t->g.oh, 1, rows, &l);
}
