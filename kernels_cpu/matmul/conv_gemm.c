/* SPDX-License-Identifier: Apache-2.0 */
/* conv_gemm.c - a 2-D convolution of any element type on the gemm loops. */
#include "kernels_cpu/matmul/conv_gemm.h"

void conv_gemm_init(struct conv_gemm *p, const struct gemm_type *type, const struct conv_geometry *g, int32_t filter_c)
{
    *p = (struct conv_gemm){.type = type, .isa = type->isa(), .g = *g, .filter_kh = g->kh, .filter_kw = g->kw};
    conv_trim(&p->g, &p->cut_h, &p->cut_w);
    p->group_ic = (size_t)filter_c;
    p->groups = (size_t)g->ic / p->group_ic;
    p->group_oc = (size_t)g->oc / p->groups;
    p->taps = (size_t)p->g.kh;
    p->depth = (size_t)p->g.kw * p->group_ic;
    if (p->groups > 1 || g->dw > 1) {
        p->taps *= (size_t)p->g.kw;
        p->depth = p->group_ic;
    }
    p->pad = conv_has_padding(&p->g);
    p->padded = p->pad ? conv_padded(&p->g) : (struct padded){(size_t)g->ih, (size_t)g->iw};
    p->group_bytes = gemm_packed_bytes(type, p->isa, p->taps, p->depth, p->group_oc);
}

size_t conv_gemm_taps_layout(const struct conv_gemm *p, struct layout *l)
{
    return layout_add(l, 3 * p->taps, sizeof(size_t));
}

void conv_gemm_taps(struct conv_gemm *p, void *memory)
{
    size_t ic = (size_t)p->g.ic, kx = p->g.kh ? p->taps / (size_t)p->g.kh : 1; /* taps per row of the window */

    p->tap_x = memory;
    p->tap_w = p->tap_x + p->taps;
    p->tap_from = p->tap_w + p->taps;
    for (size_t t = 0; t < p->taps; t++) {
        size_t row = t / kx, col = t % kx;

        p->tap_x[t] = (row * (size_t)p->g.dh * p->padded.w + col * (size_t)p->g.dw) * ic;
        p->tap_w[t] = t;
        p->tap_from[t] = (((size_t)p->cut_h + row) * (size_t)p->filter_kw + (size_t)p->cut_w + col) * p->group_ic;
    }
}

size_t conv_gemm_weights_layout(const struct conv_gemm *p, struct layout *l)
{
    return layout_add(l, p->groups, p->group_bytes);
}

size_t conv_gemm_image_layout(const struct conv_gemm *p, struct layout *l)
{
    size_t pixels;

    if (__builtin_mul_overflow(p->padded.h, p->padded.w, &pixels) || __builtin_mul_overflow(pixels, (size_t)p->g.ic, &pixels) ||
        __builtin_add_overflow(pixels, GEMM_BEYOND, &pixels))
        pixels = SIZE_MAX;
    return layout_add(l, pixels, p->type->bytes);
}

void conv_gemm_pack(const struct conv_gemm *p, const void *w, void *packed)
{
    size_t per_channel = (size_t)p->filter_kh * (size_t)p->filter_kw * p->group_ic;

    for (size_t g = 0; g < p->groups; g++) {
        struct gemm_source s = {(const char *)w + g * p->group_oc * per_channel * p->type->w_bytes, p->tap_from, 1, per_channel};

        p->type->pack(p->isa, p->taps, p->depth, p->group_oc, s, (char *)packed + g * p->group_bytes);
    }
}

static void groups_run(const struct conv_gemm *p, const struct conv_gemm_run *r, struct gemm *gemm, size_t image,
                       struct threads *threads)
{
    const char *x = gemm->x;
    char *y = gemm->y;

    for (size_t g = 0; g < p->groups; g++) {
        char room[256] __attribute__((aligned(16)));

        gemm->x = x + g * p->group_ic * p->type->bytes;
        gemm->y = y + g * p->group_oc * r->output_bytes;
        gemm->w = (const char *)r->weights + g * p->group_bytes;
        gemm->post = r->post(r->post_arg, image, g, room);
        gemm_run(gemm, threads);
    }
}

/* Return the padded image, or the input itself. */
static const void *image_make(const struct conv_gemm *p, const struct conv_gemm_run *r, size_t image, struct threads *threads)
{
    size_t elems = (size_t)p->g.ih * (size_t)p->g.iw * (size_t)p->g.ic;
    struct pad_spec pad = {
        .ih = (size_t)p->g.ih,
        .iw = (size_t)p->g.iw,
        .ic = (size_t)p->g.ic,
        .pt = (size_t)p->g.pt,
        .pl = (size_t)p->g.pl,
        .p = p->padded,
        .bytes = p->type->bytes,
        .copy = r->copy,
        .arg = r->copy_arg,
        .first = image * elems,
        .fill = r->pad_byte,
    };

    if (!p->pad && r->input)
        return (const char *)r->input + image * elems * p->type->bytes;
    pad_image(threads, &pad, r->image);
    return r->image;
}

void conv_gemm_run(const struct conv_gemm *p, const struct conv_gemm_run *r, struct threads *threads)
{
    const struct conv_geometry *g = &p->g;
    size_t pixel = (size_t)g->ic * p->type->bytes, y_pixel = (size_t)g->oc * r->output_bytes, images = (size_t)g->n;
    struct gemm gemm = {
        .isa = p->isa,
        .rows = (size_t)g->oh,
        .cols = (size_t)g->ow,
        .x_row = p->padded.w * pixel * (size_t)g->sh,
        .x_col = pixel * (size_t)g->sw,
        .y_row = (size_t)g->ow * y_pixel,
        .y_col = y_pixel,
        .channels = p->group_oc,
        .depth = p->depth,
        .taps = p->taps,
        .tap_x = p->tap_x,
        .tap_w = p->tap_w,
        .w_taps = p->taps,
    };
    bool pointwise = g->kh == 1 && g->kw == 1 && g->sh == 1 && g->sw == 1 && !p->pad;

    if (pointwise) {
        gemm.cols *= gemm.rows;
        gemm.rows = 1;
    }
    for (size_t i = 0; i < images; i++) {
        gemm.x = image_make(p, r, i, threads);
        gemm.y = (char *)r->output + i * (size_t)g->oh * (size_t)g->ow * y_pixel;
        groups_run(p, r, &gemm, i, threads);
    }
}
