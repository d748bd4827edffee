/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_rows.c - cuts output rows of DEPTHWISE_CONV_2D into runs of positions that see the same part of the window. */
#include "kernels_cpu/matmul/depthwise_rows.h"

#include <string.h>

struct rows_job {
    const struct dw_rows *r;
    int32_t inner0, inner1; /* columns of the output that see the whole window's width */
};

/* Compute output columns [first, first + cols) of one row, whose windows are cut to sy and sx. */
static void cols_run(const struct dw_rows *r, const void *post, size_t row, int32_t first, int32_t cols, struct conv_span sy,
                     struct conv_span sx)
{
    const struct conv_geometry *g = &r->g;
    size_t c = (size_t)g->oc, image = row / (size_t)g->oh * (size_t)g->ih;
    struct dw_run run = {
        .x = r->x,
        .w = r->w,
        .y = (char *)r->y + (row * (size_t)g->ow + (size_t)first) * c * r->y_bytes,
        .cols = (size_t)cols,
        .channels = c,
        .x_col = (size_t)g->sw * c,
        .x_ky = (size_t)g->dh * (size_t)g->iw * c,
        .x_kx = (size_t)g->dw * c,
        .w_row = (size_t)g->kw * c,
        .w_col = c,
        .y_col = c * r->y_bytes,
        .kh = sy.k1 - sy.k0,
        .kw = sx.k1 - sx.k0,
        .post = post,
    };

    if (run.kh > 0 && run.kw > 0) {
        size_t iy = (size_t)(sy.origin + (int64_t)sy.k0 * g->dh), ix = (size_t)(sx.origin + (int64_t)sx.k0 * g->dw);

        run.x = (const char *)r->x + ((image + iy) * (size_t)g->iw + ix) * c * r->x_bytes;
        run.w = (const char *)r->w + ((size_t)sy.k0 * (size_t)g->kw + (size_t)sx.k0) * c * r->w_bytes;
    } else {
        run.kh = run.kw = 0;
    }
    r->run(&run);
}

static void rows_run(void *arg, size_t begin, size_t end)
{
    const struct rows_job *j = arg;
    const struct conv_geometry *g = &j->r->g;

    for (size_t row = begin; row < end; row++) {
        char room[256] __attribute__((aligned(16)));
        const void *post = j->r->post ? j->r->post(j->r->post_arg, row / (size_t)g->oh, room) : j->r->post_arg;
        struct conv_span sy = conv_span((int32_t)(row % (size_t)g->oh), g->sh, g->pt, g->dh, g->kh, g->ih);

        for (int32_t ox = 0; ox < g->ow;) {
            int32_t cols = ox == j->inner0 && j->inner1 > ox ? j->inner1 - ox : 1;

            cols_run(j->r, post, row, ox, cols, sy, conv_span(ox, g->sw, g->pl, g->dw, g->kw, g->iw));
            ox += cols;
        }
    }
}

void dw_rows_run(const struct dw_rows *r, struct threads *threads)
{
    const struct conv_geometry *g = &r->g;
    struct rows_job job = {.r = r};

    while (job.inner0 < g->ow && conv_span(job.inner0, g->sw, g->pl, g->dw, g->kw, g->iw).k0 > 0)
        job.inner0++;
    job.inner1 = job.inner0;
    while (job.inner1 < g->ow && conv_span(job.inner1, g->sw, g->pl, g->dw, g->kw, g->iw).k1 == g->kw)
        job.inner1++;
    threads_for(threads, (size_t)g->n * (size_t)g->oh, 1, rows_run, &job);
}

size_t dw_expanded_layout(const struct conv_geometry *g, size_t bytes, struct layout *l)
{
    size_t pixels = (size_t)g->n * (size_t)g->ih * (size_t)g->iw, elems;

    /* The input's elements have been counted, so its pixels cannot overflow. */
    if (__builtin_mul_overflow(pixels, (size_t)g->oc, &elems))
        elems = SIZE_MAX;
    return layout_add(l, elems, bytes);
}

struct expand_job {
    const char *from;
    char *to;
    size_t bytes, multiplier;
};

static void expand(void *arg, size_t begin, size_t end)
{
    const struct expand_job *j = arg;

    for (size_t i = begin; i < end; i++)
        for (size_t k = i * j->multiplier; k < (i + 1) * j->multiplier; k++)
            if (j->bytes == 2)
                memcpy(j->to + k * 2, j->from + i * 2, 2);
            else
                memcpy(j->to + k * 4, j->from + i * 4, 4);
}

void dw_expand(const struct conv_geometry *g, const void *from, size_t bytes, void *to, struct threads *threads)
{
    struct expand_job job = {from, to, bytes, (size_t)g->oc / (size_t)g->ic};

    threads_for(threads, (size_t)g->n * (size_t)g->ih * (size_t)g->iw * (size_t)g->ic, 4096, expand, &job);
}
