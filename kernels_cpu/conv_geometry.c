/* conv_geometry.c - checks the numbers of a 2-D convolution and writes its padding out. */
#include <string.h>

#include "conv_geometry.h"

enum status conv_geometry_init(struct conv_geometry *g, const struct tensor *input, const struct tensor *filter,
                               int32_t oc, enum padding padding, int stride_h, int stride_w, int dilation_h,
                               int dilation_w, struct err *err)
{
    enum status st;

    if (input->rank != 4 || filter->rank != 4)
        return err_set(err, ST_BAD_MODEL, "input and filter must have rank 4, not %d and %d", (int)input->rank,
                       (int)filter->rank);
    *g = (struct conv_geometry){.n = input->dim[0], .ih = input->dim[1], .iw = input->dim[2], .ic = input->dim[3],
                                .oc = oc, .kh = filter->dim[1], .kw = filter->dim[2], .sh = stride_h,
                                .sw = stride_w, .dh = dilation_h, .dw = dilation_w};
    if ((st = shape_window(g->ih, g->kh, g->sh, g->dh, padding, &g->oh, &g->pt, err)))
        return st;
    return shape_window(g->iw, g->kw, g->sw, g->dw, padding, &g->ow, &g->pl, err);
}

struct padded conv_padded(const struct conv_geometry *g)
{
    if (g->oh < 1 || g->ow < 1)
        return (struct padded){0, 0};
    return (struct padded){(size_t)(g->oh - 1) * (size_t)g->sh + (size_t)(g->kh - 1) * (size_t)g->dh + 1,
                           (size_t)(g->ow - 1) * (size_t)g->sw + (size_t)(g->kw - 1) * (size_t)g->dw + 1};
}

bool padded_fits(struct padded p, size_t bytes, size_t *pixels)
{
    return !__builtin_mul_overflow(p.h, p.w, pixels) && *pixels / 16 <= bytes + (1 << 16);
}

bool conv_has_padding(const struct conv_geometry *g)
{
    struct padded p = conv_padded(g);

    return g->pt || g->pl || p.h > (size_t)g->ih || p.w > (size_t)g->iw;
}

struct pad_job {
    const char *image;
    char *out;
    size_t ih, iw, pt, pl, pixel;
    struct padded p;
    int fill;
};

static void pad_rows(void *arg, size_t begin, size_t end)
{
    const struct pad_job *j = arg;
    size_t left = j->pl < j->p.w ? j->pl : j->p.w;
    size_t used = j->iw < j->p.w - left ? j->iw : j->p.w - left;
    size_t row_bytes = j->p.w * j->pixel;

    for (size_t r = begin; r < end; r++) {
        char *row = j->out + r * row_bytes;

        if (r < j->pt || r - j->pt >= j->ih) {
            memset(row, j->fill, row_bytes);
            continue;
        }
        memset(row, j->fill, left * j->pixel);
        memcpy(row + left * j->pixel, j->image + (r - j->pt) * j->iw * j->pixel, used * j->pixel);
        memset(row + (left + used) * j->pixel, j->fill, (j->p.w - left - used) * j->pixel);
    }
}

void pad_image(struct threads *threads, const void *image, int32_t ih, int32_t iw, size_t pixel_bytes, int32_t pt,
               int32_t pl, struct padded p, int fill, void *out)
{
    struct pad_job job = {image, out, (size_t)ih, (size_t)iw, (size_t)pt, (size_t)pl, pixel_bytes, p, fill};

    threads_for(threads, p.h, 16, pad_rows, &job);
}
