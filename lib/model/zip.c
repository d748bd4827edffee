/* SPDX-License-Identifier: Apache-2.0 */
/* zip.c - the end record, the directory before it, the local header of each entry; read without trust. */
#include "lib/model/zip.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of each record without its texts. */
enum { END_BYTES = 22, END64_BYTES = 56, LOCATOR_BYTES = 20, ENTRY_BYTES = 46, LOCAL_BYTES = 30, MOST_COMMENT = 65535 };
enum { MOST_DIRECTORY = 1 << 26 };

struct reader {
    const struct file_map *f;
    uint64_t from, bytes;    /* the range */
    uint64_t base;           /* of all offsets in the archive */
    uint64_t at, size, left; /* the directory, and how many entries it should have */
    struct arena *a;
    struct err *err;
};

static uint32_t u16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t u32(const uint8_t *p)
{
    return u16(p) | u16(p + 2) << 16;
}

static uint64_t u64(const uint8_t *p)
{
    return u32(p) | (uint64_t)u32(p + 4) << 32;
}

static bool copy(const struct reader *r, uint64_t at, size_t bytes, uint8_t *to)
{
    return at >= r->from && at <= r->from + r->bytes && bytes <= r->from + r->bytes - at && file_map_copy(r->f, at, bytes, to);
}

/* `end`: the place behind the directory, from which it is measured, so that what stands before the archive does not count. */
static enum status place_directory(struct reader *r, uint64_t end, uint64_t size, uint64_t offset)
{
    if (size > end - r->from || offset > end - r->from - size)
        return err_set(r->err, ST_BAD_MODEL, "the archive's directory has %llu bytes at %llu, and %llu stand before its end",
                       (unsigned long long)size, (unsigned long long)offset, (unsigned long long)(end - r->from));
    if (size > MOST_DIRECTORY || r->left > size / ENTRY_BYTES)
        return err_set(r->err, ST_BAD_MODEL, "the archive's directory has %llu bytes for %llu files", (unsigned long long)size,
                       (unsigned long long)r->left);
    r->at = end - size;
    r->size = size;
    r->base = r->at - offset;
    return ST_OK;
}

/* The larger record of an archive beyond 4 GiB or 65535 files, of which a locator stands before the usual one. */
static enum status read_end64(struct reader *r, const uint8_t *locator, uint64_t locator_at)
{
    uint8_t end[END64_BYTES];
    uint64_t at = locator_at - END64_BYTES;

    if (locator_at - r->from < END64_BYTES || !copy(r, at, sizeof end, end) || u32(end) != 0x06064b50) {
        at = r->from + u64(locator + 8);
        if (at < r->from || at > locator_at || !copy(r, at, sizeof end, end) || u32(end) != 0x06064b50)
            return err_set(r->err, ST_BAD_MODEL, "the archive's ZIP64 record is not at %llu", (unsigned long long)u64(locator + 8));
    }
    if (u32(end + 16) || u32(end + 20) || u64(end + 24) != u64(end + 32))
        return err_set(r->err, ST_UNSUPPORTED, "the archive is one of several parts");
    r->left = u64(end + 32);
    return place_directory(r, at, u64(end + 40), u64(end + 48));
}

static enum status read_end(struct reader *r, const uint8_t *end, uint64_t at)
{
    uint8_t locator[LOCATOR_BYTES];

    if (at - r->from >= LOCATOR_BYTES && copy(r, at - LOCATOR_BYTES, sizeof locator, locator) && u32(locator) == 0x07064b50)
        return read_end64(r, locator, at - LOCATOR_BYTES);
    if (u16(end + 4) || u16(end + 6) || u16(end + 8) != u16(end + 10))
        return err_set(r->err, ST_UNSUPPORTED, "the archive is one of several parts");
    r->left = u16(end + 10);
    return place_directory(r, at, u32(end + 12), u32(end + 16));
}

/* The record at the end, behind which there may be a comment, whose length it knows. */
static enum status find_directory(struct reader *r)
{
    const size_t most = END_BYTES + MOST_COMMENT, n = r->bytes < most ? (size_t)r->bytes : most;
    const uint64_t tail_at = r->from + r->bytes - n;
    struct file_range tail;
    enum status st;

    if ((st = file_map_range(r->f, tail_at, n, &tail, r->err)))
        return st;
    for (size_t back = END_BYTES; back <= n; back++) {
        const uint8_t *end = tail.data + n - back;

        if (u32(end) != 0x06054b50 || u16(end + 20) != back - END_BYTES)
            continue;
        st = read_end(r, end, tail_at + n - back);
        file_unmap(&tail);
        return st;
    }
    file_unmap(&tail);
    return err_set(r->err, ST_BAD_MODEL, "the archive has no end record in its last %zu bytes: the file is cut, or no ZIP", n);
}

/* Sizes and place of an entry, of which the three that do not fit 32 bits stand in an extra field. */
struct places {
    uint64_t bytes, packed, local;
};

static bool read_places(const uint8_t *entry, const uint8_t *extra, size_t n, struct places *p)
{
    uint64_t *const to[] = {&p->bytes, &p->packed, &p->local};
    const uint32_t value[] = {u32(entry + 24), u32(entry + 20), u32(entry + 42)};
    const uint8_t *wide = NULL;
    size_t left = 0, length;

    for (size_t at = 0; n - at >= 4; at += 4 + length) {
        length = u16(extra + at + 2);
        if (length > n - at - 4)
            break;
        if (u16(extra + at) == 1)
            wide = extra + at + 4, left = length;
    }
    for (int i = 0; i < 3; i++) {
        *to[i] = value[i];
        if (value[i] != UINT32_MAX || !wide)
            continue;
        if (left < 8)
            return false;
        *to[i] = u64(wide);
        wide += 8, left -= 8;
    }
    return true;
}

static enum status find_content(const struct reader *r, const struct places *p, struct zip_entry *e)
{
    uint8_t local[LOCAL_BYTES];
    const uint64_t end = r->at; /* contents stand before the directory */

    e->header = r->base + p->local;
    if (e->header < r->base || e->header > end || !copy(r, e->header, sizeof local, local) || u32(local) != 0x04034b50)
        return err_set(r->err, ST_BAD_MODEL, "\"%.80s\" has no header at %llu", e->name, (unsigned long long)p->local);
    e->at = e->header + LOCAL_BYTES + u16(local + 26) + u16(local + 28);
    e->bytes = p->bytes;
    e->refused = NULL; /* it may be that of a folder, whose place the entry takes */
    if (e->at > end || p->packed > end - e->at)
        return err_set(r->err, ST_BAD_MODEL, "\"%.80s\" has %llu bytes at %llu, but the directory begins at %llu", e->name,
                       (unsigned long long)p->packed, (unsigned long long)e->at, (unsigned long long)end);
    return ST_OK;
}

static enum status read_entry(const struct reader *r, const uint8_t *entry, size_t n_name, size_t n_extra, struct zip_entry *e)
{
    const uint8_t *name = entry + ENTRY_BYTES;
    const uint32_t flags = u16(entry + 8), method = u16(entry + 10);
    struct places p;
    enum status st;

    if (memchr(name, '\0', n_name))
        return err_set(r->err, ST_BAD_MODEL, "the name of a file has a zero byte");
    if (!(e->name = arena_printf(r->a, "%.*s", (int)n_name, (const char *)name)))
        return err_set(r->err, ST_NOMEM, "out of memory for a name of %zu bytes", n_name);
    if (!read_places(entry, name + n_name, n_extra, &p))
        return err_set(r->err, ST_BAD_MODEL, "\"%.80s\": its ZIP64 field is too short", e->name);
    if ((st = find_content(r, &p, e)))
        return st;
    if (flags & 0x41)
        e->refused = "encrypted";
    else if (method && !(e->refused = arena_printf(r->a, "compressed (method %u)", method)))
        return err_set(r->err, ST_NOMEM, "out of memory for a reason");
    else if (!method && p.packed != p.bytes)
        return err_set(r->err, ST_BAD_MODEL, "\"%.80s\" has %llu bytes, and %llu are stored", e->name, (unsigned long long)p.bytes,
                       (unsigned long long)p.packed);
    return ST_OK;
}

static bool is_folder(const struct zip_entry *e)
{
    const size_t n = strlen(e->name);

    return !e->bytes && n && e->name[n - 1] == '/';
}

static enum status read_entries(const struct reader *r, const uint8_t *at, struct zip *out)
{
    size_t left = (size_t)r->size;
    enum status st;

    for (uint64_t i = 0; i < r->left; i++) {
        struct zip_entry *e = &out->entries[out->n];
        size_t n_name, n_extra, length;

        if (left < ENTRY_BYTES || u32(at) != 0x02014b50)
            return err_set(r->err, ST_BAD_MODEL, "file %llu of the archive's directory is no entry", (unsigned long long)i);
        n_name = u16(at + 28), n_extra = u16(at + 30);
        length = ENTRY_BYTES + n_name + n_extra + u16(at + 32);
        if (length > left)
            return err_set(r->err, ST_BAD_MODEL, "file %llu of the archive's directory ends %zu bytes behind it",
                           (unsigned long long)i, length - left);
        if ((st = read_entry(r, at, n_name, n_extra, e)))
            return st;
        out->n += !is_folder(e);
        at += length, left -= length;
    }
    return ST_OK;
}

static int by_place(const void *a, const void *b)
{
    const struct zip_entry *x = *(const struct zip_entry *const *)a, *y = *(const struct zip_entry *const *)b;

    return (x->header > y->header) - (x->header < y->header);
}

static int by_name(const void *a, const void *b)
{
    return strcmp((*(const struct zip_entry *const *)a)->name, (*(const struct zip_entry *const *)b)->name);
}

/* One place or name for two files: what one reader sees as the first, another may see as the second. */
static enum status check_apart(const struct reader *r, const struct zip *z)
{
    const struct zip_entry **sorted = ARENA_ARRAY(r->a, z->n, const struct zip_entry *);

    if (!sorted)
        return err_set(r->err, ST_NOMEM, "out of memory for %u files", z->n);
    for (uint32_t i = 0; i < z->n; i++)
        sorted[i] = &z->entries[i];
    qsort(sorted, z->n, sizeof *sorted, by_place);
    for (uint32_t i = 1; i < z->n; i++)
        if (sorted[i]->header < sorted[i - 1]->at + (sorted[i - 1]->refused ? 0 : sorted[i - 1]->bytes))
            return err_set(r->err, ST_BAD_MODEL, "\"%.80s\" and \"%.80s\" overlap", sorted[i - 1]->name, sorted[i]->name);
    qsort(sorted, z->n, sizeof *sorted, by_name);
    for (uint32_t i = 1; i < z->n; i++)
        if (!strcmp(sorted[i]->name, sorted[i - 1]->name))
            return err_set(r->err, ST_BAD_MODEL, "the archive has two files \"%.80s\"", sorted[i]->name);
    return ST_OK;
}

enum status zip_read(const struct file_map *f, uint64_t from, uint64_t bytes, struct arena *a, struct zip *out, struct err *err)
{
    struct reader r = {.f = f, .from = from, .bytes = bytes, .a = a, .err = err};
    struct file_range directory;
    enum status st = find_directory(&r);

    *out = (struct zip){0};
    if (st)
        return st;
    if (!(out->entries = ARENA_ARRAY(a, (size_t)r.left, struct zip_entry)))
        return err_set(err, ST_NOMEM, "out of memory for %llu files", (unsigned long long)r.left);
    if ((st = file_map_range(f, r.at, r.size, &directory, err)))
        return st;
    st = read_entries(&r, directory.data, out);
    file_unmap(&directory);
    return st ? st : check_apart(&r, out);
}

const struct zip_entry *zip_find(const struct zip *z, const char *name)
{
    for (uint32_t i = 0; i < z->n; i++)
        if (!strcmp(z->entries[i].name, name) && !z->entries[i].refused)
            return &z->entries[i];
    return NULL;
}
