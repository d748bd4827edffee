/* SPDX-License-Identifier: Apache-2.0 */
/* model_open.c - maps a file or a section of a bundle, and says what a file that is no model looks like.
 *
 * Most "broken models" are a web page, a git-lfs pointer or an archive under the wrong name; naming that saves an hour. */
#include <string.h>

#include "lib/model/model_impl.h"
#include "lib/model/weights.h"

static const struct {
    const char *start;
    size_t bytes;
    const char *looks_like;
} others[] = {
    {"version https://git-lfs", 23, "is a git-lfs pointer, not the model itself (`git lfs pull` fetches it)"},
    {"<!DOCTYPE", 9, "is a web page, not a model"},
    {"<!doctype", 9, "is a web page, not a model"},
    {"<html", 5, "is a web page, not a model"},
    {"<HTML", 5, "is a web page, not a model"},
    {"<?xml", 5, "is an XML text, not a model"},
    {"{", 1, "is a JSON text, not a model"},
    {"PK\3\4", 4, "is a zip archive, and a model was expected"},
    {"LITERTLM", 8, "is a LiteRT-LM bundle, and a model was expected"},
    {"\x1f\x8b", 2, "is gzip-compressed"},
    {"\x89HDF", 4, "is an HDF5 file (Keras?), not a .tflite model"},
    {"\x89PNG", 4, "is a PNG image, not a model"},
    {"\xff\xd8\xff", 3, "is a JPEG image, not a model"},
    {"\x7f"
     "ELF",
     4, "is an ELF program or library, not a model"},
};

enum status model_sniff(const uint8_t *data, size_t bytes, struct err *err)
{
    uint32_t id;

    if (!bytes)
        return err_set(err, ST_BAD_MODEL, "the file is empty");
    if (bytes >= 8 && !memcmp(data + 4, FILE_IDENTIFIER, 4))
        return ST_OK;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (bytes >= others[i].bytes && !memcmp(data, others[i].start, others[i].bytes))
            return err_set(err, ST_BAD_MODEL, "the file %s", others[i].looks_like);
    if (bytes < 8)
        return err_set(err, ST_BAD_MODEL, "the file has %zu bytes, too few for a .tflite model", bytes);
    memcpy(&id, data + 4, sizeof id);
    return err_set(err, ST_BAD_MODEL, "not a .tflite model: bytes 4 to 7 are 0x%08x instead of \"" FILE_IDENTIFIER "\"",
                   __builtin_bswap32(id));
}

/* The part of a file that is the model, mapped. */
static enum status open_range(const struct file_map *f, uint64_t at, uint64_t bytes, const char *name,
                              const struct weight_places *places, struct model **out, struct err *err)
{
    struct file_range range;
    enum status st;

    if ((st = file_map_range(f, at, bytes, &range, err)))
        return err_prefix(err, st, "%s", name);
    if ((st = model_parse_with(range.data, range.bytes, name, places, out, err)))
        file_unmap(&range);
    else
        (*out)->range = range;
    return st;
}

enum status model_open_section(const struct bundle *b, const struct bundle_section *s, const char *path, const char *name,
                               const char *weights, struct model **out, struct err *err)
{
    const struct weight_places places = {.given = weights, .path = path, .bundle = b, .section = s};

    *out = NULL;
    return open_range(&b->file, s->at, s->bytes, name, &places, out, err);
}

static enum status open_in_bundle(const char *path, const char *name, const char *model, const char *weights, struct model **out,
                                  struct err *err)
{
    const struct bundle_section *s;
    struct bundle *b;
    enum status st;

    if ((st = bundle_open(path, &b, err)))
        return st;
    if ((st = bundle_choose(b, model, &s, err)))
        err_prefix(err, st, "%s", path);
    else
        st = model_open_section(b, s, path, name, weights, out, err);
    bundle_close(b);
    return st;
}

static enum status open_path(const char *path, const char *name, const char *model, const char *weights, struct model **out,
                             struct err *err)
{
    const struct weight_places places = {.given = weights, .path = path};
    uint8_t head[BUNDLE_HEAD] = {0};
    struct file_map f;
    enum status st;

    if ((st = file_map_open(path, &f, err)))
        return st;
    if (*model || (file_map_copy(&f, 0, f.bytes < sizeof head ? (size_t)f.bytes : sizeof head, head) && bundle_sniff(head)))
        st = open_in_bundle(path, name, model, weights, out, err);
    else
        st = open_range(&f, 0, f.bytes, name, &places, out, err);
    file_map_close(&f);
    return st;
}

enum status model_open_with(const char *path, const char *weights, struct model **out, struct err *err)
{
    struct arena a = {0};
    const char *model, *file = bundle_split(path, &a, &model);
    enum status st;

    *out = NULL;
    st = file ? open_path(file, path, model, weights, out, err) : err_set(err, ST_NOMEM, "%s: out of memory", path);
    arena_free(&a);
    return st;
}

enum status model_open(const char *path, struct model **out, struct err *err)
{
    return model_open_with(path, NULL, out, err);
}
