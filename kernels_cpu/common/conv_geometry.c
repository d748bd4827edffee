/* SPDX-License-Identifier: Apache-2.0 */
/* conv_geometry.c - checks the numbers of a 2-D convolution and writes its padding out. */
#include <string.h>

#include "kernels_cpu/common/conv_geometry.h"

enum status conv_geometry_init(struct conv_geometry *g, const struct tensor *input, const struct tensor *filter, int32_t oc,
                               enum padding padding, int stride_h, int stride_w, int dilation_h, int dilation_w, struct err *err)
{
    enum status st;

    if (input->rank != 4 || filter->rank != 4)
        return err_set(err, ST_BAD_MODEL, "input and filter must have rank 4, not %d and %d", (int)input->rank, (int)filter->rank);
    *g = (struct conv_geometry){.n = input->dim[0],
                                .ih = input->dim[1],
                                .iw = input->dim[2],
                                .ic = input->dim[3],
                                .oc = oc,
                                .kh = filter->dim[1],
                                .kw = filter->dim[2],
                                .sh = stride_h,
                                .sw = stride_w,
                                .dh = dilation_h,
                                .dw = dilation_w};
    if ((st = shape_window(g->ih, g->kh, g->sh, g->dh, padding, &g->oh, &g->pt, err)))
        return st;
    return shape_window(g->iw, g->kw, g->sw, g->dw, padding, &g->ow, &g->pl, err);
}

/* Cut outer window positions along one dimension: *k positions, `dilation` apart, the first at -*pad. Return how many were cut in
 * front. */
static int32_t trim(int32_t in, int32_t out, int32_t stride, int32_t dilation, int32_t *k, int32_t *pad)
{
    int64_t last = (int64_t)(out - 1) * stride;
    int32_t before = 0;

    while (before < *k && dilation <= *pad && -(int64_t)*pad + last < 0) {
        *pad -= dilation;
        before++;
    }
    *k -= before;
    while (*k > 0 && (int64_t)(*k - 1) * dilation - *pad >= in)
        --*k;
    return before;
}

void conv_trim(struct conv_geometry *g, int32_t *rows, int32_t *cols)
{
    *rows = trim(g->ih, g->oh, g->sh, g->dh, &g->kh, &g->pt);
    *cols = trim(g->iw, g->ow, g->sw, g->dw, &g->kw, &g->pl);
    if (!g->kh || !g->kw)
        g->kh = g->kw = g->pt = g->pl = 0;
}

struct padded conv_padded(const struct conv_geometry *g)
{
    if (g->oh < 1 || g->ow < 1 || g->kh < 1)
        return (struct padded){0, 0};
    return (struct padded){(size_t)(g->oh - 1) * (size_t)g->sh + (size_t)(g->kh - 1) * (size_t)g->dh + 1,
                           (size_t)(g->ow - 1) * (size_t)g->sw + (size_t)(g->kw - 1) * (size_t)g->dw + 1};
}

bool conv_has_padding(const struct conv_geometry *g)
{
    struct padded p = conv_padded(g);

    return g->pt || g->pl || p.h > (size_t)g->ih || p.w > (size_t)g->iw;
}

struct pad_job {
    const struct pad_spec *s;
    char *out;
};

static void pad_rows(void *arg, size_t begin, size_t end)
{
    const struct pad_job *j = arg;
    const struct pad_spec *s = j->s;
    size_t left = s->pl < s->p.w ? s->pl : s->p.w;
    size_t used = s->iw < s->p.w - left ? s->iw : s->p.w - left;
    size_t pixel = s->ic * s->bytes, row_bytes = s->p.w * pixel;

    for (size_t r = begin; r < end; r++) {
        char *row = j->out + r * row_bytes;
        const size_t from = s->first + (r - s->pt) * s->iw * s->ic;

        if (r < s->pt || r - s->pt >= s->ih) {
            memset(row, s->fill, row_bytes);
            continue;
        }
        memset(row, s->fill, left * pixel);
        if (s->copy)
            s->copy(s->arg, from, used * s->ic, row + left * pixel);
        else
            memcpy(row + left * pixel, (const char *)s->arg + from * s->bytes, used * pixel);
        memset(row + (left + used) * pixel, s->fill, (s->p.w - left - used) * pixel);
    }
}

void pad_image(struct threads *threads, const struct pad_spec *s, void *out)
{
    struct pad_job job = {s, out};

    threads_for(threads, s->p.h, 8, pad_rows, &job);
}
