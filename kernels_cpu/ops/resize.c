/* SPDX-License-Identifier: Apache-2.0 */
/* resize.c - RESIZE_BILINEAR and RESIZE_NEAREST_NEIGHBOR.
 *
 * FLOAT32 and UINT8 are interpolated in float, the other integers with ten fractional bits, as TFLite does. */
#include <math.h>
#include <string.h>

#include "kernels_cpu/common/clones.h"
#include "kernels_cpu/common/move.h"

static enum status resize_shape(struct node *n, struct err *err)
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
    const struct tap *cols; /* where each column of the output falls */
};

static int32_t within(int64_t at, int32_t length)
{
    return at < 0 ? 0 : at < length ? (int32_t)at : length - 1;
}

/* Position of output `at` in an input of length `in`: between lo and hi, `frac` of the way. */
struct tap {
    int32_t lo, hi;
    float frac;     /* may be slightly negative at the edge, where lo and hi are the same */
    int64_t frac10; /* the same, by 1024 */
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

/* Computes one row of the output at y, from the input's rows `top` and `bottom` (counted over all images). */
typedef void (*bilinear_row)(const struct resize *r, size_t top, size_t bottom, struct tap v, void *y);

/* Offsets of the four neighbours of an output pixel. */
#define NEIGHBOURS(T)                                                                                                              \
    const size_t width = (size_t)r->x->dim[2], depth = (size_t)r->y->dim[3];                                                       \
    const T *upper = (const T *)r->x->data + top * width * depth, *lower = (const T *)r->x->data + bottom * width * depth;         \
    T *restrict y = to

#define ROW_FLOAT(T, convert)                                                                                                      \
    CLONES static void resize_row_##T(const struct resize *r, size_t top, size_t bottom, struct tap v, void *to)                   \
    {                                                                                                                              \
        NEIGHBOURS(T);                                                                                                             \
        const float v0 = 1 - v.frac, v1 = v.frac;                                                                                  \
                                                                                                                                   \
        for (int32_t k = 0; k < r->y->dim[2]; k++, y += depth) {                                                                   \
            const size_t lo = (size_t)r->cols[k].lo * depth, hi = (size_t)r->cols[k].hi * depth;                                   \
            const float h0 = 1 - r->cols[k].frac, h1 = r->cols[k].frac;                                                            \
                                                                                                                                   \
            for (size_t c = 0; c < depth; c++)                                                                                     \
                y[c] = convert(upper[lo + c] * v0 * h0 + lower[lo + c] * v1 * h0 + upper[hi + c] * v0 * h1 +                       \
                               lower[hi + c] * v1 * h1);                                                                           \
        }                                                                                                                          \
    }

/* Weighted sums are below 128 * 2^20 for 8 bits, whose arithmetic in S (unsigned) may wrap on the way. */
#define ROW_FIXED(T, S, U)                                                                                                         \
    CLONES static void resize_row_##T(const struct resize *r, size_t top, size_t bottom, struct tap v, void *to)                   \
    {                                                                                                                              \
        NEIGHBOURS(T);                                                                                                             \
        const int64_t v0 = 1024 - v.frac10, v1 = v.frac10;                                                                         \
                                                                                                                                   \
        for (int32_t k = 0; k < r->y->dim[2]; k++, y += depth) {                                                                   \
            const size_t lo = (size_t)r->cols[k].lo * depth, hi = (size_t)r->cols[k].hi * depth;                                   \
            const int64_t h0 = 1024 - r->cols[k].frac10, h1 = r->cols[k].frac10;                                                   \
            const U w00 = (U)(v0 * h0), w10 = (U)(v1 * h0), w01 = (U)(v0 * h1), w11 = (U)(v1 * h1);                                \
                                                                                                                                   \
            for (size_t c = 0; c < depth; c++) {                                                                                   \
                const S sum = (S)((U)upper[lo + c] * w00 + (U)lower[lo + c] * w10 + (U)upper[hi + c] * w01 +                       \
                                  (U)lower[hi + c] * w11);                                                                         \
                                                                                                                                   \
                y[c] = (T)((sum + (sum > 0 ? 1 << 19 : -(1 << 19))) / (1 << 20));                                                  \
            }                                                                                                                      \
        }                                                                                                                          \
    }

/* roundf, of values that are at most rounding errors outside 0 to 255. */
static inline uint8_t round_to_u8(float v)
{
    const int32_t whole = (int32_t)v;

    return (uint8_t)(whole + (v - (float)whole >= 0.5f));
}

ROW_FLOAT(float, (float))
ROW_FLOAT(uint8_t, round_to_u8)
ROW_FIXED(int8_t, int32_t, uint32_t)
ROW_FIXED(int16_t, int64_t, uint64_t)
ROW_FIXED(uint16_t, int64_t, uint64_t)

static bilinear_row bilinear_choose(enum tensor_type type)
{
    switch (type) {
    case TYPE_FLOAT32: return resize_row_float;
    case TYPE_UINT8: return resize_row_uint8_t;
    case TYPE_INT8: return resize_row_int8_t;
    case TYPE_INT16: return resize_row_int16_t;
    case TYPE_UINT16: return resize_row_uint16_t;
    default: return NULL;
    }
}

static struct tap bilinear_tap(const struct resize *r, int32_t at, int32_t in, int32_t out)
{
    return (r->x->type == TYPE_FLOAT32 || r->x->type == TYPE_UINT8 ? tap_float : tap_fixed)(r, at, in, out);
}

static void bilinear_rows(void *arg, size_t begin, size_t end)
{
    const struct resize *r = arg;
    const int32_t *xd = r->x->dim, *yd = r->y->dim;
    const size_t row_bytes = type_bytes(r->y->type, (size_t)yd[2] * (size_t)yd[3]);
    const bilinear_row row = bilinear_choose(r->x->type);

    for (size_t i = begin; i < end; i++) {
        const size_t image = i / (size_t)yd[1] * (size_t)xd[1];
        const struct tap v = bilinear_tap(r, (int32_t)(i % (size_t)yd[1]), xd[1], yd[1]);

        row(r, image + (size_t)v.lo, image + (size_t)v.hi, v, (char *)r->y->data + i * row_bytes);
    }
}

static enum status bilinear_shape(struct node *n, struct err *err)
{
    const struct opt_resize_bilinear *opt = n->opt;

    if (opt->align_corners && opt->half_pixel_centers)
        return err_set(err, ST_BAD_MODEL, "align_corners and half_pixel_centers exclude each other");
    return resize_shape(n, err);
}

static enum status bilinear_prepare(struct cpu_call *c, struct err *err)
{
    if (!bilinear_choose(c->node->in[0]->type))
        return cpu_bad_type(c->node, c->node->in[0], err);
    c->scratch_bytes = (size_t)c->node->out[0]->dim[2] * sizeof(struct tap);
    return move_prepare(c, err);
}

/* Rows for a thread, so that a piece is some ten thousand elements. */
static size_t row_grain(const struct tensor *y)
{
    return 16384 / ((size_t)y->dim[2] * (size_t)y->dim[3] + 1) + 1;
}

static void bilinear_run(struct cpu_call *c)
{
    const struct opt_resize_bilinear *opt = c->node->opt;
    struct tap *cols = c->scratch;
    struct resize r = {.x = c->node->in[0],
                       .y = c->node->out[0],
                       .align_corners = opt->align_corners,
                       .half_pixel_centers = opt->half_pixel_centers,
                       .cols = cols};

    for (int32_t k = 0; k < r.y->dim[2]; k++)
        cols[k] = bilinear_tap(&r, k, r.x->dim[2], r.y->dim[2]);
    threads_for(c->threads, (size_t)r.y->dim[0] * (size_t)r.y->dim[1], row_grain(r.y), bilinear_rows, &r);
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

static enum status nearest_prepare(struct cpu_call *c, struct err *err)
{
    if (type_bits(c->node->in[0]->type) < 8)
        return cpu_bad_type(c->node, c->node->in[0], err);
    return move_prepare(c, err);
}

static void nearest_run(struct cpu_call *c)
{
    const struct opt_resize_nearest_neighbor *opt = c->node->opt;
    struct resize r = {.x = c->node->in[0],
                       .y = c->node->out[0],
                       .align_corners = opt->align_corners,
                       .half_pixel_centers = opt->half_pixel_centers};

    threads_for(c->threads, (size_t)r.y->dim[0] * (size_t)r.y->dim[1], row_grain(r.y), nearest_rows, &r);
}

const struct cpu_kernel cpu_resize_bilinear = {.shape = bilinear_shape, .prepare = bilinear_prepare, .compute = bilinear_run};
const struct cpu_kernel cpu_resize_nearest_neighbor = {.shape = resize_shape, .prepare = nearest_prepare, .compute = nearest_run};
