/* SPDX-License-Identifier: Apache-2.0 */
/* preprocess.c - presets, the part of the picture, and its numbers. */
#include "lib/eval/preprocess.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "lib/base/flag.h"
#include "lib/tensor/real_values.h"

#define USUAL_FRACTION 0.875

enum { GRAY = 114 }; /* of what a letterboxed picture does not cover */

#define IMAGENET .has_mean = true, .unit = 255, .mean = {0.485, 0.456, 0.406}, .std = {0.229, 0.224, 0.225}

#define AS_SHARE .has_mean = true, .unit = 255, .std = {1, 1, 1}

static const struct preprocess presets[] = {
    {.preset = "tflite", .order = PREPROCESS_CROP_FIRST, .filter = PREPROCESS_LEGACY},
    {.preset = "mlperf", .order = PREPROCESS_RESIZE_FIRST, .filter = PREPROCESS_LEGACY},
    {.preset = "torchvision",
     .order = PREPROCESS_RESIZE_FIRST,
     .filter = PREPROCESS_ANTIALIAS,
     .rounding = PREPROCESS_AS_TORCHVISION,
     IMAGENET},
    {.preset = "timm", .order = PREPROCESS_RESIZE_FIRST, .filter = PREPROCESS_BICUBIC, .rounding = PREPROCESS_AS_TIMM, IMAGENET},
    {.preset = "squash", .order = PREPROCESS_SQUASH, .filter = PREPROCESS_HALF_PIXEL},
    {.preset = "stretch", .order = PREPROCESS_SQUASH, .filter = PREPROCESS_HALF_PIXEL, AS_SHARE},
    {.preset = "detr", .order = PREPROCESS_SQUASH, .filter = PREPROCESS_ANTIALIAS, IMAGENET},
    {.preset = "yolo", .order = PREPROCESS_LETTERBOX, .filter = PREPROCESS_HALF_PIXEL, AS_SHARE},
    {.preset = "yolox",
     .order = PREPROCESS_LETTERBOX,
     .filter = PREPROCESS_HALF_PIXEL,
     .corner = true,
     .bgr = true,
     .has_mean = true,
     .unit = 1,
     .std = {1, 1, 1}},
};

enum status preprocess_preset(const char *name, struct preprocess *p, struct err *err)
{
    const size_t length = strcspn(name, ":");
    double fraction = USUAL_FRACTION;

    for (size_t i = 0; i < sizeof presets / sizeof *presets; i++) {
        if (strlen(presets[i].preset) != length || strncmp(presets[i].preset, name, length))
            continue;
        if (name[length] && presets[i].rounding != PREPROCESS_AS_TIMM)
            break;
        if (name[length] && (!flag_read_double(name + length + 1, &fraction) || !(fraction > 0 && fraction <= 1)))
            return err_set(err, ST_USAGE, "'%.40s': a fraction above 0, at most 1, is expected behind the colon", name);
        *p = presets[i];
        p->fraction = fraction;
        if (!p->has_mean)
            p->unit = 1;
        return ST_OK;
    }
    return err_set(
        err, ST_USAGE,
        "there is no preset '%.40s'; there are tflite, mlperf, torchvision, timm:FRACTION, squash, stretch, detr, yolo and "
        "yolox",
        name);
}

/* ---- the input ---- */

static bool has_numbers(const struct preprocess *p, const struct tensor *t)
{
    if (type_is_float(t->type))
        return true;
    return p->has_mean ? real_is_quantized(t) : t->type == TYPE_UINT8 || t->type == TYPE_INT8;
}

enum status preprocess_place(const struct preprocess *p, const struct tensor *t, struct preprocess_input *out, struct err *err)
{
    const bool batch = t->rank == 4, flat = t->rank == 3 && t->dim[0] == 1 && t->dim[2] != 1 && t->dim[2] != 3;
    const int32_t *d = t->dim + (batch || flat);
    bool last = true;
    int32_t c = 1;

    *out = (struct preprocess_input){0};
    if (flat || (t->rank == 2 && p->layout == PREPROCESS_LAYOUT_AUTO)) {
        *out = (struct preprocess_input){(uint32_t)d[1], (uint32_t)d[0], 1, (size_t)d[1], 1, 0};
    } else if (batch || t->rank == 3) {
        last = p->layout == PREPROCESS_LAYOUT_AUTO ? d[2] == 1 || d[2] == 3 : p->layout == PREPROCESS_NHWC;
        c = last ? d[2] : d[0];
        out->height = (uint32_t)d[last ? 0 : 1];
        out->width = (uint32_t)d[last ? 1 : 2];
        out->channels = (uint32_t)c;
        out->row = out->width * (size_t)(last ? c : 1);
        out->column = last ? (size_t)c : 1;
        out->channel = last ? 1 : (size_t)out->width * out->height;
    }
    if (!out->width || !out->height || (c != 1 && c != 3) || (batch && t->dim[0] != 1) || out->width > PREPROCESS_MAX_SIDE ||
        out->height > PREPROCESS_MAX_SIDE)
        return err_set(err, ST_USAGE,
                       "a picture has no place in input '%.100s' %s: that takes [1,H,W,C] or [1,C,H,W] with 1 or 3 channels",
                       t->name, TENSOR_TEXT(t));
    if (!has_numbers(p, t))
        return err_set(err, ST_USAGE, "input '%.100s' %s: preset %s has no numbers for it%s", t->name, TENSOR_TEXT(t), p->preset,
                       p->has_mean ? ": a mean needs floats, or a scale" : "; it takes floats, UINT8 and INT8");
    return ST_OK;
}

/* ---- the picture ---- */

/* The picture with the channels of the input, RGB or gray as ITU-R BT.601 and Pillow have it; the caller frees it. */
static uint8_t *with_channels(const struct pixels *from, uint32_t channels, bool bgr)
{
    const size_t n = (size_t)from->width * from->height;
    uint8_t *out = malloc(n * channels), *to = out;

    for (size_t i = 0; out && i < n; i++) {
        const uint8_t *p = from->data + i * from->channels;

        if (channels == 1)
            *to++ = from->channels >= 3 ? (uint8_t)((19595u * p[0] + 38470u * p[1] + 7471u * p[2] + 32768u) >> 16) : p[0];
        else
            for (uint32_t c = 0; c < 3; c++)
                *to++ = p[from->channels >= 3 ? (bgr ? 2 - c : c) : 0];
    }
    return out;
}

/* As Python rounds: halves to the even number. */
static uint32_t half_even(double v)
{
    return (uint32_t)nearbyint(v);
}

static void central_square(const struct preprocess *p, const struct pixels *from, struct resize_source *s)
{
    const double h = round(p->fraction * from->height), w = round(p->fraction * from->width);
    const uint32_t side = (uint32_t)fmax(fmin(h, w), 1);

    s->x = (uint32_t)round((from->width - side) / 2.0);
    s->y = (uint32_t)round((from->height - side) / 2.0);
    s->w = s->h = side;
}

/* The size to which a side of the input belongs before the crop. */
static uint32_t before_crop(const struct preprocess *p, uint32_t side)
{
    const double size = side / p->fraction;

    return (uint32_t)(p->rounding == PREPROCESS_AS_TORCHVISION ? round(size) : floor(size));
}

static void shorter_side(const struct preprocess *p, const struct pixels *from, struct resize *r)
{
    const uint32_t wide = before_crop(p, r->width), high = before_crop(p, r->height);
    const float ratio_w = (float)wide / (float)from->width, ratio_h = (float)high / (float)from->height;
    const bool by_width = p->rounding == PREPROCESS_AS_TFLITE ? ratio_w >= ratio_h
                                                              : (uint64_t)wide * from->height >= (uint64_t)high * from->width;

    r->full_width = wide;
    r->full_height = high;
    if (p->rounding == PREPROCESS_AS_TFLITE && by_width)
        r->full_height = (uint32_t)round((float)from->height * ratio_w);
    else if (p->rounding == PREPROCESS_AS_TFLITE)
        r->full_width = (uint32_t)round((float)from->width * ratio_h);
    else if (by_width)
        r->full_height = (uint32_t)((uint64_t)wide * from->height / from->width);
    else
        r->full_width = (uint32_t)((uint64_t)high * from->width / from->height);
    r->full_width = r->full_width < r->width ? r->width : r->full_width;
    r->full_height = r->full_height < r->height ? r->height : r->full_height;
    if (p->rounding == PREPROCESS_AS_TFLITE) {
        r->left = (uint32_t)round((r->full_width - r->width) / 2.0);
        r->top = (uint32_t)round((r->full_height - r->height) / 2.0);
    } else {
        r->left = half_even((r->full_width - r->width) / 2.0);
        r->top = half_even((r->full_height - r->height) / 2.0);
    }
}

/* ---- the letterbox ---- */

static double letterbox_scale(const struct preprocess_input *in, uint32_t width, uint32_t height)
{
    return fmin((double)in->width / width, (double)in->height / height);
}

/* The size of the picture within the input; in a corner it is rounded down, as YOLOX does. */
static uint32_t letterbox_side(const struct preprocess *p, double scale, uint32_t side, uint32_t most)
{
    const double size = fmin(fmax(p->corner ? floor(side * scale) : nearbyint(side * scale), 1), most);

    return (uint32_t)size;
}

/* Pixels before the picture: half of those that are left over, and the smaller half if they are odd. */
static uint32_t letterbox_before(const struct preprocess *p, uint32_t side, uint32_t of_picture)
{
    return p->corner ? 0 : (uint32_t)fmax(nearbyint((side - of_picture) / 2.0 - 0.1), 0);
}

struct preprocess_map preprocess_map_of(const struct preprocess *p, const struct preprocess_input *in, uint32_t width,
                                        uint32_t height)
{
    const double scale = letterbox_scale(in, width, height);

    if (p->order != PREPROCESS_LETTERBOX)
        return (struct preprocess_map){(double)in->width / width, (double)in->height / height, 0, 0};
    return (struct preprocess_map){scale, scale, letterbox_before(p, in->width, letterbox_side(p, scale, width, in->width)),
                                   letterbox_before(p, in->height, letterbox_side(p, scale, height, in->height))};
}

/* Resizes the picture, rounds it to 8 bits and puts it into out, which has the size of the input. */
static enum status letterbox(const struct preprocess *p, const struct preprocess_input *in, const struct resize_source *s,
                             uint8_t *out, struct err *err)
{
    const double scale = letterbox_scale(in, s->w, s->h);
    const uint32_t w = letterbox_side(p, scale, s->w, in->width), h = letterbox_side(p, scale, s->h, in->height);
    const struct resize r = {.full_width = w, .full_height = h, .width = w, .height = h};
    const size_t row = (size_t)w * in->channels, left = letterbox_before(p, in->width, w);
    const bool antialias = p->filter == PREPROCESS_ANTIALIAS || p->filter == PREPROCESS_BICUBIC;
    void *resized = malloc(row * h * (antialias ? 1 : sizeof(float)));
    enum status st = ST_OK;

    if (!resized)
        return err_set(err, ST_NOMEM, "out of memory for %u x %u pixels", w, h);
    if (antialias)
        st = preprocess_antialias(s, &r, p->filter == PREPROCESS_BICUBIC, resized, err);
    else
        preprocess_bilinear(s, &r, p->filter == PREPROCESS_HALF_PIXEL, resized);
    memset(out, GRAY, (size_t)in->width * in->height * in->channels);
    for (uint32_t y = 0; y < h && !st; y++) {
        uint8_t *to = out + ((letterbox_before(p, in->height, h) + y) * (size_t)in->width + left) * in->channels;

        for (size_t i = 0; i < row; i++)
            to[i] = antialias ? ((uint8_t *)resized)[y * row + i] : (uint8_t)lrintf(((float *)resized)[y * row + i]);
    }
    free(resized);
    return st;
}

/* ---- numbers ---- */

struct numbers {
    bool exact_8bit; /* cut off behind the point */
    float offset;    /* exact_8bit: subtracted before */
    float unit, mean[3], std[3];
};

static void numbers_of(const struct preprocess *p, const struct tensor *t, uint32_t channels, struct numbers *n)
{
    static const double luma[3] = {0.299, 0.587, 0.114};

    *n = (struct numbers){
        .exact_8bit = !p->has_mean && !type_is_float(t->type), .offset = t->type == TYPE_INT8 ? 128 : 0, .unit = (float)p->unit};
    for (uint32_t c = 0; c < 3; c++) {
        const uint32_t of = p->bgr ? 2 - c : c;

        n->mean[c] = (float)p->mean[of];
        n->std[c] = (float)p->std[of];
    }
    if (channels == 1 && p->has_mean && (p->mean[0] != p->mean[1] || p->std[0] != p->std[1])) {
        double mean = 0, std = 0;

        for (int c = 0; c < 3; c++) {
            mean += luma[c] * p->mean[c];
            std += luma[c] * p->std[c];
        }
        n->mean[0] = (float)mean;
        n->std[0] = (float)std;
    }
}

static float number_of(const struct preprocess *p, const struct numbers *n, float pixel, uint32_t c)
{
    if (p->has_mean)
        return (pixel / n->unit - n->mean[c]) / n->std[c];
    return (pixel - 127.5f) * (float)(1.0 / 127.5);
}

static void store(const struct preprocess *p, const struct numbers *n, const struct tensor *t, size_t i, float pixel, uint32_t c,
                  size_t *cut)
{
    const float v = n->exact_8bit ? pixel - n->offset : number_of(p, n, pixel, c);
    double q, lo, hi;

    switch (t->type) {
    case TYPE_FLOAT32: ((float *)t->data)[i] = v; return;
    case TYPE_FLOAT16: ((uint16_t *)t->data)[i] = half_from_float(v); return;
    case TYPE_BFLOAT16: ((uint16_t *)t->data)[i] = bfloat_from_float(v); return;
    case TYPE_FLOAT64: ((double *)t->data)[i] = (double)v; return;
    default: break;
    }
    if (n->exact_8bit) {
        ((uint8_t *)t->data)[i] = (uint8_t)(int)v;
        return;
    }
    q = round((double)v / (double)t->quant.scale[0]) + (double)t->quant.zero_point[0];
    lo = t->type == TYPE_UINT8 ? 0 : t->type == TYPE_INT8 ? -128 : -32768;
    hi = t->type == TYPE_UINT8 ? 255 : t->type == TYPE_INT8 ? 127 : 32767;
    *cut += q < lo || q > hi;
    q = q < lo ? lo : q > hi ? hi : q;
    if (t->type == TYPE_INT16)
        ((int16_t *)t->data)[i] = (int16_t)q;
    else
        ((uint8_t *)t->data)[i] = (uint8_t)(int)q;
}

/* One of both has the pixels, [H,W,C]. */
static void fill(const struct preprocess *p, const struct preprocess_input *in, const float *reals, const uint8_t *bytes,
                 const struct tensor *t, size_t *cut)
{
    struct numbers n;
    size_t i = 0;

    numbers_of(p, t, in->channels, &n);
    for (uint32_t y = 0; y < in->height; y++)
        for (uint32_t x = 0; x < in->width; x++)
            for (uint32_t c = 0; c < in->channels; c++, i++)
                store(p, &n, t, y * in->row + x * in->column + c * in->channel, reals ? reals[i] : (float)bytes[i], c, cut);
}

static enum status resize_and_fill(const struct preprocess *p, const struct preprocess_input *in, const struct resize_source *s,
                                   const struct resize *r, const struct tensor *t, size_t *cut, struct err *err)
{
    const size_t n = (size_t)in->width * in->height * in->channels;
    const bool antialias = p->filter == PREPROCESS_ANTIALIAS || p->filter == PREPROCESS_BICUBIC;
    const bool bytes = antialias || p->order == PREPROCESS_LETTERBOX;
    void *resized = malloc(n * (bytes ? 1 : sizeof(float)));
    enum status st = ST_OK;

    if (!resized)
        return err_set(err, ST_NOMEM, "out of memory for %u x %u pixels", in->width, in->height);
    if (p->order == PREPROCESS_LETTERBOX)
        st = letterbox(p, in, s, resized, err);
    else if (antialias)
        st = preprocess_antialias(s, r, p->filter == PREPROCESS_BICUBIC, resized, err);
    else
        preprocess_bilinear(s, r, p->filter == PREPROCESS_HALF_PIXEL, resized);
    if (!st)
        fill(p, in, bytes ? NULL : resized, bytes ? resized : NULL, t, cut);
    free(resized);
    return st;
}

enum status preprocess_run(const struct preprocess *p, const struct pixels *from, const struct tensor *t, size_t *cut,
                           struct err *err)
{
    struct preprocess_input in;
    struct resize_source s;
    struct resize r;
    enum status st;
    uint8_t *pixels;

    *cut = 0;
    if ((st = preprocess_place(p, t, &in, err)))
        return st;
    if (!from->width || !from->height || from->width > PREPROCESS_MAX_SIDE || from->height > PREPROCESS_MAX_SIDE)
        return err_set(err, ST_USAGE, "%u x %u pixels; sides from 1 to %d are taken", from->width, from->height,
                       PREPROCESS_MAX_SIDE);
    if (!(pixels = with_channels(from, in.channels, p->bgr)))
        return err_set(err, ST_NOMEM, "out of memory for %u x %u pixels", from->width, from->height);
    s = (struct resize_source){pixels, from->width, 0, 0, from->width, from->height, in.channels};
    r = (struct resize){.full_width = in.width, .full_height = in.height, .width = in.width, .height = in.height};
    if (p->order == PREPROCESS_CROP_FIRST)
        central_square(p, from, &s);
    else if (p->order == PREPROCESS_RESIZE_FIRST)
        shorter_side(p, from, &r);
    st = resize_and_fill(p, &in, &s, &r, t, cut, err);
    free(pixels);
    return st;
}

enum status preprocess_numbers(const struct preprocess *p, const uint8_t *pixels, size_t bytes, const struct tensor *t, size_t *cut,
                               struct err *err)
{
    struct preprocess_input in;
    enum status st = preprocess_place(p, t, &in, err);

    *cut = 0;
    if (st)
        return st;
    if (bytes != (size_t)in.width * in.height * in.channels)
        return err_set(err, ST_USAGE, "%zu bytes, where input '%.100s' takes %u x %u pixels of %u bytes", bytes, t->name, in.width,
                       in.height, in.channels);
    fill(p, &in, NULL, pixels, t, cut);
    return ST_OK;
}

/* ---- what is done, in words ---- */

static void add(char *out, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void add(char *out, size_t size, const char *fmt, ...)
{
    const size_t used = strlen(out);
    va_list args;

    va_start(args, fmt);
    vsnprintf(out + used, size - used, fmt, args);
    va_end(args);
}

static bool all_equal(const double v[3])
{
    return v[0] == v[1] && v[1] == v[2];
}

static void add_numbers(const struct preprocess *p, const struct tensor *t, char *out, size_t size)
{
    const char *of = p->unit > 1 ? "pixel / 255" : "pixel";

    if (!p->has_mean && type_is_float(t->type))
        add(out, size, "(pixel - 127.5) / 127.5");
    else if (!p->has_mean)
        add(out, size, "%s, cut off to whole numbers", t->type == TYPE_INT8 ? "pixel - 128" : "pixel");
    else if (all_equal(p->mean) && all_equal(p->std) && p->mean[0] == 0 && p->std[0] == 1)
        add(out, size, "%s", of);
    else if (all_equal(p->mean) && all_equal(p->std))
        add(out, size, "(%s - %g) / %g", of, p->mean[0], p->std[0]);
    else
        add(out, size, "(%s - %g,%g,%g) / %g,%g,%g", of, p->mean[0], p->mean[1], p->mean[2], p->std[0], p->std[1], p->std[2]);
    if (p->has_mean && !type_is_float(t->type))
        add(out, size, ", quantized");
}

const char *preprocess_text(const struct preprocess *p, const struct tensor *t, char out[PREPROCESS_TEXT_SIZE])
{
    static const char *const filters[] = {"bilinear with legacy centers", "bilinear", "antialiased bilinear",
                                          "antialiased bicubic"};
    const size_t size = PREPROCESS_TEXT_SIZE;
    struct preprocess_input in;
    struct err err;

    *out = '\0';
    if (preprocess_place(p, t, &in, &err))
        return out;
    if (p->order == PREPROCESS_CROP_FIRST)
        add(out, size, "central square of %g, ", p->fraction);
    add(out, size, "%s to ", filters[p->filter]);
    if (p->order == PREPROCESS_RESIZE_FIRST)
        add(out, size, "a shorter side of %u, central crop to ", before_crop(p, in.width < in.height ? in.width : in.height));
    add(out, size, "%s%u x %u, ", p->order == PREPROCESS_LETTERBOX ? "fit " : "", in.width, in.height);
    if (p->order == PREPROCESS_LETTERBOX)
        add(out, size, "%s gray %d, ", p->corner ? "in the upper left corner of" : "in the middle of", GRAY);
    if (in.channels == 1 || p->bgr)
        add(out, size, in.channels == 1 ? "gray, " : "BGR, ");
    if (in.channel > 1)
        add(out, size, "channels first, ");
    add_numbers(p, t, out, size);
    return out;
}
