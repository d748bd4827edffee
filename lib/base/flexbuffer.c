/* SPDX-License-Identifier: Apache-2.0 */
/* flexbuffer.c - reading maps of numbers and strings. */
#include "lib/base/flexbuffer.h"

#include <string.h>

enum {
    FLEX_INT = 1,
    FLEX_UINT = 2,
    FLEX_FLOAT = 3,
    FLEX_STRING = 5,
    FLEX_INDIRECT_INT = 6,
    FLEX_INDIRECT_UINT = 7,
    FLEX_INDIRECT_FLOAT = 8,
    FLEX_MAP = 9,
    FLEX_VECTOR_INT = 11,
    FLEX_VECTOR_UINT = 12,
    FLEX_BOOL = 26
};

/* A little-endian unsigned number of 1, 2, 4 or 8 bytes at `at`; false outside the buffer. */
static bool read_uint(const struct flex_map *m, size_t at, uint8_t width, uint64_t *out)
{
    *out = 0;
    if (at > m->bytes || width > m->bytes - at)
        return false;
    memcpy(out, m->data + at, width);
    return true;
}

/* Follows the offset stored at *at, which counts back from there. */
static bool follow(const struct flex_map *m, uint8_t width, size_t *at)
{
    uint64_t back;

    if (!read_uint(m, *at, width, &back) || back > *at)
        return false;
    *at -= (size_t)back;
    return true;
}

static double as_signed(uint64_t v, uint8_t width)
{
    int unused = 64 - 8 * width;

    return (double)((int64_t)(v << unused) >> unused);
}

static double as_float(uint64_t v, uint8_t width)
{
    uint32_t low = (uint32_t)v;
    float single;
    double d;

    if (width == 8) {
        memcpy(&d, &v, sizeof d);
        return d;
    }
    memcpy(&single, &low, sizeof single);
    return width == 4 ? (double)single : 0; /* FlexBuffers writes no narrower floats */
}

enum status flex_open(const void *data, size_t bytes, struct flex_map *out, struct err *err)
{
    struct flex_map *m = out;
    uint64_t n, key_width;
    size_t root;
    uint8_t root_width, type;

    *m = (struct flex_map){.data = data, .bytes = bytes};
    if (bytes < 3)
        return err_set(err, ST_BAD_MODEL, "%zu bytes of options are no FlexBuffer", bytes);
    root_width = m->data[bytes - 1];
    type = m->data[bytes - 2];
    m->width = (uint8_t)(1 << (type & 3));
    if (type >> 2 != FLEX_MAP || !root_width || root_width > 8 || (root_width & (root_width - 1)) || root_width > bytes - 2)
        return err_set(err, ST_BAD_MODEL, "the options are not a FlexBuffers map");
    root = bytes - 2 - root_width;
    m->values = root;
    /* before the values: where the keys are, how wide they are, how many there are */
    if (!follow(m, root_width, &m->values) || m->values < 3 * (size_t)m->width ||
        !read_uint(m, m->values - m->width, m->width, &n) || !read_uint(m, m->values - 2 * (size_t)m->width, m->width, &key_width))
        return err_set(err, ST_BAD_MODEL, "the options' map lies outside their %zu bytes", bytes);
    m->keys = m->values - 3 * (size_t)m->width;
    if ((key_width != 1 && key_width != 2 && key_width != 4 && key_width != 8) || !follow(m, m->width, &m->keys) ||
        n > (bytes - m->values) / (m->width + 1u) || n > (bytes - m->keys) / key_width)
        return err_set(err, ST_BAD_MODEL, "the options' map of %llu entries lies outside their %zu bytes", (unsigned long long)n,
                       bytes);
    m->key_width = (uint8_t)key_width;
    m->n = (size_t)n;
    return ST_OK;
}

static bool key_is(const struct flex_map *m, size_t i, const char *key)
{
    size_t at = m->keys + i * m->key_width, length = strlen(key) + 1;

    return follow(m, m->key_width, &at) && length <= m->bytes - at && !memcmp(m->data + at, key, length);
}

static double value(const struct flex_map *m, size_t i, double fallback)
{
    uint8_t packed = m->data[m->values + m->n * m->width + i], type = packed >> 2, width = m->width;
    size_t at = m->values + i * m->width;
    uint64_t v;

    if (type >= FLEX_INDIRECT_INT && type <= FLEX_INDIRECT_FLOAT) {
        if (!follow(m, width, &at))
            return fallback;
        width = (uint8_t)(1 << (packed & 3));
        type = (uint8_t)(type - FLEX_INDIRECT_INT + FLEX_INT);
    }
    if (!read_uint(m, at, width, &v))
        return fallback;
    switch (type) {
    case FLEX_INT: return as_signed(v, width);
    case FLEX_UINT: return (double)v;
    case FLEX_FLOAT: return as_float(v, width);
    case FLEX_BOOL: return v != 0;
    default: return fallback;
    }
}

double flex_number(const struct flex_map *m, const char *key, double fallback)
{
    for (size_t i = 0; i < m->n; i++)
        if (key_is(m, i, key))
            return value(m, i, fallback);
    return fallback;
}

static bool string_is(const struct flex_map *m, size_t i, const char *text)
{
    uint8_t packed = m->data[m->values + m->n * m->width + i], width = (uint8_t)(1 << (packed & 3));
    size_t at = m->values + i * m->width, length = strlen(text);
    uint64_t n;

    return packed >> 2 == FLEX_STRING && follow(m, m->width, &at) && at >= width && read_uint(m, at - width, width, &n) &&
           n == length && length <= m->bytes - at && !memcmp(m->data + at, text, length);
}

bool flex_string_is(const struct flex_map *m, const char *key, const char *text)
{
    for (size_t i = 0; i < m->n; i++)
        if (key_is(m, i, key))
            return string_is(m, i, text);
    return false;
}

static int32_t saturated(double v)
{
    return v <= INT32_MIN ? INT32_MIN : v >= INT32_MAX ? INT32_MAX : (int32_t)v;
}

int32_t flex_int(const struct flex_map *m, const char *key, int32_t fallback)
{
    double v = flex_number(m, key, fallback);

    return v != v ? fallback : saturated(v);
}

static struct flex_ints vector(const struct flex_map *m, size_t i)
{
    uint8_t packed = m->data[m->values + m->n * m->width + i], width = (uint8_t)(1 << (packed & 3));
    size_t at = m->values + i * m->width;
    uint64_t n;

    if ((packed >> 2 != FLEX_VECTOR_INT && packed >> 2 != FLEX_VECTOR_UINT) || !follow(m, m->width, &at) || at < width ||
        !read_uint(m, at - width, width, &n) || n > (m->bytes - at) / width)
        return (struct flex_ints){0};
    return (struct flex_ints){m->data + at, (size_t)n, width, packed >> 2 == FLEX_VECTOR_INT};
}

struct flex_ints flex_vector(const struct flex_map *m, const char *key)
{
    for (size_t i = 0; i < m->n; i++)
        if (key_is(m, i, key))
            return vector(m, i);
    return (struct flex_ints){0};
}

int32_t flex_vector_int(const struct flex_ints *v, size_t i)
{
    uint64_t raw = 0;

    memcpy(&raw, v->data + i * v->width, v->width);
    return saturated(v->is_signed ? as_signed(raw, v->width) : (double)raw);
}
