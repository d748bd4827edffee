/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv_gemm.c - a transposed convolution of any element type on the gemm loops. */
#include "kernels_cpu/matmul/transpose_conv_gemm.h"

/* One phase along one dimension: the outputs that use the same window positions. */
struct phase {
    size_t first; /* its smallest output o */
    size_t count; /* outputs in it */
    size_t input; /* (first + pad) / stride: the last input that `first` reads */
    size_t k;     /* (first + pad) % stride: the window position through which `first` reads it */
    size_t taps;  /* number of window positions k, k + stride, ..., each one input further back */
};

static struct phase phase_make(int32_t first, int32_t out, int32_t stride, int32_t pad, int32_t kernel)
{
    size_t at = (size_t)first + (size_t)pad, s = (size_t)stride, k = (size_t)kernel;
    struct phase p = {.first = (size_t)first, .count = ((size_t)(out - first) + s - 1) / s, .input = at / s, .k = at % s};

    p.taps = p.k < k ? (k - 1 - p.k) / s + 1 : 0;
    return p;
}

void tconv_gemm_init(struct tconv_gemm *p, const struct gemm_type *type, const struct conv_geometry *g, struct layout *weights,
                     struct layout *scratch)
{
    size_t taps = (size_t)g->kh * (size_t)g->kw, elems;

    *p = (struct tconv_gemm){.type = type, .isa = type->isa(), .g = *g};
    p->before_h = g->kh ? (size_t)((g->kh - 1) / g->sh) : 0;
    p->before_w = g->kw ? (size_t)((g->kw - 1) / g->sw) : 0;
    if (g->oh > 0 && g->ow > 0) {
        p->padded.h = p->before_h + ((size_t)g->oh - 1 + (size_t)g->pt) / (size_t)g->sh + 1;
        p->padded.w = p->before_w + ((size_t)g->ow - 1 + (size_t)g->pl) / (size_t)g->sw + 1;
    }
    p->w = layout_add(weights, 1, gemm_packed_bytes(type, p->isa, taps, (size_t)g->ic, (size_t)g->oc));
    p->taps = layout_add(scratch, taps, 2 * sizeof(size_t));
    if (__builtin_mul_overflow(p->padded.h, p->padded.w, &elems) || __builtin_mul_overflow(elems, (size_t)g->ic, &elems) ||
        __builtin_add_overflow(elems, 1, &elems))
        elems = SIZE_MAX;
    p->image = layout_add(scratch, elems, type->bytes);
}

void tconv_gemm_pack(const struct tconv_gemm *p, const void *w, void *packed)
{
    const struct conv_geometry *g = &p->g;
    size_t taps = (size_t)g->kh * (size_t)g->kw, ic = (size_t)g->ic, oc = (size_t)g->oc;
    size_t panel = (size_t)p->isa->lanes, tap_bytes = gemm_packed_bytes(p->type, p->isa, 1, ic, panel);

    /* Tap by tap, since no table of their offsets exists yet: taps of a panel lie behind one another. */
    for (size_t first = 0; first < oc; first += panel) {
        size_t channels = oc - first < panel ? oc - first : panel;

        for (size_t t = 0; t < taps; t++) {
            size_t from = (first * taps + t) * ic;
            struct gemm_source s = {w, &from, 1, taps * ic};

            p->type->pack(p->isa, 1, ic, channels, s, (char *)packed + (first / panel * taps + t) * tap_bytes);
        }
    }
}

static void phase_run(const struct tconv_gemm *p, const struct tconv_gemm_run *r, struct gemm *gemm, char *y, struct phase py,
                      struct phase px, struct threads *threads)
{
    const struct conv_geometry *g = &p->g;
    size_t *tap = (size_t *)((char *)r->scratch + p->taps), ic = (size_t)g->ic;
    size_t taps = py.taps * px.taps, t = 0;

    for (size_t i = py.taps; i-- > 0;) {
        for (size_t j = px.taps; j-- > 0; t++) {
            tap[t] = ((p->before_h - i) * p->padded.w + (p->before_w - j)) * ic;
            tap[taps + t] = (py.k + i * (size_t)g->sh) * (size_t)g->kw + px.k + j * (size_t)g->sw;
        }
    }
    gemm->rows = py.count;
    gemm->cols = px.count;
    gemm->x = (char *)r->scratch + p->image + (py.input * p->padded.w + px.input) * ic * p->type->bytes;
    gemm->y = y + (py.first * (size_t)g->ow + px.first) * (size_t)g->oc * r->output_bytes;
    gemm->taps = taps;
    gemm->tap_x = tap;
    gemm->tap_w = tap + taps;
    gemm_run(gemm, threads);
}

static void phases_run(const struct tconv_gemm *p, const struct tconv_gemm_run *r, struct gemm *gemm, char *y,
                       struct threads *threads)
{
    const struct conv_geometry *g = &p->g;

    for (int32_t oy = 0; oy < g->oh && oy < g->sh; oy++) {
        struct phase py = phase_make(oy, g->oh, g->sh, g->pt, g->kh);

        for (int32_t ox = 0; ox < g->ow && ox < g->sw; ox++)
            phase_run(p, r, gemm, y, py, phase_make(ox, g->ow, g->sw, g->pl, g->kw), threads);
    }
}

void tconv_gemm_run(const struct tconv_gemm *p, const struct tconv_gemm_run *r, struct threads *threads)
{
    const struct conv_geometry *g = &p->g;
    size_t ic = (size_t)g->ic, y_pixel = (size_t)g->oc * r->output_bytes, y_row = (size_t)g->ow * y_pixel;
    struct gemm gemm = {
        .isa = p->isa,
        .x_row = p->padded.w * ic * p->type->bytes,
        .x_col = ic * p->type->bytes,
        .y_row = y_row * (size_t)g->sh,
        .y_col = y_pixel * (size_t)g->sw,
        .channels = (size_t)g->oc,
        .depth = ic,
        .w_taps = (size_t)g->kh * (size_t)g->kw,
        .w = r->weights,
        .post = r->post,
    };

    for (size_t i = 0; i < (size_t)g->n; i++) {
        struct pad_spec pad = {
            .ih = (size_t)g->ih,
            .iw = (size_t)g->iw,
            .ic = ic,
            .pt = p->before_h,
            .pl = p->before_w,
            .p = p->padded,
            .bytes = p->type->bytes,
            .copy = r->copy,
            .arg = r->copy_arg,
            .first = i * (size_t)g->ih * (size_t)g->iw * ic,
        };

        pad_image(threads, &pad, (char *)r->scratch + p->image);
        phases_run(p, r, &gemm, (char *)r->output + i * (size_t)g->oh * y_row, threads);
    }
}
