/* SPDX-License-Identifier: Apache-2.0 */
/* fbw.c - flatbuffer writer. Positions count from the end of the file, which is the side that does not move. */
#include "lib/base/fbw.h"

#include <stdlib.h>
#include <string.h>

/* Offsets are 32 bits, and readers may take them for signed. */
#define MAX_BYTES 0x7fffffffu

void fbw_init(struct fbw *w)
{
    *w = (struct fbw){.align = 4};
}

void fbw_free(struct fbw *w)
{
    free(w->buf);
    free(w->vtables);
    *w = (struct fbw){0};
}

static uint8_t *here(struct fbw *w)
{
    return w->buf + w->size - w->used;
}

static bool reserve(struct fbw *w, size_t bytes)
{
    size_t size = w->size ? w->size : 4096;
    uint8_t *buf;

    if (w->failed || bytes > MAX_BYTES - w->used) {
        w->failed = true;
        return false;
    }
    if (bytes <= w->size - w->used)
        return true;
    while (size < w->used + bytes)
        size *= 2;
    if (!(buf = malloc(size))) {
        w->failed = true;
        return false;
    }
    if (w->used)
        memcpy(buf + size - w->used, here(w), w->used);
    free(w->buf);
    w->buf = buf;
    w->size = size;
    return true;
}

static void push(struct fbw *w, const void *data, size_t bytes)
{
    if (!bytes || !reserve(w, bytes))
        return;
    w->used += bytes;
    memcpy(here(w), data, bytes);
}

/* Zeros, so many that what follows begins at a multiple of `align` once it is `bytes` long. */
static void pad(struct fbw *w, size_t bytes, size_t align)
{
    size_t zeros = -(w->used + bytes) & (align - 1);

    if (align > w->align)
        w->align = align;
    if (!zeros || !reserve(w, zeros))
        return;
    w->used += zeros;
    memset(here(w), 0, zeros);
}

static void push_u32(struct fbw *w, uint32_t v)
{
    push(w, &v, sizeof v);
}

fbw_ref fbw_string(struct fbw *w, const char *s)
{
    size_t n;

    if (!s)
        return 0;
    n = strlen(s);
    pad(w, n + 1, 4);
    push(w, s, n + 1);
    push_u32(w, (uint32_t)n);
    return (fbw_ref)w->used;
}

fbw_ref fbw_vector(struct fbw *w, const void *data, size_t n, size_t size, size_t align)
{
    if (!data)
        return 0;
    if (n > MAX_BYTES / size) {
        w->failed = true;
        return 0;
    }
    pad(w, n * size, align < 4 ? 4 : align);
    push(w, data, n * size);
    push_u32(w, (uint32_t)n);
    return (fbw_ref)w->used;
}

fbw_ref fbw_tables(struct fbw *w, const fbw_ref *refs, size_t n)
{
    if (n > MAX_BYTES / 4) {
        w->failed = true;
        return 0;
    }
    pad(w, 4 * n, 4);
    for (size_t i = n; i-- > 0;)
        push_u32(w, (uint32_t)w->used + 4 - refs[i]);
    push_u32(w, (uint32_t)n);
    return (fbw_ref)w->used;
}

void fbw_start(struct fbw *w)
{
    memset(w->field, 0, sizeof w->field);
    w->n_fields = 0;
    w->table_end = (uint32_t)w->used;
}

static uint32_t put(struct fbw *w, unsigned id, const void *v, size_t bytes)
{
    pad(w, bytes, bytes);
    push(w, v, bytes);
    w->field[id] = (uint32_t)w->used;
    if (id >= w->n_fields)
        w->n_fields = id + 1;
    return (uint32_t)w->used;
}

#define SCALAR(name, type)                                                                                                         \
    void fbw_##name(struct fbw *w, unsigned id, type v, type fallback)                                                             \
    {                                                                                                                              \
        if (memcmp(&v, &fallback, sizeof v))                                                                                       \
            put(w, id, &v, sizeof v);                                                                                              \
    }
SCALAR(i8, int8_t)
SCALAR(u8, uint8_t)
SCALAR(i32, int32_t)
SCALAR(u32, uint32_t)
SCALAR(i64, int64_t)
/* By bits: -0.0 is not 0.0, a NaN equals itself. */
SCALAR(f32, float) /* NOLINT(bugprone-suspicious-memory-comparison) */

uint32_t fbw_u64_later(struct fbw *w, unsigned id, uint64_t v)
{
    return put(w, id, &v, sizeof v);
}

void fbw_table(struct fbw *w, unsigned id, fbw_ref ref)
{
    uint32_t offset;

    if (!ref)
        return;
    pad(w, sizeof offset, sizeof offset);
    offset = (uint32_t)w->used + sizeof offset - ref;
    put(w, id, &offset, sizeof offset);
}

/* The vtable with this content: one that is there, or a new one. */
static fbw_ref share_vtable(struct fbw *w, const uint16_t *vtable)
{
    fbw_ref *more;

    for (size_t i = 0; i < w->n_vtables; i++) {
        const uint8_t *old = w->buf + w->size - w->vtables[i];

        if (!memcmp(old, vtable, 2) && !memcmp(old, vtable, vtable[0]))
            return w->vtables[i];
    }
    if (!(more = realloc(w->vtables, (w->n_vtables + 1) * sizeof *more))) {
        w->failed = true;
        return 0;
    }
    w->vtables = more;
    pad(w, vtable[0], 2);
    push(w, vtable, vtable[0]);
    return w->vtables[w->n_vtables++] = (fbw_ref)w->used;
}

fbw_ref fbw_end(struct fbw *w)
{
    uint16_t vtable[2 + FBW_MAX_FIELDS];
    uint32_t table, to_vtable = 0;
    fbw_ref shared;

    pad(w, 4, 4);
    push_u32(w, 0);
    table = (uint32_t)w->used;
    vtable[0] = (uint16_t)(4 + 2 * w->n_fields);
    vtable[1] = (uint16_t)(table - w->table_end);
    for (unsigned i = 0; i < w->n_fields; i++)
        vtable[2 + i] = (uint16_t)(w->field[i] ? table - w->field[i] : 0);
    if (w->failed || !(shared = share_vtable(w, vtable)) || w->failed)
        return 0;
    to_vtable = shared - table; /* modulo 2^32 where the vtable is behind */
    memcpy(w->buf + w->size - table, &to_vtable, sizeof to_vtable);
    return table;
}

uint8_t *fbw_finish(struct fbw *w, fbw_ref root, const char identifier[4], size_t *bytes)
{
    uint8_t *file;

    pad(w, 8, w->align);
    push(w, identifier, 4);
    push_u32(w, (uint32_t)w->used + 4 - root);
    if (w->failed || !(file = malloc(w->used)))
        return NULL;
    *bytes = w->used;
    return memcpy(file, here(w), w->used);
}
