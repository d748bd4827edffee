/* SPDX-License-Identifier: Apache-2.0 */
/* flex_text.c - FlexBuffers from text. Every number in them takes 8 bytes. */
#include "bench/opcheck/flex_text.h"

#include <stdlib.h>
#include <string.h>

#define MAX_OPTIONS 16
#define MAX_BYTES   2048

enum flex_type { FLEX_INT = 1, FLEX_FLOAT = 3, FLEX_STRING = 5, FLEX_MAP = 9, FLEX_INTS = 11, FLEX_BOOL = 26 };

struct option {
    const char *key, *value; /* in the text: up to '=', up to a space */
    size_t key_at;
    enum flex_type type;
    uint64_t bits; /* the value, or where it is */
};

struct buffer {
    uint8_t *data;
    size_t n;
};

static void put(struct buffer *b, const void *data, size_t n)
{
    if (b->n + n <= MAX_BYTES)
        memcpy(b->data + b->n, data, n);
    b->n += n;
}

static void put_u64(struct buffer *b, uint64_t v)
{
    put(b, &v, 8);
}

static void put_byte(struct buffer *b, uint8_t v)
{
    put(b, &v, 1);
}

/* Offsets point back. */
static void put_offset(struct buffer *b, uint64_t to)
{
    put_u64(b, b->n - to);
}

static void align(struct buffer *b)
{
    while (b->n % 8)
        put_byte(b, 0);
}

static size_t length(const char *s, const char *ends)
{
    return strcspn(s, ends);
}

static enum flex_type type_of(const char *v)
{
    size_t n = length(v, " ");

    if (memchr(v, ',', n))
        return FLEX_INTS;
    if (!strncmp(v, "true", n) || !strncmp(v, "false", n))
        return FLEX_BOOL;
    if (*v != '-' && (*v < '0' || *v > '9'))
        return FLEX_STRING;
    return memchr(v, '.', n) || memchr(v, 'e', n) ? FLEX_FLOAT : FLEX_INT;
}

static void put_ints(struct buffer *b, const char *v)
{
    const char *end = v + length(v, " ");
    uint64_t count = 1;
    char *next;

    for (const char *p = v; p < end; p++)
        count += *p == ',';
    put_u64(b, count);
    for (; count--; v = next + 1)
        put_u64(b, (uint64_t)strtoll(v, &next, 10));
}

/* Writes what does not fit into 8 bytes, and sets `bits`. */
static void put_value(struct buffer *b, struct option *o)
{
    size_t n = length(o->value, " ");
    double d;

    switch (o->type = type_of(o->value)) {
    case FLEX_INTS:
        align(b);
        o->bits = b->n + 8;
        put_ints(b, o->value);
        break;
    case FLEX_STRING:
        align(b);
        put_u64(b, n);
        o->bits = b->n;
        put(b, o->value, n);
        put_byte(b, 0);
        break;
    case FLEX_FLOAT:
        d = strtod(o->value, NULL);
        memcpy(&o->bits, &d, 8);
        break;
    case FLEX_BOOL: o->bits = *o->value == 't'; break;
    default: o->bits = (uint64_t)strtoll(o->value, NULL, 10); break;
    }
}

static int by_key(const void *a, const void *b)
{
    const char *p = ((const struct option *)a)->key, *q = ((const struct option *)b)->key;
    size_t np = length(p, "="), nq = length(q, "=");
    int order = memcmp(p, q, np < nq ? np : nq);

    return order ? order : (np > nq) - (np < nq);
}

static size_t parse(const char *text, struct option *o)
{
    size_t n = 0;

    for (const char *p = text; *p && n < MAX_OPTIONS; p += length(p, " "), p += *p == ' ') {
        o[n].key = p;
        o[n++].value = p + length(p, "=") + 1;
    }
    qsort(o, n, sizeof *o, by_key);
    return n;
}

static void put_map(struct buffer *b, const struct option *o, size_t n)
{
    uint64_t keys, map;

    align(b);
    put_u64(b, n);
    keys = b->n;
    for (size_t i = 0; i < n; i++)
        put_offset(b, o[i].key_at);
    put_offset(b, keys);
    put_u64(b, 8);
    put_u64(b, n);
    map = b->n;
    for (size_t i = 0; i < n; i++)
        if (o[i].type == FLEX_INTS || o[i].type == FLEX_STRING)
            put_offset(b, o[i].bits);
        else
            put_u64(b, o[i].bits);
    for (size_t i = 0; i < n; i++)
        put_byte(b, (uint8_t)(o[i].type << 2 | 3)); /* 2^3 bytes wide */
    put_offset(b, map);
    put_byte(b, FLEX_MAP << 2 | 3);
    put_byte(b, 8);
}

uint8_t *flex_from_text(const char *text, struct arena *a, size_t *bytes)
{
    struct buffer b = {.data = arena_alloc(a, MAX_BYTES, 1)};
    struct option o[MAX_OPTIONS];
    size_t n;

    if (!b.data)
        return NULL;
    n = parse(text, o);
    for (size_t i = 0; i < n; i++) {
        o[i].key_at = b.n;
        put(&b, o[i].key, length(o[i].key, "="));
        put_byte(&b, 0);
        put_value(&b, &o[i]);
    }
    put_map(&b, o, n);
    *bytes = b.n;
    return b.n <= MAX_BYTES ? b.data : NULL;
}
