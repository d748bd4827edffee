/* SPDX-License-Identifier: Apache-2.0 */
/* host_layout.c - see host_layout.h; a block of pixels at a time, so that what lies densely is in the cache for all its slices. */
#include "lib/gl/software/host_layout.h"

#include <stddef.h>
#include <string.h>

#include "lib/tensor/tensor.h"

#define BLOCK 64u /* pixels of a row */

static const struct {
    uint32_t element, lane; /* bytes on the host, and on the device */
} kinds[GL_LAYOUT_KINDS] = {
    [GL_LAYOUT_WORDS] = {4, 4},
    [GL_LAYOUT_HALVES] = {4, 2},
    [GL_LAYOUT_BYTES] = {1, 1},
};

uint32_t gl_layout_element(enum gl_layout_kind kind)
{
    return kinds[kind].element;
}

uint32_t gl_layout_vector(enum gl_layout_kind kind)
{
    return 4 * kinds[kind].lane;
}

/* *end = end + (n - 1) * pitch; false where that overflows. */
static bool reach(uint64_t *end, uint32_t n, uint64_t pitch)
{
    uint64_t more;

    return n && !__builtin_mul_overflow((uint64_t)n - 1, pitch, &more) && !__builtin_add_overflow(*end, more, end);
}

bool gl_layout_span(const struct gl_layout *l, uint64_t *span, uint64_t *bytes)
{
    uint64_t end;

    if (l->kind <= GL_LAYOUT_NONE || l->kind >= GL_LAYOUT_KINDS || !l->w || !l->c || !l->block_h || !l->block_w ||
        l->c % ((uint64_t)l->block_h * l->block_w))
        return false;
    end = l->w;
    if (!reach(&end, l->b, l->pitch_b) || !reach(&end, (l->c - 1) / 4 + 1, l->pitch_s) || !reach(&end, l->h, l->pitch_h) ||
        __builtin_mul_overflow(end, (uint64_t)gl_layout_vector(l->kind), span))
        return false;
    *bytes = (uint64_t)l->b * l->h;
    return !__builtin_mul_overflow(*bytes, (uint64_t)l->w, bytes) && !__builtin_mul_overflow(*bytes, (uint64_t)l->c, bytes) &&
           !__builtin_mul_overflow(*bytes, (uint64_t)gl_layout_element(l->kind), bytes);
}

/* ---- n pixels of one slice, of which `lanes` channels count; those of the host are `stride` elements apart ---- */

/* A constant number of lanes makes a copy of a few instructions. Lane by lane, since a vector that is put together of 12 bytes in
 * memory is there to be read only when all stores before it are done. */
static inline void to_words(const uint32_t *from, size_t stride, size_t n, size_t lanes, uint32_t *to)
{
    for (size_t i = 0; i < n; i++, from += stride, to += 4)
        for (size_t lane = 0; lane < 4; lane++)
            to[lane] = lane < lanes ? from[lane] : 0;
}

static inline void from_words(uint32_t *to, size_t stride, size_t n, size_t lanes, const uint32_t *from)
{
    for (size_t i = 0; i < n; i++, to += stride, from += 4)
        memcpy(to, from, 4 * lanes);
}

static void write_words(const void *from, size_t stride, size_t n, size_t lanes, void *to)
{
    switch (lanes) {
    case 1: to_words(from, stride, n, 1, to); break;
    case 2: to_words(from, stride, n, 2, to); break;
    case 3: to_words(from, stride, n, 3, to); break;
    default: to_words(from, stride, n, 4, to);
    }
}

static void read_words(const void *from, size_t stride, size_t n, size_t lanes, void *to)
{
    switch (lanes) {
    case 1: from_words(to, stride, n, 1, from); break;
    case 2: from_words(to, stride, n, 2, from); break;
    case 3: from_words(to, stride, n, 3, from); break;
    default: from_words(to, stride, n, 4, from);
    }
}

static void write_halves(const void *from, size_t stride, size_t n, size_t lanes, void *to)
{
    const float *f = from;
    uint16_t *half = to;

    for (size_t i = 0; i < n; i++, f += stride, half += 4)
        for (size_t lane = 0; lane < 4; lane++)
            half[lane] = lane < lanes ? half_from_float(f[lane]) : 0;
}

static void read_halves(const void *from, size_t stride, size_t n, size_t lanes, void *to)
{
    const uint16_t *half = from;
    float *f = to;

    for (size_t i = 0; i < n; i++, f += stride, half += 4)
        for (size_t lane = 0; lane < lanes; lane++)
            f[lane] = half_to_float(half[lane]);
}

static void write_bytes(const void *from, size_t stride, size_t n, size_t lanes, void *to)
{
    const uint8_t *byte = from;
    uint8_t *out = to;

    for (size_t i = 0; i < n; i++, byte += stride, out += 4)
        for (size_t lane = 0; lane < 4; lane++)
            out[lane] = lane < lanes ? byte[lane] : 0;
}

static void read_bytes(const void *from, size_t stride, size_t n, size_t lanes, void *to)
{
    const uint8_t *byte = from;
    uint8_t *out = to;

    for (size_t i = 0; i < n; i++, out += stride, byte += 4)
        for (size_t lane = 0; lane < lanes; lane++)
            out[lane] = byte[lane];
}

typedef void move(const void *from, size_t stride, size_t n, size_t lanes, void *to);

static move *const writes[GL_LAYOUT_KINDS] = {
    [GL_LAYOUT_WORDS] = write_words, [GL_LAYOUT_HALVES] = write_halves, [GL_LAYOUT_BYTES] = write_bytes};
static move *const reads[GL_LAYOUT_KINDS] = {
    [GL_LAYOUT_WORDS] = read_words, [GL_LAYOUT_HALVES] = read_halves, [GL_LAYOUT_BYTES] = read_bytes};

/* ---- all of it ---- */

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

/* Pixels [w, w + n) of row h of batch b, slice by slice. */
static void write_block(const struct gl_layout *l, uint32_t b, uint32_t h, uint32_t w, uint32_t n, const char *dense, char *device)
{
    const size_t element = gl_layout_element(l->kind), vector = gl_layout_vector(l->kind);
    const char *from = dense + (((size_t)b * l->h + h) * l->w + w) * l->c * element;

    for (uint32_t s = 0; 4 * (uint64_t)s < l->c; s++)
        writes[l->kind](from + 4 * s * element, l->c, n, least(l->c - 4 * s, 4),
                        device + (b * l->pitch_b + s * l->pitch_s + h * l->pitch_h + w) * vector);
}

/* As many channels at once as one pixel has of a slice. */
static void read_block(const struct gl_layout *l, uint32_t b, uint32_t h, uint32_t w, uint32_t n, const char *device, char *dense)
{
    const size_t element = gl_layout_element(l->kind), vector = gl_layout_vector(l->kind), lane = kinds[l->kind].lane;
    const uint32_t channels = l->c / (l->block_h * l->block_w);

    for (uint32_t c = 0, lanes; c < l->c; c += lanes) {
        const uint32_t pixel = c / channels, first = c % channels;
        const size_t row = ((size_t)b * l->h + h) * l->block_h + pixel / l->block_w,
                     column = (size_t)w * l->block_w + pixel % l->block_w;

        lanes = least(4 - c % 4, channels - first);
        reads[l->kind](device + (b * l->pitch_b + c / 4 * l->pitch_s + h * l->pitch_h + w) * vector + c % 4 * lane,
                       (size_t)l->block_w * channels, n, lanes,
                       dense + ((row * l->w * l->block_w + column) * channels + first) * element);
    }
}

void gl_layout_write(const struct gl_layout *l, const void *dense, void *device)
{
    for (uint32_t b = 0; b < l->b; b++)
        for (uint32_t h = 0; h < l->h; h++)
            for (uint32_t w = 0; w < l->w; w += least(l->w - w, BLOCK))
                write_block(l, b, h, w, least(l->w - w, BLOCK), dense, device);
}

void gl_layout_read(const struct gl_layout *l, const void *device, void *dense)
{
    for (uint32_t b = 0; b < l->b; b++)
        for (uint32_t h = 0; h < l->h; h++)
            for (uint32_t w = 0; w < l->w; w += least(l->w - w, BLOCK))
                read_block(l, b, h, w, least(l->w - w, BLOCK), device, dense);
}
