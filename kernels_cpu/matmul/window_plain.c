/* SPDX-License-Identifier: Apache-2.0 */
/* window_plain.c - 2-D convolutions by their definition. */
#include "kernels_cpu/matmul/window_plain.h"

static void add_products(const struct cpu_call *c, const struct window_plain *w, const struct window_run *r, void *sums)
{
    const size_t oc = (size_t)w->g.oc / w->groups, ic = (size_t)w->g.ic / w->groups;
    const size_t filter = (size_t)w->g.kh * (size_t)w->g.kw * ic; /* weights of an output channel */
    const size_t step = reference_product_is_across(&w->p) ? oc : 1, w_step = reference_product_is_across(&w->p) ? oc : filter;

    if (w->groups == 1) {
        reference_product_add(c, &w->p, r->image, r->pixel * ic, r->count * ic, r->window * ic * step, w_step, 0, oc, sums);
        return;
    }
    for (size_t i = 0; i < r->count; i++)
        for (size_t g = 0; g < w->groups; g++)
            reference_product_add(c, &w->p, r->image, ((r->pixel + i) * w->groups + g) * ic, ic,
                                  g * oc * filter + (r->window + i) * ic * step, w_step, g * oc, oc, sums);
}

enum status window_plain_prepare(struct cpu_call *c, struct window_plain *w, const struct requant_spec *spec,
                                 enum activation activation, struct err *err)
{
    const struct conv_geometry *g = &w->g;
    const size_t group_oc = (size_t)g->oc / w->groups, group_ic = (size_t)g->ic / w->groups;
    enum status st = spec ? ST_OK : activation_range(activation, &w->p.range, err);

    if (st)
        return st;
    if (spec) {
        w->p.kind = REFERENCE_QUANT;
        w->p.wide = spec->kind == REQUANT_FIXED_WIDE;
        w->p.x_zero = quant_zero(w->p.x);
        w->p.w_zero = quant_zero(w->p.w);
    }
    w->p.channels = (size_t)g->oc;
    w->p.lines = (size_t)g->n * (size_t)g->oh;
    w->p.pieces = (size_t)g->n;
    if (!w->add && reference_product_is_across(&w->p))
        w->p.w_turn = (struct reference_product_turn){w->groups, group_oc, (size_t)g->kh * (size_t)g->kw * group_ic};
    w->add = w->add ? w->add : add_products;
    return reference_product_prepare(c, w, sizeof *w, &w->p, spec, err);
}

/* Return the input that output o reads through window position k along one dimension, or -1. */
static int64_t input_at(bool transposed, int32_t o, int32_t k, int32_t stride, int32_t pad, int32_t dilation, int32_t in)
{
    int64_t i = (int64_t)o * stride - pad + (int64_t)k * dilation;

    if (transposed) {
        i = (int64_t)o + pad - k;
        i = i % stride ? -1 : i / stride;
    }
    return i < in ? i : -1;
}

/* Add the products of window row ky with input row iy, counted over all images, to the sums of output column ox. */
static void window_row(const struct cpu_call *c, const struct window_plain *w, size_t image, size_t iy, size_t ky, int32_t ox,
                       void *sums)
{
    const struct conv_geometry *g = &w->g;
    struct window_run run = {.image = image};

    for (int32_t j = 0; j < g->kw; j++) {
        const int32_t kx = w->transposed ? g->kw - 1 - j : j; /* in the order of input columns */
        const int64_t ix = input_at(w->transposed, ox, kx, g->sw, g->pl, g->dw, g->iw);
        const size_t pixel = iy * (size_t)g->iw + (size_t)ix;

        if (ix < 0)
            continue;
        if (run.count && !w->transposed && g->dw == 1) {
            run.count++;
            continue;
        }
        if (run.count)
            w->add(c, w, &run, sums);
        run = (struct window_run){image, pixel, ky * (size_t)g->kw + (size_t)kx, 1};
    }
    if (run.count)
        w->add(c, w, &run, sums);
}

static void position(const struct cpu_call *c, const struct window_plain *w, size_t row, int32_t ox)
{
    const struct conv_geometry *g = &w->g;
    const size_t image = row / (size_t)g->oh, at = row * (size_t)g->ow + (size_t)ox;
    const int32_t oy = (int32_t)(row % (size_t)g->oh);
    void *sums = reference_product_sums(c, &w->p, row, at);

    for (int32_t i = 0; i < g->kh; i++) {
        const int32_t ky = w->transposed ? g->kh - 1 - i : i; /* in the order of input rows */
        const int64_t iy = input_at(w->transposed, oy, ky, g->sh, g->pt, g->dh, g->ih);

        if (iy >= 0)
            window_row(c, w, image, image * (size_t)g->ih + (size_t)iy, (size_t)ky, ox, sums);
    }
    reference_product_finish(c, &w->p, image, at, sums);
}

struct rows_job {
    const struct cpu_call *c;
    const struct window_plain *w;
};

static void rows_run(void *arg, size_t begin, size_t end)
{
    const struct rows_job *j = arg;

    for (size_t row = begin; row < end; row++)
        for (int32_t ox = 0; ox < j->w->g.ow; ox++)
            position(j->c, j->w, row, ox);
}

void window_plain_compute(struct cpu_call *c)
{
    struct window_plain *w = c->packed;
    struct rows_job job = {c, w};

    reference_product_begin(c, &w->p);
    threads_for(c->threads, w->p.lines, 1, rows_run, &job);
}
