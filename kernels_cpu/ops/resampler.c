/* SPDX-License-Identifier: Apache-2.0 */
/* resampler.c - Resampler: images sampled bilinearly at given points, zeros around them. */
#include "lib/graph/kernel.h"

#include <math.h>

enum { IMAGES, POINTS }; /* [n,h,w,c], and for each result its x and y: [n,rows,cols,2] */

static enum status resampler_shape(struct node *n, struct err *err)
{
    const struct tensor *x = n->in[IMAGES], *p = n->in[POINTS];

    if (x->rank != 4 || p->rank != 4 || p->dim[0] != x->dim[0] || p->dim[3] != 2)
        return err_set(err, ST_BAD_MODEL, "images are %s, points %s, expected [n,h,w,c] and [n,rows,cols,2]", TENSOR_TEXT(x),
                       TENSOR_TEXT(p));
    return shape_set(n, 0, (int32_t[]){x->dim[0], p->dim[1], p->dim[2], x->dim[3]}, 4, err);
}

struct image {
    const float *data;
    int32_t h, w, c;
};

static float pixel(const struct image *x, int32_t row, int32_t col, int32_t channel)
{
    if (row < 0 || col < 0 || row >= x->h || col >= x->w)
        return 0;
    return x->data[((size_t)row * (size_t)x->w + (size_t)col) * (size_t)x->c + (size_t)channel];
}

static void sample(const struct image *x, float at_x, float at_y, float *out)
{
    /* up to one pixel outside, where the image fades out; NaN is outside */
    bool near = at_x > -1 && at_y > -1 && at_x < (float)x->w && at_y < (float)x->h;
    int32_t col = near ? (int32_t)floorf(at_x) : 0, row = near ? (int32_t)floorf(at_y) : 0;
    float left = (float)(col + 1) - at_x, top = (float)(row + 1) - at_y;

    for (int32_t c = 0; c < x->c; c++)
        out[c] = !near ? 0
                       : left * top * pixel(x, row, col, c) + (1 - left) * (1 - top) * pixel(x, row + 1, col + 1, c) +
                             left * (1 - top) * pixel(x, row + 1, col, c) + (1 - left) * top * pixel(x, row, col + 1, c);
}

static void resampler_run(struct cpu_call *c)
{
    const struct tensor *x = c->node->in[IMAGES], *y = c->node->out[0];
    size_t points = (size_t)y->dim[1] * (size_t)y->dim[2], pixels = (size_t)x->dim[1] * (size_t)x->dim[2] * (size_t)x->dim[3];
    const float *p = c->node->in[POINTS]->data;
    float *out = y->data;

    for (size_t n = 0; n < (size_t)x->dim[0]; n++) {
        const struct image image = {(const float *)x->data + n * pixels, x->dim[1], x->dim[2], x->dim[3]};

        for (size_t i = 0; i < points; i++, p += 2, out += image.c)
            sample(&image, p[0], p[1], out);
    }
}

const struct cpu_kernel cpu_resampler = {
    .arity = {2, 2, 1}, .shape = resampler_shape, .in = {CPU_F32, CPU_F32}, .out = {CPU_F32}, .compute = resampler_run};
