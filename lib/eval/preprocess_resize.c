/* SPDX-License-Identifier: Apache-2.0 */
/* preprocess_resize.c - TFLite's bilinear resize in float32, and Pillow's filters in fixed point. */
#include "lib/eval/preprocess.h"

#include <math.h>
#include <stdlib.h>

/* ---- between the two nearest pixels ---- */

/* A float32 as the reference kernel of RESIZE_BILINEAR computes it. */
struct between {
    uint32_t a, b;
    float part;
};

static struct between between_pixels(uint32_t i, uint32_t from, uint32_t to, bool half_pixel)
{
    const float scale = (float)from / (float)to;
    const float at = half_pixel ? ((float)i + 0.5f) * scale - 0.5f : (float)i * scale;
    const float below = floorf(at), above = ceilf(at);
    struct between t = {.a = below > 0 ? (uint32_t)below : 0, .b = above > 0 ? (uint32_t)above : 0};

    t.b = t.b < from ? t.b : from - 1;
    t.part = at - (float)t.a;
    return t;
}

void preprocess_bilinear(const struct resize_source *s, const struct resize *r, bool half_pixel, float *out)
{
    for (uint32_t y = 0; y < r->height; y++) {
        const struct between v = between_pixels(y + r->top, s->h, r->full_height, half_pixel);
        const uint8_t *upper = s->data + ((size_t)(s->y + v.a) * s->stride + s->x) * s->channels;
        const uint8_t *lower = s->data + ((size_t)(s->y + v.b) * s->stride + s->x) * s->channels;

        for (uint32_t x = 0; x < r->width; x++) {
            const struct between h = between_pixels(x + r->left, s->w, r->full_width, half_pixel);
            const size_t left = (size_t)h.a * s->channels, right = (size_t)h.b * s->channels;

            for (uint32_t c = 0; c < s->channels; c++)
                *out++ = (float)upper[left + c] * (1 - v.part) * (1 - h.part) + (float)lower[left + c] * v.part * (1 - h.part) +
                         (float)upper[right + c] * (1 - v.part) * h.part + (float)lower[right + c] * v.part * h.part;
        }
    }
}

/* ---- over all pixels that an element covers ---- */

/* Bits behind the point of Pillow's weights for 8-bit pixels. */
#define WEIGHT_BITS 22

/* Weights of the source pixels first[i] .. first[i] + n[i] - 1 of each element. */
struct weights {
    uint32_t *first, *n;
    int32_t *weight; /* [count][most] */
    uint32_t most;
};

static double triangle(double x)
{
    x = fabs(x);
    return x < 1 ? 1 - x : 0;
}

/* Keys' cubic with a = -0.5. */
static double cubic(double x)
{
    const double a = -0.5;

    x = fabs(x);
    if (x < 1)
        return ((a + 2) * x - (a + 3)) * x * x + 1;
    return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

static void weights_free(struct weights *w)
{
    free(w->first);
    free(w->n);
    free(w->weight);
}

/* Weights of element `i` of `to`, as whole numbers of 2^-WEIGHT_BITS. */
static void weigh(struct weights *w, uint32_t k, uint32_t i, uint32_t from, uint32_t to, bool bicubic, double *line)
{
    const double scale = (double)from / to, wide = scale < 1 ? 1 : scale, reach = (bicubic ? 2 : 1) * wide;
    const double center = (i + 0.5) * scale;
    const int low = (int)(center - reach + 0.5), high = (int)(center + reach + 0.5);
    const uint32_t begin = low > 0 ? (uint32_t)low : 0, end = (uint32_t)high < from ? (uint32_t)high : from;
    double sum = 0;

    w->first[k] = begin;
    w->n[k] = end - begin;
    for (uint32_t x = 0; x < end - begin; x++) {
        const double at = ((double)(x + begin) - center + 0.5) * (1 / wide);

        line[x] = bicubic ? cubic(at) : triangle(at);
        sum += line[x];
    }
    for (uint32_t x = 0; x < end - begin; x++) {
        const double share = (sum != 0 ? line[x] / sum : line[x]) * (1 << WEIGHT_BITS);

        w->weight[(size_t)k * w->most + x] = (int32_t)(share < 0 ? share - 0.5 : share + 0.5);
    }
}

/* Of elements begin .. begin + n - 1. */
static enum status weights_of(struct weights *w, uint32_t begin, uint32_t n, uint32_t from, uint32_t to, bool bicubic,
                              struct err *err)
{
    const double scale = (double)from / to, reach = (bicubic ? 2 : 1) * (scale < 1 ? 1 : scale);
    double *line;

    w->most = (uint32_t)ceil(reach) * 2 + 1;
    w->first = malloc(n * sizeof *w->first);
    w->n = malloc(n * sizeof *w->n);
    w->weight = malloc((size_t)n * w->most * sizeof *w->weight);
    line = malloc(w->most * sizeof *line);
    if (!w->first || !w->n || !w->weight || !line) {
        free(line);
        return err_set(err, ST_NOMEM, "out of memory to resize %u pixels to %u", from, to);
    }
    for (uint32_t k = 0; k < n; k++)
        weigh(w, k, begin + k, from, to, bicubic, line);
    free(line);
    return ST_OK;
}

/* One element: `step` bytes between its source pixels. */
static uint8_t weighted(const uint8_t *from, size_t step, const int32_t *weight, uint32_t n)
{
    int64_t sum = (int64_t)1 << (WEIGHT_BITS - 1);

    for (uint32_t i = 0; i < n; i++)
        sum += (int64_t)from[i * step] * weight[i];
    sum >>= WEIGHT_BITS;
    return (uint8_t)(sum < 0 ? 0 : sum > 255 ? 255 : sum);
}

/* Rows first: [h,width,channels] of `between`; then columns. Pillow leaves out a pass that changes nothing; its weights are one of
 * 1, so that the pass gives the same pixels. */
static void two_passes(const struct resize_source *s, const struct resize *r, const struct weights *x, const struct weights *y,
                       uint8_t *between, uint8_t *out)
{
    const size_t row = (size_t)r->width * s->channels;

    for (uint32_t j = 0; j < s->h; j++) {
        const uint8_t *from = s->data + ((size_t)(s->y + j) * s->stride + s->x) * s->channels;

        for (uint32_t i = 0; i < r->width; i++)
            for (uint32_t c = 0; c < s->channels; c++)
                between[j * row + (size_t)i * s->channels + c] = weighted(from + (size_t)x->first[i] * s->channels + c, s->channels,
                                                                          x->weight + (size_t)i * x->most, x->n[i]);
    }
    for (uint32_t j = 0; j < r->height; j++)
        for (size_t i = 0; i < row; i++)
            *out++ = weighted(between + y->first[j] * row + i, row, y->weight + (size_t)j * y->most, y->n[j]);
}

enum status preprocess_antialias(const struct resize_source *s, const struct resize *r, bool bicubic, uint8_t *out, struct err *err)
{
    struct weights x = {0}, y = {0};
    uint8_t *between = malloc((size_t)s->h * r->width * s->channels);
    enum status st = between ? ST_OK : err_set(err, ST_NOMEM, "out of memory to resize %u x %u pixels", s->w, s->h);

    if (!st && !(st = weights_of(&x, r->left, r->width, s->w, r->full_width, bicubic, err)) &&
        !(st = weights_of(&y, r->top, r->height, s->h, r->full_height, bicubic, err)))
        two_passes(s, r, &x, &y, between, out);
    weights_free(&x);
    weights_free(&y);
    free(between);
    return st;
}
