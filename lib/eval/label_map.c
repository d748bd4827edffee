/* SPDX-License-Identifier: Apache-2.0 */
/* label_map.c - the largest score of each pixel, row by row. */
#include "lib/eval/label_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tensor/real_values.h"

struct label_map *label_map_new(uint32_t width, uint32_t height)
{
    const size_t n = (size_t)width * height;
    struct label_map *m = malloc(sizeof *m + n * sizeof *m->at);

    if (!m)
        return NULL;
    m->width = width;
    m->height = height;
    memset(m->at, 0xff, n * sizeof *m->at);
    return m;
}

/* The pixel of `from` whose area has the center of pixel x of `to`. */
static uint32_t nearest(uint32_t x, uint32_t from, uint32_t to)
{
    return (uint32_t)((2 * (uint64_t)x + 1) * from / (2 * (uint64_t)to));
}

struct label_map *label_map_resize(const struct label_map *from, uint32_t width, uint32_t height)
{
    struct label_map *m = label_map_new(width, height);

    for (uint32_t y = 0; m && y < height; y++) {
        const uint16_t *row = from->at + (size_t)nearest(y, from->height, height) * from->width;

        for (uint32_t x = 0; x < width; x++)
            m->at[(size_t)y * width + x] = row[nearest(x, from->width, width)];
    }
    return m;
}

/* ---- what an output means ---- */

static bool has_values(const struct tensor *t)
{
    return type_is_float(t->type) || t->type == TYPE_UINT8 || t->type == TYPE_INT8 || t->type == TYPE_INT16 ||
           t->type == TYPE_INT32 || t->type == TYPE_INT64;
}

static bool has_aspect(int32_t height, int32_t width, uint32_t in_height, uint32_t in_width)
{
    return (int64_t)height * in_width == (int64_t)width * in_height;
}

/* Whether the channels of [_,a,b,c] are the first of these. */
static bool are_first(const int32_t *d, enum preprocess_layout layout, uint32_t in_width, uint32_t in_height)
{
    if (layout != PREPROCESS_LAYOUT_AUTO)
        return layout == PREPROCESS_NCHW;
    return has_aspect(d[2], d[3], in_height, in_width) && !has_aspect(d[1], d[2], in_height, in_width);
}

static enum label_output kind_of(const struct tensor *t, uint32_t channels)
{
    if (channels > 1)
        return LABEL_OUTPUT_SCORES;
    if (type_is_float(t->type) || (t->rank == 4 && real_is_quantized(t)))
        return LABEL_OUTPUT_PROBABILITY;
    return LABEL_OUTPUT_LABELS;
}

enum status label_place(const struct tensor *t, enum label_output kind, enum preprocess_layout layout, uint32_t in_width,
                        uint32_t in_height, struct label_place *out, struct err *err)
{
    const int32_t *d = t->dim;
    const bool flat = t->rank == 3, first = !flat && t->rank == 4 && are_first(d, layout, in_width, in_height);
    uint32_t channels = 1;

    *out = (struct label_place){.kind = kind, .channels_first = first};
    if ((flat || t->rank == 4) && d[0] == 1) {
        out->height = (uint32_t)d[first ? 2 : 1];
        out->width = (uint32_t)d[first ? 3 : 2];
        channels = flat ? 1 : (uint32_t)d[first ? 1 : 3];
    }
    if (!out->width || !out->height || !channels || out->width > PREPROCESS_MAX_SIDE || out->height > PREPROCESS_MAX_SIDE ||
        !has_values(t))
        return err_set(err, ST_USAGE,
                       "output '%.100s' %s is no map of classes: [1,H,W,C], [1,C,H,W] or [1,H,W] of numbers is expected", t->name,
                       TENSOR_TEXT(t));
    if (kind == LABEL_OUTPUT_AUTO)
        out->kind = kind_of(t, channels);
    if (channels > LABEL_MAX_CLASSES || (channels > 1) != (out->kind == LABEL_OUTPUT_SCORES))
        return err_set(err, ST_USAGE, "output '%.100s' %s has %u channels, where %s", t->name, TENSOR_TEXT(t), channels,
                       out->kind == LABEL_OUTPUT_SCORES ? "scores have 2 to 1024" : "labels and probabilities have one");
    out->classes = out->kind == LABEL_OUTPUT_SCORES ? channels : out->kind == LABEL_OUTPUT_PROBABILITY ? 2 : 0;
    out->column = first ? 1 : channels;
    out->row = out->width * out->column;
    out->class = first ? (size_t)out->width * out->height : 1;
    return ST_OK;
}

/* ---- the map ---- */

/* Of scores[n], or of the one probability. */
static uint16_t class_of_scores(const double *scores, uint32_t n, double threshold)
{
    uint32_t best = LABEL_NONE;

    if (n == 1)
        return isnan(scores[0]) ? LABEL_NONE : scores[0] > threshold;
    for (uint32_t c = 0; c < n; c++)
        if (!isnan(scores[c]) && (best == LABEL_NONE || scores[c] > scores[best]))
            best = c;
    return (uint16_t)best;
}

/* A row of the output as numbers, [width,n]. */
static void read_row(const struct tensor *t, const struct label_place *p, uint32_t y, uint32_t n, double *out)
{
    for (uint32_t x = 0; x < p->width; x++)
        for (uint32_t c = 0; c < n; c++)
            *out++ = real_value(t, y * p->row + x * p->column + c * p->class);
}

/* Where pixel x of `to` lies between pixels *a and *b of `from`. */
static double between(uint32_t x, uint32_t from, uint32_t to, uint32_t *a, uint32_t *b)
{
    const double at = fmax((x + 0.5) * from / to - 0.5, 0);

    *a = (uint32_t)at < from - 1 ? (uint32_t)at : from - 1;
    *b = *a + 1 < from ? *a + 1 : *a;
    return at - *a;
}

/* Rows of an output: two that follow one another, and what lies between. */
struct rows {
    double *data[2]; /* [width,n] */
    uint32_t y[2];   /* of each; UINT32_MAX: not yet read */
    double *mixed;   /* [width,n] */
    double *pixel;   /* [n] */
};

static const double *row_of(const struct tensor *t, const struct label_place *p, uint32_t y, uint32_t n, struct rows *r)
{
    double *data = r->data[y % 2];

    if (r->y[y % 2] != y)
        read_row(t, p, y, n, data);
    r->y[y % 2] = y;
    return data;
}

static void mix(const double *a, const double *b, double part, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = part > 0 ? a[i] + (b[i] - a[i]) * part : a[i];
}

static void fill_bilinear(const struct tensor *t, const struct label_place *p, const struct label_rule *rule, uint32_t n,
                          struct rows *r, struct label_map *m)
{
    uint32_t a, b;

    for (uint32_t y = 0; y < m->height; y++) {
        const double part = between(y, p->height, m->height, &a, &b);

        mix(row_of(t, p, a, n, r), row_of(t, p, b, n, r), part, (size_t)p->width * n, r->mixed);
        for (uint32_t x = 0; x < m->width; x++) {
            const double share = between(x, p->width, m->width, &a, &b);

            mix(r->mixed + (size_t)a * n, r->mixed + (size_t)b * n, share, n, r->pixel);
            m->at[(size_t)y * m->width + x] = class_of_scores(r->pixel, n, rule->threshold);
        }
    }
}

static uint16_t label_of(double v, uint32_t n_classes)
{
    return v >= 0 && v < n_classes && v == floor(v) ? (uint16_t)v : LABEL_NONE;
}

static void fill_nearest(const struct tensor *t, const struct label_place *p, const struct label_rule *rule, uint32_t n,
                         struct rows *r, struct label_map *m)
{
    for (uint32_t y = 0; y < m->height; y++) {
        const double *row = row_of(t, p, nearest(y, p->height, m->height), n, r);

        for (uint32_t x = 0; x < m->width; x++) {
            const double *pixel = row + (size_t)nearest(x, p->width, m->width) * n;

            m->at[(size_t)y * m->width + x] = p->kind == LABEL_OUTPUT_LABELS ? label_of(*pixel, rule->n_classes)
                                                                             : class_of_scores(pixel, n, rule->threshold);
        }
    }
}

enum status label_map_of(const struct tensor *t, const struct label_place *p, const struct label_rule *rule, struct label_map **out,
                         struct err *err)
{
    const uint32_t n = p->kind == LABEL_OUTPUT_SCORES ? p->classes : 1;
    const size_t row = (size_t)p->width * n;
    double *memory = malloc((3 * row + n) * sizeof *memory);

    *out = memory ? label_map_new(rule->width, rule->height) : NULL;
    if (*out) {
        struct rows r = {{memory, memory + row}, {UINT32_MAX, UINT32_MAX}, memory + 2 * row, memory + 3 * row};

        if (rule->bilinear && p->kind != LABEL_OUTPUT_LABELS)
            fill_bilinear(t, p, rule, n, &r, *out);
        else
            fill_nearest(t, p, rule, n, &r, *out);
    }
    free(memory);
    return *out ? ST_OK : err_set(err, ST_NOMEM, "out of memory for a map of %u x %u pixels", rule->width, rule->height);
}
