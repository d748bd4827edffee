/* SPDX-License-Identifier: Apache-2.0 */
/* label_zip.c - the directory of a ZIP archive, read without trust. Source: PKWARE's APPNOTE, 4.3. */
#include "lib/eval/label_zip.h"

#include <string.h>

enum { END_BYTES = 22, ENTRY_BYTES = 46, LOCAL_BYTES = 30, MOST_COMMENT = 65535, MOST_FILE = 1 << 26 };

struct zip {
    const uint8_t *file;
    size_t bytes;
    size_t base; /* of the archive: all offsets are from there */
    size_t at;   /* the next entry of the directory */
    uint32_t left;
};

static uint32_t u16(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8;
}

static uint32_t u32(const uint8_t *p)
{
    return u16(p) | u16(p + 2) << 16;
}

/* The record at the end, behind which there may be a comment. */
static bool find_directory(struct zip *z)
{
    const size_t most = END_BYTES + MOST_COMMENT;

    for (size_t back = END_BYTES; back <= z->bytes && back <= most; back++) {
        const size_t at = z->bytes - back;
        const uint8_t *end = z->file + at;
        const size_t size = u32(end + 12), from = u32(end + 16);

        if (u32(end) != 0x06054b50 || u16(end + 20) != back - END_BYTES || size > at || from > at - size)
            continue;
        z->base = at - size - from;
        z->at = at - size;
        z->left = u16(end + 10);
        return true;
    }
    return false;
}

struct zip_entry {
    const char *name;
    size_t name_bytes;
    const uint8_t *data; /* NULL: compressed, or not within the file */
    size_t bytes;
};

static void find_data(const struct zip *z, const uint8_t *entry, struct zip_entry *out)
{
    const size_t bytes = u32(entry + 24), local = z->base + u32(entry + 42);
    size_t data;

    out->bytes = bytes;
    out->data = NULL;
    if (u16(entry + 10) || u32(entry + 20) != bytes || local > z->bytes || z->bytes - local < LOCAL_BYTES ||
        u32(z->file + local) != 0x04034b50)
        return;
    data = local + LOCAL_BYTES + u16(z->file + local + 26) + u16(z->file + local + 28);
    if (data <= z->bytes && bytes <= z->bytes - data)
        out->data = z->file + data;
}

static bool next_entry(struct zip *z, struct zip_entry *out)
{
    const uint8_t *entry = z->file + z->at;
    size_t length;

    if (!z->left || z->bytes - z->at < ENTRY_BYTES || u32(entry) != 0x02014b50)
        return false;
    length = ENTRY_BYTES + (size_t)u16(entry + 28) + u16(entry + 30) + u16(entry + 32);
    if (length > z->bytes - z->at)
        return false;
    out->name = (const char *)entry + ENTRY_BYTES;
    out->name_bytes = u16(entry + 28);
    find_data(z, entry, out);
    z->at += length;
    z->left--;
    return true;
}

enum status label_zip_find(const void *file, size_t bytes, uint32_t n, struct arena *a, struct label_lines *out, const char **name,
                           uint32_t *others, struct err *err)
{
    struct zip z = {.file = file, .bytes = bytes};
    struct zip_entry entry;

    *name = NULL;
    *others = 0;
    *out = (struct label_lines){0};
    if (!file || !find_directory(&z))
        return ST_OK;
    while (next_entry(&z, &entry)) {
        struct label_lines lines;
        enum status st;

        ++*others;
        if (*name || !entry.data || entry.bytes > MOST_FILE || memchr(entry.name, '\0', entry.name_bytes))
            continue;
        st = label_split((const char *)entry.data, entry.bytes, false, "", a, &lines, err);
        if (st == ST_NOMEM)
            return st;
        if (st || lines.n != n)
            continue;
        if (!(*name = arena_printf(a, "%.*s", (int)entry.name_bytes, entry.name)))
            return err_set(err, ST_NOMEM, "out of memory for %u labels", n);
        *out = lines;
        --*others;
    }
    return ST_OK;
}
