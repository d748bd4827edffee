/* SPDX-License-Identifier: Apache-2.0 */
/* fb.c - checked flatbuffer access. */
#include "lib/base/fb.h"

#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "flatbuffers are little-endian, and are used in place");

/* As many as flatbuffers' own verifier allows. In small files fewer: a table that is not shared takes 8 bytes with the
 * offset that leads to it, and each costs the caller memory. */
#define MAX_TABLES  1000000
#define FREE_TABLES 10000
/* Honest files visit each byte about once; sharing strings or vtables raises that a little, most so in tiny files. */
#define MAX_VISITS  64
#define FREE_VISITS ((size_t)1 << 20)

void fb_init(struct fb *f, const void *data, size_t bytes, struct arena *arena, struct err *err)
{
    *f = (struct fb){.data = data, .bytes = bytes, .arena = arena, .err = err};
    f->tables_left = bytes / 8 < MAX_TABLES - FREE_TABLES ? bytes / 8 + FREE_TABLES : MAX_TABLES;
    f->bytes_left = bytes < SIZE_MAX / (MAX_VISITS + 1) ? bytes * MAX_VISITS + FREE_VISITS : SIZE_MAX;
}

enum status fb_fail(struct fb *f, enum status st, const char *fmt, ...)
{
    char msg[sizeof f->err->msg];
    va_list ap;

    if (f->st)
        return f->st;
    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return f->st = err_set(f->err, st, "%s", msg);
}

enum status fb_prefix(struct fb *f, const char *fmt, ...)
{
    char msg[128];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(msg, sizeof msg, fmt, ap);
    va_end(ap);
    return err_prefix(f->err, f->st, "%s", msg);
}

bool fb_charge(struct fb *f, size_t bytes)
{
    if (f->st)
        return false;
    if (bytes > f->bytes_left) {
        fb_fail(f, ST_BAD_MODEL, "the file repeats its parts so often that its content is over %d times its size", MAX_VISITS);
        return false;
    }
    f->bytes_left -= bytes;
    return true;
}

void *fb_alloc(struct fb *f, size_t n, size_t size)
{
    void *p = f->st ? NULL : arena_alloc(f->arena, n, size);

    if (!p)
        fb_fail(f, ST_NOMEM, "out of memory for %zu entries of %zu bytes", n, size);
    return p;
}

/* The only place that turns an offset into a pointer. */
static const uint8_t *at(struct fb *f, size_t pos, size_t bytes, const char *what)
{
    if (f->st)
        return NULL;
    if (pos > f->bytes || bytes > f->bytes - pos) {
        fb_fail(f, ST_BAD_MODEL, "%s needs %zu bytes at offset %zu, but the file ends at %zu", what, bytes, pos, f->bytes);
        return NULL;
    }
    return f->data + pos;
}

static uint16_t read_u16(const uint8_t *p)
{
    uint16_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

static uint32_t read_u32(const uint8_t *p)
{
    uint32_t v;

    memcpy(&v, p, sizeof v);
    return v;
}

/* Where the offset stored at `pos` leads; 0 after a failure. Saturates, so that a 32-bit size_t cannot wrap. */
static size_t follow(struct fb *f, size_t pos, const char *what)
{
    const uint8_t *p = at(f, pos, sizeof(uint32_t), what);
    size_t to;

    if (!p || __builtin_add_overflow(pos, read_u32(p), &to))
        return p ? SIZE_MAX : 0;
    return to;
}

static struct fb_table table_at(struct fb *f, size_t pos, const char *what)
{
    const struct fb_table none = {0};
    struct fb_table t = {.at = pos};
    const uint8_t *p;
    int32_t back;

    if (!(p = at(f, pos, sizeof back, what)))
        return none;
    memcpy(&back, p, sizeof back);
    /* The vtable lies `back` bytes before the table, or after it where `back` is negative. */
    if ((int64_t)pos < back || (uint64_t)((int64_t)pos - back) > f->bytes) {
        fb_fail(f, ST_BAD_MODEL, "%s at offset %zu has its vtable outside of the file", what, pos);
        return none;
    }
    t.vtable = (size_t)((int64_t)pos - back);
    if (!(p = at(f, t.vtable, 4, what)))
        return none;
    t.vtable_bytes = read_u16(p);
    t.bytes = read_u16(p + 2);
    if (t.vtable_bytes < 4 || t.vtable_bytes % 2 || t.bytes < 4) {
        fb_fail(f, ST_BAD_MODEL, "%s at offset %zu has a broken vtable (%u bytes for a table of %u)", what, pos, t.vtable_bytes,
                t.bytes);
        return none;
    }
    if (!at(f, t.vtable, t.vtable_bytes, what) || !at(f, pos, t.bytes, what) || !fb_charge(f, (size_t)t.vtable_bytes + t.bytes))
        return none;
    if (!f->tables_left) {
        fb_fail(f, ST_BAD_MODEL, "more tables than a file of %zu bytes may have", f->bytes);
        return none;
    }
    f->tables_left--;
    return t;
}

struct fb_table fb_root(struct fb *f)
{
    return table_at(f, follow(f, 0, "the model"), "the model");
}

/* Offset of a field in the file, 0 where it is absent. */
static size_t field(struct fb *f, const struct fb_table *t, unsigned id, size_t bytes)
{
    size_t slot = 4 + 2 * (size_t)id;
    uint16_t in_table;

    if (f->st || !t->at || slot + 2 > t->vtable_bytes || !(in_table = read_u16(f->data + t->vtable + slot)))
        return 0;
    if (in_table < 4 || in_table + bytes > t->bytes) {
        fb_fail(f, ST_BAD_MODEL, "field %u lies at %u to %zu in a table of %u bytes", id, in_table, in_table + bytes, t->bytes);
        return 0;
    }
    return t->at + in_table;
}

#define SCALAR(name, type)                                                                                                         \
    type fb_##name(struct fb *f, const struct fb_table *t, unsigned id, type fallback)                                             \
    {                                                                                                                              \
        size_t pos = field(f, t, id, sizeof(type));                                                                                \
        type v = fallback;                                                                                                         \
                                                                                                                                   \
        if (pos)                                                                                                                   \
            memcpy(&v, f->data + pos, sizeof v);                                                                                   \
        return v;                                                                                                                  \
    }
SCALAR(i8, int8_t)
SCALAR(u8, uint8_t)
SCALAR(i32, int32_t)
SCALAR(u32, uint32_t)
SCALAR(i64, int64_t)
SCALAR(u64, uint64_t)
SCALAR(f32, float)

bool fb_bool(struct fb *f, const struct fb_table *t, unsigned id, bool fallback)
{
    return fb_u8(f, t, id, fallback) != 0;
}

struct fb_vector fb_vector(struct fb *f, const struct fb_table *t, unsigned id, size_t size, const char *what)
{
    size_t pos = field(f, t, id, sizeof(uint32_t));
    struct fb_vector v = {0};
    const uint8_t *p;

    if (!pos || !(p = at(f, pos = follow(f, pos, what), sizeof(uint32_t), what)))
        return v;
    v.n = read_u32(p);
    pos += sizeof(uint32_t);
    if (v.n > (f->bytes - pos) / size) {
        fb_fail(f, ST_BAD_MODEL, "%s at offset %zu claims %u entries of %zu bytes, but the file ends at %zu", what, pos, v.n, size,
                f->bytes);
        return (struct fb_vector){0};
    }
    v.data = f->data + pos;
    return v;
}

const char *fb_string(struct fb *f, const struct fb_table *t, unsigned id, const char *what)
{
    struct fb_vector v = fb_vector(f, t, id, 1, what);

    if (!v.data || !fb_charge(f, v.n))
        return NULL;
    if (v.data + v.n == f->data + f->bytes || v.data[v.n]) {
        fb_fail(f, ST_BAD_MODEL, "%s is a string of %u bytes without an end", what, v.n);
        return NULL;
    }
    return (const char *)v.data;
}

struct fb_table fb_child(struct fb *f, const struct fb_table *t, unsigned id, const char *what)
{
    size_t pos = field(f, t, id, sizeof(uint32_t));

    return pos ? table_at(f, follow(f, pos, what), what) : (struct fb_table){0};
}

struct fb_vector fb_tables(struct fb *f, const struct fb_table *t, unsigned id, const char *what)
{
    struct fb_vector v = fb_vector(f, t, id, sizeof(uint32_t), what);

    if (v.n > f->tables_left)
        fb_fail(f, ST_BAD_MODEL, "%s: %u of them are more than a file of %zu bytes may have", what, v.n, f->bytes);
    return f->st ? (struct fb_vector){0} : v;
}

struct fb_table fb_item(struct fb *f, const struct fb_vector *v, uint32_t i, const char *what)
{
    size_t pos = (size_t)(v->data - f->data) + (size_t)i * sizeof(uint32_t);

    return table_at(f, follow(f, pos, what), what);
}

const void *fb_array(struct fb *f, const struct fb_table *t, unsigned id, size_t size, uint32_t *n, const char *what)
{
    struct fb_vector v = fb_vector(f, t, id, size, what);
    void *copy;

    *n = 0;
    if (!v.data || !fb_charge(f, v.n * size))
        return NULL;
    *n = v.n;
    if ((uintptr_t)v.data % size == 0)
        return v.data;
    if (!(copy = fb_alloc(f, v.n, size))) {
        *n = 0;
        return NULL;
    }
    return memcpy(copy, v.data, v.n * size);
}

const bool *fb_bools(struct fb *f, const struct fb_table *t, unsigned id, uint32_t *n, const char *what)
{
    struct fb_vector v = fb_vector(f, t, id, 1, what);
    bool *copy;

    *n = 0;
    if (!v.data || !fb_charge(f, v.n) || !(copy = FB_ARRAY(f, v.n, bool)))
        return NULL;
    for (uint32_t i = 0; i < v.n; i++)
        copy[i] = v.data[i] != 0;
    *n = v.n;
    return copy;
}
