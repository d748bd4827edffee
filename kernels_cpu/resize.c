/* resize.c - RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
 *
 * FLOAT32 and UINT8 are interpolated in float, the other integers with ten fractional bits, as TFLite does. */
#include <math.h>
#include <string.h>

#include "move.h"

static enum status resize_shape(struct node *n, bool align_corners, bool half_pixel_centers, struct err *err)
{
    const struct tensor *x;
    int32_t size[2];
    uint32_t count;
    enum status st;

    if ((st = shape_arity(n, 2, 2, 1, err)))
        return st;
    x = n->in[0];
    if (x->rank != 4)
        return err_set(err, ST_BAD_MODEL, "rank %d, must be 4", x->rank);
    if (align_corners && half_pixel_centers)
        return err_set(err, ST_BAD_MODEL, "align_corners and half_pixel_centers exclude each other");
    if ((st = shape_ints(n->in[1], size, 2, &count, err)))
        return st;
    if (count != 2 || size[0] < 1 || size[1] < 1)
        return err_set(err, ST_BAD_MODEL, "the size must be two numbers above 0");
    if (x->dim[1] < 1 || x->dim[2] < 1)
        return err_set(err, ST_BAD_MODEL, "an image of %d by %d cannot be resized", x->dim[1], x->dim[2]);
    return shape_set(n, 0, (int32_t[]){x->dim[0], size[0], size[1], x->dim[3]}, 4, err);
}

/* One resize as its rows see it. Offsets are in elements. */
struct resize {
    const struct tensor *x;
    struct tensor *y;
    bool align_corners, half_pixel_centers;
    void (*pixel)(const struct resize *r, const size_t from[4], size_t to, const float wf[4], const int64_t wi[4]);
};

static int32_t within(int64_t at, int32_t length)
{
    return at < 0 ? 0 : at < length ? (int32_t)at : length - 1;
}

/* Where output position `at` falls in an input of length `in`: between lo and hi, `frac` of the way. */
struct tap {
    int32_t lo, hi;
    float frac;                  /* may be slightly negative at the edge, where lo and hi are the same */
    int64_t frac10;              /* the same, by 1024 */
};

static struct tap tap_float(const struct resize *r, int32_t at, int32_t in, int32_t out)
{
    float scale = r->align_corners && out > 1 ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
    float pos = r->half_pixel_centers ? ((float)at + 0.5f) * scale - 0.5f : (float)at * scale;
    struct tap t = {.lo = within((int64_t)floorf(pos), in), .hi = within((int64_t)ceilf(pos), in)};

    t.frac = pos - (float)t.lo;
    return t;
}

static struct tap tap_fixed(const struct resize *r, int32_t at, int32_t in, int32_t out)
{
    bool corners = r->align_corners && out > 1;
    int64_t from = corners ? in - 1 : in, to = corners ? out - 1 : out;
    int64_t scale = (1024 * from + to / 2) / to;
    int64_t pos = at * scale + (r->half_pixel_centers ? scale / 2 - 512 : 0);
    struct tap t = {.lo = within(pos / 1024, in), .hi = within((pos + 1023) / 1024, in)};

    t.frac10 = pos - 1024 * (int64_t)t.lo;
    return t;
}

/* wf: weights of lo and hi vertically, then horizontally. */
#define PIXEL_FLOAT(T, convert)                                                                                       \
    static void pixel_##T(const struct resize *r, const size_t from[4], size_t to, const float wf[4],                 \
                          const int64_t wi[4])                                                                        \
    {                                                                                                                 \
        const T *x = r->x->data;                                                                                      \
        T *y = (T *)r->y->data + to;                                                                                  \
                                                                                                                      \
        (void)wi;                                                                                                     \
        for (int32_t c = 0; c < r->y->dim[3]; c++) {                                                                  \
            const float a = x[from[0] + (size_t)c], b = x[from[1] + (size_t)c], d = x[from[2] + (size_t)c],           \
                        e = x[from[3] + (size_t)c];                                                                   \
                                                                                                                      \
            y[c] = convert(a * wf[0] * wf[2] + b * wf[1] * wf[2] + d * wf[0] * wf[3] + e * wf[1] * wf[3]);            \
        }                                                                                                             \
    }

#define PIXEL_FIXED(T)                                                                                                \
    static void pixel_##T(const struct resize *r, const size_t from[4], size_t to, const float wf[4],                 \
                          const int64_t wi[4])                                                                        \
    {                                                                                                                 \
        const T *x = r->x->data;                                                                                      \
        T *y = (T *)r->y->data + to;                                                                                  \
                                                                                                                      \
        (void)wf;                                                                                                     \
        for (int32_t c = 0; c < r->y->dim[3]; c++) {                                                                  \
            int64_t sum = x[from[0] + (size_t)c] * wi[0] * wi[2] + x[from[1] + (size_t)c] * wi[1] * wi[2] +           \
                          x[from[2] + (size_t)c] * wi[0] * wi[3] + x[from[3] + (size_t)c] * wi[1] * wi[3];            \
                                                                                                                      \
            y[c] = (T)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));                                         \
        }                                                                                                             \
    }

PIXEL_FLOAT(float, (float))
PIXEL_FLOAT(uint8_t, (uint8_t)roundf)
PIXEL_FIXED(int8_t)
PIXEL_FIXED(int16_t)
PIXEL_FIXED(uint16_t)

static void bilinear_rows(void *arg, size_t begin, size_t end)
{
    const struct resize *r = arg;
    const int32_t *xd = r->x->dim, *yd = r->y->dim;
    bool fixed = r->x->type != TYPE_FLOAT32 && r->x->type != TYPE_UINT8;
    struct tap (*tap)(const struct resize *, int32_t, int32_t, int32_t) = fixed ? tap_fixed : tap_float;
    size_t depth = (size_t)yd[3];

    for (size_t i = begin; i < end; i++) {
        size_t batch = i / (size_t)yd[1];
        struct tap v = tap(r, (int32_t)(i % (size_t)yd[1]), xd[1], yd[1]);
        size_t top = (batch * (size_t)xd[1] + (size_t)v.lo) * (size_t)xd[2];
        size_t bottom = (batch * (size_t)xd[1] + (size_t)v.hi) * (size_t)xd[2];

        for (int32_t k = 0; k < yd[2]; k++) {
            struct tap h = tap(r, k, xd[2], yd[2]);
            const size_t from[4] = {(top + (size_t)h.lo) * depth, (bottom + (size_t)h.lo) * depth,
                                    (top + (size_t)h.hi) * depth, (bottom + (size_t)h.hi) * depth};
            const float wf[4] = {1 - v.frac, v.frac, 1 - h.frac, h.frac};
            const int64_t wi[4] = {1024 - v.frac10, v.frac10, 1024 - h.frac10, h.frac10};

            r->pixel(r, from, (i * (size_t)yd[2] + (size_t)k) * depth, wf, wi);
        }
    }
}

static enum status bilinear_shape(struct node *n, struct err *err)
{
    const struct opt_resize_bilinear *opt = n->opt;

    return resize_shape(n, opt->align_corners, opt->half_pixel_centers, err);
}

static enum status bilinear_prepare(struct cpu_call *c, struct err *err)
{
    switch (c->node->in[0]->type) {
    case TYPE_FLOAT32: case TYPE_UINT8: case TYPE_INT8: case TYPE_INT16: case TYPE_UINT16: return move_prepare(c, err);
    default: return cpu_bad_type(c->node, c->node->in[0], err);
    }
}

/* Rows for a thread, so that a piece is some ten thousand elements. */
static size_t row_grain(const struct tensor *y)
{
    return 16384 / ((size_t)y->dim[2] * (size_t)y->dim[3] + 1) + 1;
}

static enum status bilinear_run(struct cpu_call *c, struct err *err)
{
    const struct opt_resize_bilinear *opt = c->node->opt;
    struct resize r = {.x = c->node->in[0], .y = c->node->out[0], .align_corners = opt->align_corners,
                       .half_pixel_centers = opt->half_pixel_centers};

    (void)err;
    switch (r.x->type) {
    case TYPE_FLOAT32: r.pixel = pixel_float; break;
    case TYPE_UINT8: r.pixel = pixel_uint8_t; break;
    case TYPE_INT8: r.pixel = pixel_int8_t; break;
    case TYPE_INT16: r.pixel = pixel_int16_t; break;
    default: r.pixel = pixel_uint16_t; break;
    }
    threads_for(c->threads, (size_t)r.y->dim[0] * (size_t)r.y->dim[1], row_grain(r.y), bilinear_rows, &r);
    return ST_OK;
}

static size_t nearest(const struct resize *r, int32_t at, int32_t in, int32_t out)
{
    float scale = r->align_corners && out > 1 ? (float)(in - 1) / (float)(out - 1) : (float)in / (float)out;
    float pos = ((float)at + (r->half_pixel_centers ? 0.5f : 0.0f)) * scale;

    return (size_t)within((int64_t)(r->align_corners ? roundf(pos) : floorf(pos)), in);
}

static void nearest_rows(void *arg, size_t begin, size_t end)
{
    const struct resize *r = arg;
    const int32_t *xd = r->x->dim, *yd = r->y->dim;
    size_t pixel = type_bytes(r->x->type, (size_t)yd[3]);

    for (size_t i = begin; i < end; i++) {
        size_t row = i / (size_t)yd[1] * (size_t)xd[1] + nearest(r, (int32_t)(i % (size_t)yd[1]), xd[1], yd[1]);
        const uint8_t *x = (const uint8_t *)r->x->data + row * (size_t)xd[2] * pixel;
        uint8_t *y = (uint8_t *)r->y->data + i * (size_t)yd[2] * pixel;

        for (int32_t k = 0; k < yd[2] && pixel; k++)
            memcpy(y + (size_t)k * pixel, x + nearest(r, k, xd[2], yd[2]) * pixel, pixel);
    }
}

static enum status nearest_shape(struct node *n, struct err *err)
{
    const struct opt_resize_nearest_neighbor *opt = n->opt;

    return resize_shape(n, opt->align_corners, opt->half_pixel_centers, err);
}

static enum status nearest_prepare(struct cpu_call *c, struct err *err)
{
    if (type_bits(c->node->in[0]->type) < 8)
        return cpu_bad_type(c->node, c->node->in[0], err);
    return move_prepare(c, err);
}

static enum status nearest_run(struct cpu_call *c, struct err *err)
{
    const struct opt_resize_nearest_neighbor *opt = c->node->opt;
    struct resize r = {.x = c->node->in[0], .y = c->node->out[0], .align_corners = opt->align_corners,
                       .half_pixel_centers = opt->half_pixel_centers};

    (void)err;
    threads_for(c->threads, (size_t)r.y->dim[0] * (size_t)r.y->dim[1], row_grain(r.y), nearest_rows, &r);
    return ST_OK;
}

const struct cpu_kernel cpu_resize_bilinear = {.shape = bilinear_shape, .prepare = bilinear_prepare, .run = bilinear_run};
const struct cpu_kernel cpu_resize_nearest_neighbor = {.shape = nearest_shape, .prepare = nearest_prepare,
                                                       .run = nearest_run};
