/* SPDX-License-Identifier: Apache-2.0 */
/* store.c - finding an entry, and trusting nothing that it says before it was held against the file. */
#include "lib/base/store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/hash64.h"
#include "lib/base/store_impl.h"

enum status store_check_token(const char *token, struct err *err)
{
    size_t n = strlen(token);

    if (n < 1 || n > 64 || *token == '.' || strspn(token, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.") != n)
        return err_set(err, ST_USAGE, "\"%.80s\" cannot name a file: 1 to 64 letters, digits, -, _ and ., the first no ., can",
                       token);
    return ST_OK;
}

enum status store_path(const struct store_id *id, char *path, size_t size, struct err *err)
{
    int n = snprintf(path, size, "%s/%s_%.32s.dgs", id->dir, id->token, id->key);

    if (n < 0 || (size_t)n >= size)
        return err_set(err, ST_IO, "%.100s...: the path of a stored start is too long", id->dir);
    return ST_OK;
}

uint64_t store_head_hash(const struct store_head *h)
{
    struct store_head copy = *h;

    copy.hash = 0;
    return hash64(&copy, STORE_HEAD_BYTES(h->n_sections));
}

static enum status damaged(struct err *err, const char *what)
{
    return err_set(err, ST_BAD_MODEL, "is damaged: %s", what);
}

/* Copies what is there of the head. The rows beyond n_sections stay zero. */
static enum status read_head(const uint8_t *data, size_t bytes, struct store_head *h, struct err *err)
{
    memset(h, 0, sizeof *h);
    if (bytes < STORE_HEAD_BYTES(0))
        return damaged(err, "it ends within its head");
    memcpy(h, data, STORE_HEAD_BYTES(0));
    if (memcmp(h->magic, STORE_MAGIC, sizeof h->magic) != 0)
        return damaged(err, "it does not begin as a stored start does");
    if (h->version != STORE_VERSION)
        return err_set(err, ST_BAD_MODEL, "was written by another version: format %u, this one reads %u", h->version,
                       STORE_VERSION);
    if (h->n_sections > STORE_SECTIONS_MAX || bytes < STORE_HEAD_BYTES(h->n_sections))
        return damaged(err, "it ends within its table");
    memcpy(h, data, STORE_HEAD_BYTES(h->n_sections));
    if (h->bytes != bytes)
        return err_set(err, ST_BAD_MODEL, "is damaged: it has %zu of %llu bytes", bytes, (unsigned long long)h->bytes);
    return ST_OK;
}

static bool zeros(const uint8_t *p, size_t n)
{
    while (n && !*p)
        n--, p++;
    return n == 0;
}

/* The section of a row lies where the one before, which ends at *end, lets it. */
static bool placed(const struct store_head *h, const struct store_row *row, const uint8_t *data, uint64_t *end)
{
    uint64_t at = store_align(*end);

    if (row->zero || row->offset != at || at > h->bytes || row->bytes > h->bytes - at || !zeros(data + *end, at - *end))
        return false;
    *end = at + row->bytes;
    return true;
}

static enum status read_sections(const struct store_head *h, const uint8_t *data, struct store_entry *out, struct err *err)
{
    uint64_t end = STORE_HEAD_BYTES(h->n_sections);

    for (uint32_t i = 0; i < h->n_sections; i++) {
        const struct store_row *row = &h->rows[i];

        if (!placed(h, row, data, &end) || store_find(out, row->kind))
            return damaged(err, "its table makes no sense");
        if (hash64(data + row->offset, row->bytes) != row->hash)
            return err_set(err, ST_BAD_MODEL, "is damaged: the hash of section %u is wrong", i);
        out->sections[out->n_sections++] = (struct store_section){
            .kind = row->kind, .data = data + row->offset, .bytes = row->bytes};
    }
    return end == h->bytes ? ST_OK : damaged(err, "it has bytes beyond its sections");
}

enum status store_parse(const void *data, size_t bytes, const char *key, struct store_entry *out, struct err *err)
{
    struct store_head h;
    enum status st = read_head(data, bytes, &h, err);

    *out = (struct store_entry){0};
    if (!st && store_head_hash(&h) != h.hash)
        st = damaged(err, "the hash of its head is wrong");
    if (!st && memcmp(h.key, key, sizeof h.key) != 0)
        st = err_set(err, ST_BAD_MODEL, "is of another key, %.32s...", h.key);
    if (!st && (st = read_sections(&h, data, out, err)))
        *out = (struct store_entry){0};
    return st;
}

static enum status map_file(int fd, struct store_entry *out, struct err *err)
{
    struct stat info;

    if (fstat(fd, &info))
        return err_set(err, ST_IO, "%s", strerror(errno));
    if (!S_ISREG(info.st_mode))
        return err_set(err, ST_IO, "is no file");
    if (!info.st_size)
        return damaged(err, "it is empty");
    if ((uint64_t)info.st_size > SIZE_MAX / 2)
        return err_set(err, ST_NOMEM, "does not fit the address space");
    out->map_bytes = (size_t)info.st_size;
    out->map = mmap(NULL, out->map_bytes, PROT_READ, MAP_PRIVATE, fd, 0);
    if (out->map != MAP_FAILED)
        return ST_OK;
    out->map = NULL;
    return err_set(err, ST_IO, "cannot be mapped: %s", strerror(errno));
}

enum status store_open(const struct store_id *id, struct store_entry *out, struct err *err)
{
    struct store_entry file = {0};
    char path[4096];
    enum status st = store_path(id, path, sizeof path, err);
    int fd;

    *out = (struct store_entry){0};
    if (st)
        return st;
    fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block */
    if (fd < 0 && errno == ENOENT)
        return ST_OK;
    if (fd < 0)
        return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    if (!(st = map_file(fd, &file, err)) && !(st = store_parse(file.map, file.map_bytes, id->key, out, err))) {
        out->map = file.map;
        out->map_bytes = file.map_bytes;
        futimens(fd, NULL); /* used now; a folder that may only be read has no use for it */
    }
    close(fd);
    if (!st)
        return ST_OK;
    store_close(&file);
    *out = (struct store_entry){0};
    return err_prefix(err, st, "%s", path);
}

const struct store_section *store_find(const struct store_entry *e, uint32_t kind)
{
    for (uint32_t i = 0; i < e->n_sections; i++)
        if (e->sections[i].kind == kind)
            return &e->sections[i];
    return NULL;
}

void store_close(struct store_entry *e)
{
    if (e->map)
        munmap(e->map, e->map_bytes);
    *e = (struct store_entry){0};
}

void store_seal(void *data, size_t bytes, char key[SHA256_HEX_SIZE])
{
    struct store_head h;

    memset(key, 0, SHA256_HEX_SIZE);
    if (read_head(data, bytes, &h, NULL))
        return;
    for (uint32_t i = 0; i < h.n_sections; i++) {
        struct store_row *row = &h.rows[i];

        if (row->offset <= bytes && row->bytes <= bytes - row->offset)
            row->hash = hash64((const uint8_t *)data + row->offset, row->bytes);
    }
    h.hash = store_head_hash(&h);
    memcpy(data, &h, STORE_HEAD_BYTES(h.n_sections));
    memcpy(key, h.key, sizeof h.key);
}
