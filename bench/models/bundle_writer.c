/* SPDX-License-Identifier: Apache-2.0 */
/* bundle_writer.c - archives record by record; the header of a .litertlm as a flatbuffer. */
#include "bench/models/bundle_writer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/fbw.h"

/* A file that is written from its start, with holes. */
struct out {
    int fd;
    uint64_t at;
    bool failed;
};

static void put(struct out *o, const void *data, size_t bytes)
{
    o->failed |= pwrite(o->fd, data, bytes, (off_t)o->at) != (ssize_t)bytes;
    o->at += bytes;
}

/* The lowest bytes of a number, little-endian as the machine is. */
static void put_number(struct out *o, uint64_t v, size_t bytes)
{
    put(o, &v, bytes);
}

static void put_part(struct out *o, const struct bundle_part *p)
{
    if (p->data)
        put(o, p->data, (size_t)p->bytes);
    else
        o->at += p->bytes;
}

static enum status begin(const char *path, struct out *o, struct err *err)
{
    *o = (struct out){.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
    return o->fd < 0 ? err_set(err, ST_IO, "%s: %s", path, strerror(errno)) : ST_OK;
}

static enum status end(const char *path, struct out *o, struct err *err)
{
    o->failed |= ftruncate(o->fd, (off_t)o->at) != 0;
    o->failed |= close(o->fd) != 0;
    return o->failed ? err_set(err, ST_IO, "%s: %s", path, strerror(errno)) : ST_OK;
}

/* ---- archives ---- */

static uint32_t crc32_of(const uint8_t *data, uint64_t n)
{
    uint32_t crc = UINT32_MAX;

    for (uint64_t i = 0; data && i < n; i++) {
        crc ^= data[i];
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
    }
    return ~crc;
}

static uint32_t low32(uint64_t v, bool zip64)
{
    return zip64 || v >= UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

/* The fields that a local header and an entry of the directory share, up to the length of the name; no time, no compression. */
static void put_common(struct out *o, const struct bundle_part *p, bool wide)
{
    put_number(o, wide ? 45 : 20, 2);
    put_number(o, 0, 4);
    put_number(o, 0x00210000, 4);
    put_number(o, crc32_of(p->data, p->bytes), 4);
    put_number(o, low32(p->bytes, wide), 4);
    put_number(o, low32(p->bytes, wide), 4);
    put_number(o, strlen(p->name), 2);
}

static void put_local(struct out *o, const struct bundle_part *p, bool wide)
{
    put_number(o, 0x04034b50, 4);
    put_common(o, p, wide);
    put_number(o, wide ? 20 : 0, 2);
    put(o, p->name, strlen(p->name));
    if (wide) {
        put_number(o, 1 | 16 << 16, 4);
        put_number(o, p->bytes, 8);
        put_number(o, p->bytes, 8);
    }
    put_part(o, p);
}

static void put_entry(struct out *o, const struct bundle_part *p, uint64_t header, bool wide)
{
    put_number(o, 0x02014b50, 4);
    put_number(o, wide ? 45 : 20, 2);
    put_common(o, p, wide);
    put_number(o, wide ? 28 : 0, 2);
    put_number(o, 0, 8);
    put_number(o, 0, 2);
    put_number(o, low32(header, wide), 4);
    put(o, p->name, strlen(p->name));
    if (wide) {
        put_number(o, 1 | 24 << 16, 4);
        put_number(o, p->bytes, 8);
        put_number(o, p->bytes, 8);
        put_number(o, header, 8);
    }
}

static void put_end64(struct out *o, uint32_t n, uint64_t directory, uint64_t size)
{
    const uint64_t at = o->at;

    put_number(o, 0x06064b50, 4);
    put_number(o, 44, 8);
    put_number(o, 45 | 45 << 16, 4);
    put_number(o, 0, 8);
    put_number(o, n, 8);
    put_number(o, n, 8);
    put_number(o, size, 8);
    put_number(o, directory, 8);
    put_number(o, 0x07064b50, 4);
    put_number(o, 0, 4);
    put_number(o, at, 8);
    put_number(o, 1, 4);
}

static bool is_wide(const struct bundle_part *p, uint64_t header, bool zip64)
{
    return zip64 || p->bytes >= UINT32_MAX || header >= UINT32_MAX;
}

static void put_end(struct out *o, uint32_t n, uint64_t directory, bool zip64)
{
    const uint64_t size = o->at - directory;

    if (zip64 || directory >= UINT32_MAX)
        put_end64(o, n, directory, size);
    put_number(o, 0x06054b50, 4);
    put_number(o, 0, 4);
    put_number(o, n, 2);
    put_number(o, n, 2);
    put_number(o, low32(size, false), 4);
    put_number(o, low32(directory, zip64), 4);
    put_number(o, 0, 2);
}

static bool put_archive(struct out *o, const struct bundle_part *parts, uint32_t n, bool zip64)
{
    uint64_t *headers = calloc(n + 1, sizeof *headers), directory;
    bool written;

    for (uint32_t i = 0; headers && i < n; i++) {
        const uint64_t before = o->at + 30 + strlen(parts[i].name) + (is_wide(&parts[i], o->at, zip64) ? 20 : 0);

        o->at += 3 - (before + 3) % 4;
        headers[i] = o->at;
        put_local(o, &parts[i], is_wide(&parts[i], o->at, zip64));
    }
    directory = o->at;
    for (uint32_t i = 0; headers && i < n; i++)
        put_entry(o, &parts[i], headers[i], is_wide(&parts[i], headers[i], zip64));
    put_end(o, n, directory, zip64);
    written = headers != NULL;
    free(headers);
    return written;
}

static enum status write_archive(const char *path, const struct bundle_part *model, const struct bundle_part *parts, uint32_t n,
                                 bool zip64, struct err *err)
{
    struct out o;
    enum status st = begin(path, &o, err), ended;
    bool written;

    if (st)
        return st;
    if (model)
        put_part(&o, model);
    written = put_archive(&o, parts, n, zip64);
    ended = end(path, &o, err);
    return written ? ended : err_set(err, ST_NOMEM, "%s: out of memory", path);
}

enum status bundle_write_task(const char *path, const struct bundle_part *parts, uint32_t n, bool zip64, struct err *err)
{
    return write_archive(path, NULL, parts, n, zip64, err);
}

enum status bundle_write_model(const char *path, const void *model, size_t bytes, const struct bundle_part *parts, uint32_t n,
                               struct err *err)
{
    const struct bundle_part front = {.data = model, .bytes = bytes};

    return write_archive(path, &front, parts, n, false, err);
}

/* ---- LiteRT-LM ---- */

enum { BLOCK = 16384, HEADER_AT = 32, MOST_PARTS = 64 };

static fbw_ref put_item(struct fbw *w, const char *key, const char *text)
{
    fbw_ref k = fbw_string(w, key), s = fbw_string(w, text), value;

    fbw_start(w);
    fbw_table(w, 0, s);
    value = fbw_end(w);
    fbw_start(w);
    fbw_table(w, 0, k);
    fbw_u8(w, 1, 9, 0);
    fbw_table(w, 2, value);
    return fbw_end(w);
}

static fbw_ref put_section(struct fbw *w, const struct bundle_part *p, uint64_t at)
{
    fbw_ref items[2], list;
    uint32_t n = 0;

    if (p->model_type)
        items[n++] = put_item(w, "model_type", p->model_type);
    if (p->backend)
        items[n++] = put_item(w, "backend_constraint", p->backend);
    list = n ? fbw_tables(w, items, n) : 0;
    fbw_start(w);
    fbw_table(w, 0, list);
    fbw_u64_later(w, 1, at);
    fbw_u64_later(w, 2, at + p->bytes);
    fbw_u8(w, 3, p->type, 0);
    return fbw_end(w);
}

static uint8_t *make_header(const struct bundle_part *parts, uint32_t n, const uint64_t *at, size_t *bytes)
{
    fbw_ref refs[MOST_PARTS], list;
    uint8_t *header;
    struct fbw w;

    fbw_init(&w);
    for (uint32_t i = 0; i < n; i++)
        refs[i] = put_section(&w, &parts[i], at[i]);
    list = fbw_tables(&w, refs, n);
    fbw_start(&w);
    fbw_table(&w, 0, list);
    list = fbw_end(&w);
    fbw_start(&w);
    fbw_table(&w, 1, list);
    header = fbw_finish(&w, fbw_end(&w), "\0\0\0\0", bytes);
    fbw_free(&w);
    return header;
}

enum status bundle_write_litertlm(const char *path, const struct bundle_part *parts, uint32_t n, struct err *err)
{
    uint64_t at[MOST_PARTS], next = BLOCK;
    uint8_t *header = NULL;
    size_t bytes = 0;
    struct out o;
    enum status st;

    for (uint32_t i = 0; i < n && i < MOST_PARTS; i++) {
        at[i] = next;
        next += (parts[i].bytes + BLOCK - 1) / BLOCK * BLOCK;
    }
    if (n > MOST_PARTS || !(header = make_header(parts, n, at, &bytes)) || HEADER_AT + bytes > BLOCK) {
        free(header);
        return err_set(err, ST_NOMEM, "%s: no header of %u sections", path, n);
    }
    if (!(st = begin(path, &o, err))) {
        put(&o, "LITERTLM", 8);
        put_number(&o, 1, 4);
        put_number(&o, 7, 8);
        put_number(&o, 0, 4);
        put_number(&o, HEADER_AT + bytes, 8);
        put(&o, header, bytes);
        for (uint32_t i = 0; i < n; i++) {
            o.at = at[i];
            put_part(&o, &parts[i]);
        }
        st = end(path, &o, err);
    }
    free(header);
    return st;
}
