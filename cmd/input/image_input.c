/* SPDX-License-Identifier: Apache-2.0 */
/* image_input.c - the source pixel of each element of an input, and its number; normalization by the metadata. */
#include "cmd/input/image_input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/flag.h"
#include "lib/model/metadata.h"
#include "lib/tensor/real_values.h"
#include "lib/tensor/rng.h"

/* What TFLite's evaluation tools take for floating-point inputs: pixels from -1 to 1. */
#define USUAL_MEAN 127.5
#define USUAL_STD  127.5

/* The tensor as pixels: strides are in elements. */
struct place {
    size_t batch, height, width, channels;
    size_t row, column, channel; /* strides */
};

/* Which numbers go there. */
struct numbers {
    double mean[IMAGE_MAX_CHANNELS], std[IMAGE_MAX_CHANNELS];
    bool normalise; /* else the pixels themselves, less `offset`, are stored */
    double offset;
    double scale, zero_point; /* scale 0: not quantized */
    double lo, hi;            /* of integer types */
    bool integer;
};

enum status image_read_numbers(const char *flag, const char *text, bool positive, double out[IMAGE_MAX_CHANNELS], uint32_t *n,
                               struct err *err)
{
    char piece[64];

    for (*n = 0; *text; ++*n) {
        size_t length = strcspn(text, ",");

        if (*n == IMAGE_MAX_CHANNELS)
            return err_set(err, ST_USAGE, "--%s: more than %d numbers", flag, IMAGE_MAX_CHANNELS);
        snprintf(piece, sizeof piece, "%.*s", (int)(length < 63 ? length : 63), text);
        if (!flag_read_double(piece, &out[*n]) || (positive && !(out[*n] > 0)))
            return err_set(err, ST_USAGE, "--%s: '%s' is no number%s", flag, piece, positive ? " above 0" : "");
        text += length;
        if (*text && !*(text = flag_skip_blanks(text + 1)))
            return err_set(err, ST_USAGE, "--%s: a number is missing behind the last comma", flag);
    }
    return ST_OK;
}

static bool is_channels(int32_t n)
{
    return n == 1 || n == 3 || n == 4;
}

static enum status find_place(const struct tensor *t, enum image_layout layout, const char *what, struct place *p, struct err *err)
{
    const int32_t *d = t->dim + (t->rank == 4);
    int32_t c = 1;

    *p = (struct place){.batch = t->rank == 4 ? (size_t)t->dim[0] : 1};
    if (t->rank == 2) {
        *p = (struct place){1, (size_t)d[0], (size_t)d[1], 1, (size_t)d[1], 1, 0};
    } else if (t->rank == 3 || t->rank == 4) {
        bool last = layout == LAYOUT_AUTO ? is_channels(d[2]) : layout == LAYOUT_NHWC;

        c = last ? d[2] : d[0];
        p->height = (size_t)d[last ? 0 : 1];
        p->width = (size_t)d[last ? 1 : 2];
        p->channels = (size_t)c;
        p->row = p->width * (last ? p->channels : 1);
        p->column = last ? p->channels : 1;
        p->channel = last ? 1 : p->height * p->width;
    }
    if (t->rank < 2 || t->rank > 4 || !is_channels(c) || !tensor_elems(t))
        return err_set(err, ST_USAGE,
                       "%s: an image has no place in input '%.100s' %s: that takes [N,H,W,C] or [N,C,H,W] with 1, 3 or "
                       "4 channels",
                       what, t->name, TENSOR_TEXT(t));
    return ST_OK;
}

static enum status fill_list(const char *flag, const double *from, uint32_t n, double usual, size_t channels, double *out,
                             struct err *err)
{
    if (n > 1 && n != channels)
        return err_set(err, ST_USAGE, "--%s has %u numbers, the input %zu channels", flag, n, channels);
    for (size_t c = 0; c < channels; c++)
        out[c] = n ? from[n > 1 ? c : 0] : usual;
    return ST_OK;
}

static enum status find_quantization(const struct tensor *t, const char *what, struct numbers *n, struct err *err)
{
    if (t->quant.n != 1 || !(t->quant.scale[0] > 0) || !isfinite(t->quant.scale[0]))
        return err_set(err, ST_USAGE, "%s: input '%.100s' %s has no scale of its own, so --input_mean and --input_std mean nothing",
                       what, t->name, TENSOR_TEXT(t));
    n->scale = t->quant.scale[0];
    n->zero_point = (double)t->quant.zero_point[0];
    return ST_OK;
}

static enum status find_numbers(const struct tensor *t, const struct image_options *o, const char *what, size_t channels,
                                struct numbers *n, struct err *err)
{
    bool given = o->n_mean || o->n_std;
    int64_t lo, hi;
    enum status st;

    *n = (struct numbers){.integer = !type_is_float(t->type)};
    /* A mean or a deviation alone goes with the other that does nothing. */
    if ((st = fill_list("input_mean", o->mean, o->n_mean, given ? 0 : USUAL_MEAN, channels, n->mean, err)) ||
        (st = fill_list("input_std", o->std, o->n_std, given ? 1 : USUAL_STD, channels, n->std, err)))
        return st;
    n->normalise = !n->integer || given || (t->type == TYPE_INT16 && t->quant.n);
    if (!n->integer)
        return ST_OK;
    if (t->type == TYPE_BOOL || type_bits(t->type) < 8 || !rng_type_limits(t->type, &lo, &hi))
        return err_set(err, ST_USAGE, "%s: an image has no place in input '%.100s' %s", what, t->name, TENSOR_TEXT(t));
    n->lo = (double)lo;
    n->hi = (double)hi;
    n->offset = t->type == TYPE_INT8 ? 128 : 0;
    return n->normalise ? find_quantization(t, what, n, err) : ST_OK;
}

static uint8_t gray(const uint8_t *p)
{
    return (uint8_t)((19595u * p[0] + 38470u * p[1] + 7471u * p[2] + 32768u) >> 16);
}

/* Channel c of the input, of a pixel of the image. */
static uint8_t channel_of(const uint8_t *p, uint32_t from, size_t channels, bool bgr, size_t c)
{
    if (c == 3)
        return from % 2 ? 255 : p[from - 1];
    if (channels == 1)
        return from >= 3 ? gray(p) : p[0];
    return p[from >= 3 ? (bgr ? 2 - c : c) : 0];
}

/* The image with the input's channels; the caller frees it. */
static uint8_t *order_channels(const struct image *im, size_t channels, bool bgr)
{
    size_t pixels = (size_t)im->width * im->height;
    uint8_t *out = malloc(pixels * channels), *to = out;

    for (size_t i = 0; out && i < pixels; i++)
        for (size_t c = 0; c < channels; c++)
            *to++ = channel_of(im->pixels + i * im->channels, im->channels, channels, bgr, c);
    return out;
}

/* Between which two of `from` pixels the center of pixel i of `to` lies, and how far from the first. */
struct tap {
    size_t a, b;
    double part;
};

static struct tap tap_of(size_t i, size_t from, size_t to, enum image_resize resize)
{
    double at = ((double)i + 0.5) * (double)from / (double)to;
    struct tap t = {0};

    if (resize == RESIZE_NEAREST) {
        t.a = (size_t)at < from ? (size_t)at : from - 1;
        t.b = t.a;
        return t;
    }
    at = at > 0.5 ? at - 0.5 : 0;
    t.a = (size_t)at < from ? (size_t)at : from - 1;
    t.b = t.a + 1 < from ? t.a + 1 : t.a;
    t.part = at - (double)t.a;
    return t;
}

static double number_of(const struct numbers *n, double pixel, size_t c, size_t *cut)
{
    double v = n->normalise ? (pixel - n->mean[c]) / n->std[c] : pixel - n->offset;

    if (!n->integer)
        return v;
    /* Half away from zero before the offset, as TFLite: 127.5 is pixel 128, in INT8 0. */
    v = n->normalise ? round(v / n->scale) + n->zero_point : round(pixel) - n->offset;
    if (v < n->lo || v > n->hi)
        ++*cut;
    return v < n->lo ? n->lo : v > n->hi ? n->hi : v;
}

static void store(const struct tensor *t, size_t i, double v)
{
    switch (t->type) {
    case TYPE_FLOAT32: ((float *)t->data)[i] = (float)v; break;
    case TYPE_FLOAT16: ((uint16_t *)t->data)[i] = half_from_float((float)v); break;
    case TYPE_BFLOAT16: ((uint16_t *)t->data)[i] = bfloat_from_float((float)v); break;
    case TYPE_FLOAT64: ((double *)t->data)[i] = v; break;
    default: {
        int64_t n = (int64_t)v;

        memcpy((uint8_t *)t->data + i * (type_bits(t->type) / 8), &n, type_bits(t->type) / 8);
    }
    }
}

/* One row of the input, from the two rows of the image that it lies between. */
static void fill_row(const uint8_t *row_a, const uint8_t *row_b, double part, const struct tap *x, const struct place *p,
                     const struct numbers *n, const struct tensor *t, size_t at, size_t *cut)
{
    for (size_t i = 0; i < p->width; i++)
        for (size_t c = 0; c < p->channels; c++) {
            size_t a = x[i].a * p->channels + c, b = x[i].b * p->channels + c;
            double above = row_a[a] + (row_a[b] - row_a[a]) * x[i].part;
            double below = row_b[a] + (row_b[b] - row_b[a]) * x[i].part;

            store(t, at + i * p->column + c * p->channel, number_of(n, above + (below - above) * part, c, cut));
        }
}

static enum status fill(const struct image *im, const struct image_options *o, const char *what, const struct place *p,
                        const struct numbers *n, const struct tensor *t, size_t *cut, struct err *err)
{
    uint8_t *pixels = order_channels(im, p->channels, o->bgr);
    struct tap *x = malloc(p->width * sizeof *x);
    size_t row = (size_t)im->width * p->channels, one = p->height * p->width * p->channels;
    bool ok = pixels && x;

    for (size_t i = 0; ok && i < p->width; i++)
        x[i] = tap_of(i, im->width, p->width, o->resize);
    for (size_t i = 0; ok && i < p->height; i++) {
        struct tap y = tap_of(i, im->height, p->height, o->resize);

        fill_row(pixels + y.a * row, pixels + y.b * row, y.part, x, p, n, t, i * p->row, cut);
    }
    for (size_t i = 1; ok && i < p->batch; i++)
        memcpy((uint8_t *)t->data + i * (t->bytes / p->batch), t->data, one * (type_bits(t->type) / 8));
    free(pixels);
    free(x);
    return ok ? ST_OK : err_set(err, ST_NOMEM, "%s: out of memory for %u x %u pixels", what, im->width, im->height);
}

/* "(pixel - 127.5) / 127.5, quantized": of the first channel, where they differ. */
static void number_text(const struct numbers *n, const struct place *p, char *out, size_t size)
{
    bool differ = false;

    for (size_t c = 1; c < p->channels; c++)
        differ |= n->mean[c] != n->mean[0] || n->std[c] != n->std[0];
    if (!n->normalise)
        snprintf(out, size, n->offset > 0 ? "pixel - %g" : "pixels as they are", n->offset);
    else
        snprintf(out, size, "(pixel - %g) / %g%s%s", n->mean[0], n->std[0], differ ? " in the first channel" : "",
                 n->integer ? ", quantized" : "");
}

enum status image_to_tensor(const struct image *im, const struct image_options *o, const char *what, const struct tensor *t,
                            char text[IMAGE_TEXT_SIZE], size_t *cut, struct err *err)
{
    static const char *const kinds[] = {"", "gray", "gray with alpha", "RGB", "RGBA"};
    struct numbers n = {0};
    struct place p = {0};
    enum status st;
    char numbers[80], size[64] = "";
    bool same;

    *cut = 0;
    if ((st = find_place(t, o->layout, what, &p, err)) || (st = find_numbers(t, o, what, p.channels, &n, err)))
        return st;
    same = im->width == p.width && im->height == p.height;
    if (!same && o->resize == RESIZE_NONE)
        return err_set(err, ST_USAGE, "%s is %u x %u pixels, input '%.100s' %s takes %zu x %zu (--image_resize=bilinear)", what,
                       im->width, im->height, t->name, TENSOR_TEXT(t), p.width, p.height);
    number_text(&n, &p, numbers, sizeof numbers);
    if (!same)
        snprintf(size, sizeof size, ", %s to %zu x %zu", o->resize == RESIZE_NEAREST ? "nearest" : "bilinear", p.width, p.height);
    snprintf(text, IMAGE_TEXT_SIZE, "%s %u x %u %s%s, %s", im->format, im->width, im->height, kinds[im->channels], size, numbers);
    return fill(im, o, what, &p, &n, t, cut, err);
}

/* ---- numbers of the metadata as image options ---- */

/* `positive`: they divide. */
static enum status take(const float *list, uint32_t n, bool positive, const char *what, double out[IMAGE_MAX_CHANNELS],
                        uint32_t *n_out, struct err *err)
{
    if (!n || n > IMAGE_MAX_CHANNELS)
        return err_set(err, ST_USAGE, "%u numbers for %s", n, what);
    for (uint32_t i = 0; i < n; i++) {
        out[i] = (double)list[i];
        if (!isfinite(out[i]) || (positive && !(out[i] > 0)))
            return err_set(err, ST_USAGE, "%s of %g", what, out[i]);
    }
    *n_out = n;
    return ST_OK;
}

enum status image_metadata(const struct model *m, uint32_t subgraph, uint32_t input, const struct tensor *t,
                           struct image_options *o, struct err *err)
{
    const struct metadata_tensor *x;
    struct arena arena = {0};
    struct metadata all;
    enum status st = type_is_float(t->type) ? metadata_read(m, subgraph, &arena, &all, err) : ST_OK;

    if (!st && type_is_float(t->type)) {
        x = input < all.n_inputs ? &all.inputs[input] : NULL;
        if (!all.there)
            st = err_set(err, ST_USAGE, "the model has no metadata");
        else if (!x || (!x->n_mean && !x->n_std))
            st = err_set(err, ST_USAGE, "the metadata name no normalization of input %u '%.80s'", input, t->name);
        else if (!(st = take(x->mean, x->n_mean, false, "mean", o->mean, &o->n_mean, err)))
            st = take(x->std, x->n_std, true, "std", o->std, &o->n_std, err);
    }
    arena_free(&arena);
    return st ? err_prefix(err, st, "--input_from_metadata") : ST_OK;
}
