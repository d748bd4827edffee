/* SPDX-License-Identifier: Apache-2.0 */
/* labels.c - lines of a text; the directory of a ZIP, read without trust. */
#include "cmd/tool/labels.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/host/files.h"

enum { MOST_BYTES = 1 << 26 };

/* ---- lines ---- */

/* Without "\r", and without the number of the line. */
static const char *label(struct arena *a, const char *line, size_t n, uint32_t i)
{
    char number[16];
    const size_t digits = (size_t)snprintf(number, sizeof number, "%u", i);
    size_t skip = 0;

    if (n > digits && !memcmp(line, number, digits) && strchr(" :\t", line[digits]))
        for (skip = digits; skip < n && strchr(" :\t", line[skip]);)
            skip++;
    if (n && line[n - 1] == '\r')
        n--;
    return arena_printf(a, "%.*s", n > skip ? (int)(n - skip) : 0, line + skip);
}

static uint32_t count_lines(const char *text, size_t n)
{
    uint32_t lines = n && text[n - 1] != '\n';

    for (size_t i = 0; i < n; i++)
        lines += text[i] == '\n';
    return lines;
}

static enum status take_lines(const char *text, size_t n, struct arena *a, struct labels *out, struct err *err)
{
    const uint32_t lines = count_lines(text, n);
    size_t at = 0;

    if (!(out->list = ARENA_ARRAY(a, lines + 1, const char *)))
        return err_set(err, ST_NOMEM, "out of memory for %u labels", lines);
    for (out->n = 0; out->n < lines; out->n++) {
        const char *end = memchr(text + at, '\n', n - at);
        const size_t length = end ? (size_t)(end - text) - at : n - at;

        if (!(out->list[out->n] = label(a, text + at, length, out->n)))
            return err_set(err, ST_NOMEM, "out of memory for labels");
        at += length + 1;
    }
    return ST_OK;
}

enum status labels_read(const char *path, struct arena *a, struct labels *out, struct err *err)
{
    enum status st;
    size_t bytes;
    void *text;

    *out = (struct labels){.from = path};
    if ((st = file_read_all(path, MOST_BYTES, &text, &bytes, err)))
        return st;
    st = take_lines(text, bytes, a, out, err);
    free(text);
    return st || out->n ? st : err_set(err, ST_USAGE, "%s: it has no line, so there is no label", path);
}

const char *labels_name(const struct labels *l, uint32_t classes, uint32_t i)
{
    const uint32_t background = l->n + 1 == classes;

    if (background && i == 0)
        return "background";
    return i - background < l->n ? l->list[i - background] : "-";
}

/* ---- the ZIP ---- */

struct zip {
    const uint8_t *data;
    size_t bytes;
    size_t at, n; /* the next entry of the directory, and how many there are yet */
    size_t shift; /* what offsets lack: the model's bytes, if the ZIP does not count them */
    const char *name;
    size_t name_bytes, start, size;
};

static uint32_t number(const struct zip *z, size_t at, int bytes)
{
    uint32_t v = 0;

    for (int i = 0; i < bytes; i++)
        v |= (uint32_t)z->data[at + (size_t)i] << 8 * i;
    return v;
}

/* The end of the directory is at most a comment's length from the end. */
static bool open_zip(struct zip *z, const void *file, size_t bytes)
{
    enum { END = 22, LONGEST_COMMENT = 65535 };

    *z = (struct zip){.data = file, .bytes = bytes};
    for (size_t back = END; back <= bytes && back <= END + LONGEST_COMMENT; back++) {
        const size_t end = bytes - back;
        size_t size, offset;

        if (number(z, end, 4) != 0x06054b50)
            continue;
        size = number(z, end + 12, 4);
        offset = number(z, end + 16, 4);
        if (size > end || offset > end - size)
            return false;
        z->n = number(z, end + 10, 2);
        z->at = end - size;
        z->shift = z->at - offset;
        return true;
    }
    return false;
}

/* The next stored entry; false at the end, and where something lies outside of the file. */
static bool next_entry(struct zip *z)
{
    enum { HEADER = 46, LOCAL = 30 };

    while (z->n--) {
        size_t method, local, extra;

        if (z->at > z->bytes || z->bytes - z->at < HEADER || number(z, z->at, 4) != 0x02014b50)
            return false;
        method = number(z, z->at + 10, 2);
        z->size = number(z, z->at + 20, 4);
        z->name_bytes = number(z, z->at + 28, 2);
        extra = number(z, z->at + 30, 2) + (size_t)number(z, z->at + 32, 2);
        local = number(z, z->at + 42, 4) + z->shift;
        z->name = (const char *)z->data + z->at + HEADER;
        if (z->bytes - z->at - HEADER < z->name_bytes + extra || local > z->bytes || z->bytes - local < LOCAL)
            return false;
        z->at += HEADER + z->name_bytes + extra;
        z->start = local + LOCAL + number(z, local + 26, 2) + number(z, local + 28, 2);
        if (method == 0 && z->start <= z->bytes && z->size <= z->bytes - z->start)
            return true;
    }
    return false;
}

static bool is_text(const struct zip *z)
{
    return z->name_bytes > 4 && !memcmp(z->name + z->name_bytes - 4, ".txt", 4);
}

/* "labels-en.txt" beside labels of a machine. */
static bool is_english(const struct zip *z)
{
    return z->name_bytes > 7 && !memcmp(z->name + z->name_bytes - 7, "-en.txt", 7);
}

enum status labels_of_model(const void *file, size_t bytes, uint32_t classes, struct arena *a, struct labels *out, struct err *err)
{
    enum status st = ST_OK;
    struct zip z;

    *out = (struct labels){0};
    if (!file || classes < 2 || !open_zip(&z, file, bytes))
        return ST_OK;
    while (!st && next_entry(&z)) {
        const char *text = (const char *)z.data + z.start;
        const uint32_t lines = is_text(&z) ? count_lines(text, z.size) : 0;

        if ((lines != classes && lines + 1 != classes) || (out->n && !is_english(&z)))
            continue;
        if (!(out->from = arena_printf(a, "%.*s", (int)z.name_bytes, z.name)))
            return err_set(err, ST_NOMEM, "out of memory for a name");
        st = take_lines(text, z.size, a, out, err);
    }
    return st;
}
