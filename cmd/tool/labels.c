/* SPDX-License-Identifier: Apache-2.0 */
/* labels.c - lines of a text, which may lie in the archive behind a model. */
#include "cmd/tool/labels.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/host/files.h"
#include "lib/model/metadata.h"
#include "lib/model/zip.h"

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

/* ---- the archive ---- */

static bool ends_with(const char *name, const char *end)
{
    const size_t n = strlen(name), length = strlen(end);

    return n > length && !strcmp(name + n - length, end);
}

const char *labels_named(const struct model *m, uint32_t subgraph, uint32_t output, struct arena *a)
{
    struct metadata all;
    struct err err;

    return !metadata_read(m, subgraph, a, &all, &err) && output < all.n_outputs ? all.outputs[output].labels : NULL;
}

enum status labels_of_model(const void *file, size_t bytes, const char *named, uint32_t classes, struct arena *a,
                            struct labels *out, struct err *err)
{
    const struct zip_entry *only;
    struct file_map f;
    struct zip z;
    enum status st;

    *out = (struct labels){0};
    file_map_memory(file, bytes, &f);
    if (!file || classes < 2 || (st = zip_read(&f, 0, bytes, a, &z, err)) == ST_BAD_MODEL || st == ST_UNSUPPORTED)
        return ST_OK;
    only = named && !st ? zip_find(&z, named) : NULL;
    for (uint32_t i = 0; i < z.n && !st; i++) {
        const struct zip_entry *e = &z.entries[i];
        const char *text = (const char *)file + e->at;
        const uint32_t lines = (e == only || ends_with(e->name, ".txt")) && !e->refused ? count_lines(text, (size_t)e->bytes) : 0;

        /* "labels-en.txt" beside labels of a machine. */
        if ((only && e != only) || (lines != classes && lines + 1 != classes) || (out->n && !ends_with(e->name, "-en.txt")))
            continue;
        out->from = e->name;
        st = take_lines(text, (size_t)e->bytes, a, out, err);
    }
    return st;
}
