/* SPDX-License-Identifier: Apache-2.0 */
/* bundle.c - sections of any kind of bundle, and the choice of a model among them. */
#include "lib/model/bundle.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "lib/base/flag.h"
#include "lib/model/zip.h"
#include "schema/file.h"

/* Archives within archives; MediaPipe has one. */
enum { MOST_LEVELS = 4, MOST_SECTIONS = 100000 };

/* MediaPipe's packer aligns the first file, too, with up to 4 zeros before its header. */
static bool is_zip(const uint8_t head[BUNDLE_HEAD])
{
    int zeros = 0;

    while (zeros < BUNDLE_HEAD - 4 && !head[zeros])
        zeros++;
    return !memcmp(head + zeros, "PK\3\4", 4) || !memcmp(head, "PK\5\6", 4);
}

bool bundle_sniff(const uint8_t head[BUNDLE_HEAD])
{
    return is_zip(head) || !memcmp(head, "LITERTLM", 8);
}

/* ---- archives ---- */

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the sections of a bundle");
}

static enum status add_section(struct bundle *b, uint32_t *capacity, const struct bundle_section *s, struct err *err)
{
    if (b->n == MOST_SECTIONS)
        return err_set(err, ST_UNSUPPORTED, "the bundle has over %d files", MOST_SECTIONS);
    if (b->n == *capacity) {
        struct bundle_section *more = ARENA_ARRAY(&b->arena, 2 * (size_t)*capacity + 16, struct bundle_section);

        if (!more)
            return no_memory(err);
        if (b->n)
            memcpy(more, b->sections, b->n * sizeof *more);
        b->sections = more;
        *capacity = 2 * *capacity + 16;
    }
    b->sections[b->n++] = *s;
    return ST_OK;
}

static enum status read_archive(struct bundle *b, uint32_t *capacity, const struct bundle_section *of, int level, struct err *err);

/* A file is what its first bytes are: MediaPipe's models have names without an ending, too. */
static enum status add_file(struct bundle *b, uint32_t *capacity, const struct zip_entry *e, const char *folder, int level,
                            struct err *err)
{
    struct bundle_section s = {SECTION_OTHER, e->name, "file", "", "", e->at, e->bytes};
    uint8_t head[BUNDLE_HEAD] = {0};
    enum status st;

    if (e->refused && b->kind == BUNDLE_TFLITE) { /* the model itself is in nothing */
        s.type = e->refused;
        return add_section(b, capacity, &s, err);
    }
    if (e->refused)
        return err_set(err, ST_UNSUPPORTED, "\"%.80s\" is %s, and only files stored as they are can be mapped", e->name,
                       e->refused);
    if (*folder && !(s.name = arena_printf(&b->arena, "%s/%s", folder, e->name)))
        return no_memory(err);
    if (e->bytes >= sizeof head && !file_map_copy(&b->file, e->at, sizeof head, head))
        return err_set(err, ST_IO, "\"%.80s\" cannot be read", s.name);
    if (!memcmp(head + 4, FILE_IDENTIFIER, 4))
        s.kind = SECTION_MODEL, s.type = "TFLiteModel";
    else if (is_zip(head))
        s.kind = SECTION_ARCHIVE, s.type = "archive";
    if ((st = add_section(b, capacity, &s, err)) || s.kind != SECTION_ARCHIVE)
        return st;
    if ((st = read_archive(b, capacity, &s, level + 1, err)))
        return err_prefix(err, st, "%.80s", e->name);
    return ST_OK;
}

static enum status read_archive(struct bundle *b, uint32_t *capacity, const struct bundle_section *of, int level, struct err *err)
{
    struct zip z;
    enum status st;

    if (level == MOST_LEVELS)
        return err_set(err, ST_UNSUPPORTED, "archives within archives, %d deep", MOST_LEVELS);
    st = zip_read(&b->file, of->at, of->bytes, &b->arena, &z, err);
    for (uint32_t i = 0; !st && i < z.n; i++)
        st = add_file(b, capacity, &z.entries[i], of->name, level, err);
    return st;
}

/* The model, and the files of the archive behind it, if there is one. */
static enum status read_model(struct bundle *b, const char *path, struct err *err)
{
    const char *slash = strrchr(path, '/');
    struct bundle_section s = {SECTION_MODEL, slash ? slash + 1 : path, "TFLiteModel", "", "", 0, b->file.bytes};
    uint32_t capacity = 0;
    struct arena scratch = {0};
    struct zip z;
    struct err none;
    enum status st;
    bool has_files;

    if (!(s.name = arena_strdup(&b->arena, s.name)))
        return no_memory(err);
    has_files = zip_read(&b->file, 0, b->file.bytes, &scratch, &z, &none) == ST_OK && z.n;
    arena_free(&scratch);
    if ((st = add_section(b, &capacity, &s, err)) || !has_files)
        return st;
    s.name = "";
    return read_archive(b, &capacity, &s, 0, err);
}

/* ---- opening ---- */

static int by_place(const void *a, const void *b)
{
    const struct bundle_section *x = *(const struct bundle_section *const *)a, *y = *(const struct bundle_section *const *)b;

    return (x->at > y->at) - (x->at < y->at);
}

static enum status check_overlap(const struct bundle *b, struct err *err)
{
    struct arena a = {0};
    const struct bundle_section **sorted = ARENA_ARRAY(&a, b->n, const struct bundle_section *);
    enum status st = sorted ? ST_OK : no_memory(err);

    for (uint32_t i = 0; !st && i < b->n; i++)
        sorted[i] = &b->sections[i];
    if (!st)
        qsort(sorted, b->n, sizeof *sorted, by_place);
    for (uint32_t i = 1; !st && i < b->n; i++)
        if (sorted[i]->at < sorted[i - 1]->at + sorted[i - 1]->bytes)
            st = err_set(err, ST_BAD_MODEL, "sections %u and %u overlap", (unsigned)(sorted[i - 1] - b->sections),
                         (unsigned)(sorted[i] - b->sections));
    arena_free(&a);
    return st;
}

static enum status read_directory(struct bundle *b, const char *path, struct err *err)
{
    const struct bundle_section whole = {.at = 0, .bytes = b->file.bytes, .name = ""};
    uint8_t head[BUNDLE_HEAD] = {0};
    uint32_t capacity = 0;
    enum status st;

    if (b->file.bytes >= sizeof head)
        file_map_copy(&b->file, 0, sizeof head, head);
    if (!memcmp(head, "LITERTLM", 8)) {
        b->kind = BUNDLE_LITERTLM;
        st = bundle_read_litertlm(b, err);
        st = st ? st : check_overlap(b, err);
    } else if (is_zip(head)) {
        b->kind = BUNDLE_TASK;
        st = read_archive(b, &capacity, &whole, 0, err);
    } else {
        st = read_model(b, path, err);
    }
    for (uint32_t i = 0; !st && i < b->n; i++)
        b->n_models += b->sections[i].kind == SECTION_MODEL;
    return st;
}

static enum status read_file(const struct file_map *file, const char *path, struct bundle **out, struct err *err)
{
    struct bundle *b = calloc(1, sizeof *b);
    enum status st;

    *out = NULL;
    if (!b)
        return err_set(err, ST_NOMEM, "%s: out of memory", path);
    b->file = *file;
    if ((st = read_directory(b, path, err))) {
        b->file.fd = -1;
        bundle_close(b);
        return err_prefix(err, st, "%s", path);
    }
    *out = b;
    return ST_OK;
}

enum status bundle_open(const char *path, struct bundle **out, struct err *err)
{
    struct file_map file;
    enum status st = file_map_open(path, &file, err);

    *out = NULL;
    if (!st && (st = read_file(&file, path, out, err)))
        file_map_close(&file);
    return st;
}

enum status bundle_parse(const void *data, size_t bytes, const char *name, struct bundle **out, struct err *err)
{
    struct file_map file;

    file_map_memory(data, bytes, &file);
    return read_file(&file, name, out, err);
}

void bundle_close(struct bundle *b)
{
    if (!b)
        return;
    file_map_close(&b->file);
    arena_free(&b->arena);
    free(b);
}

/* ---- choosing ---- */

static const char *without_prefix(const char *s)
{
    return strncasecmp(s, "tf_lite_", 8) ? s : s + 8;
}

static bool is_number(const struct bundle *b, const struct bundle_section *s, const char *name)
{
    int64_t number;

    return flag_read_int(name, 0, UINT32_MAX, &number) && number == s - b->sections;
}

/* The ways of naming a model, the strictest first: a later one counts only where no earlier one chose. */
static bool is_named(const struct bundle *b, const struct bundle_section *s, const char *name, int way)
{
    const char *slash = strrchr(s->name, '/');

    switch (way) {
    case 0: return *s->name && !strcmp(s->name, name);
    case 1: return is_number(b, s, name);
    case 2: return slash && !strcmp(slash + 1, name);
    default: return !strcasecmp(without_prefix(*s->model_type ? s->model_type : s->name), without_prefix(name));
    }
}

static uint32_t count_named(const struct bundle *b, const char *name, int way, const struct bundle_section **first)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        const struct bundle_section *s = &b->sections[i];

        if (s->kind == SECTION_MODEL && is_named(b, s, name, way) && !n++)
            *first = s;
    }
    return n;
}

const char *bundle_name(const struct bundle *b, const struct bundle_section *s, char out[BUNDLE_NAME_SIZE])
{
    const struct bundle_section *first;

    if (*s->name && count_named(b, s->name, 0, &first) == 1)
        return s->name;
    if (*s->model_type && count_named(b, s->model_type, 3, &first) == 1 && !count_named(b, s->model_type, 1, &first))
        return s->model_type;
    snprintf(out, BUNDLE_NAME_SIZE, "%u", (unsigned)(s - b->sections));
    return out;
}

/* "a.tflite, b.tflite": the models there are, as far as they fit. */
static void list_names(const struct bundle *b, char *out, size_t size)
{
    char number[BUNDLE_NAME_SIZE];
    size_t n = 0;

    *out = '\0';
    for (uint32_t i = 0; i < b->n && n + 8 < size; i++)
        if (b->sections[i].kind == SECTION_MODEL)
            n += (size_t)snprintf(out + n, size - n, "%s%.60s", n ? ", " : "", bundle_name(b, &b->sections[i], number));
    if (n + 8 >= size)
        memcpy(out + (n < size - 4 ? n : size - 4), "...", 4);
}

enum status bundle_choose(const struct bundle *b, const char *name, const struct bundle_section **out, struct err *err)
{
    char names[256];
    uint32_t n = 0;

    *out = NULL;
    if (!b->n_models)
        return err_set(err, ST_BAD_MODEL, "none of the %u sections is a model", b->n);
    list_names(b, names, sizeof names);
    if (!*name && b->n_models > 1)
        return err_set(err, ST_USAGE, "there are %u models, choose one by #NAME: %s", b->n_models, names);
    for (uint32_t i = 0; i < b->n && !*name; i++)
        if (b->sections[i].kind == SECTION_MODEL)
            *out = &b->sections[i];
    for (int way = 0; way < 4 && *name && !n; way++)
        n = count_named(b, name, way, out);
    if (n > 1)
        return err_set(err, ST_USAGE, "#%.80s names %u models, choose one by its number: the first is %u", name, n,
                       (unsigned)(*out - b->sections));
    return *out ? ST_OK : err_set(err, ST_USAGE, "no model is named #%.80s, but there is: %s", name, names);
}

const struct bundle_section *bundle_weights(const struct bundle *b, const struct bundle_section *s, const char *group)
{
    const struct bundle_section *found = NULL;
    const char *slash = strrchr(s->name, '/');
    const size_t folder = slash ? (size_t)(slash + 1 - s->name) : 0;
    uint32_t n = 0;

    for (uint32_t i = 0; i < b->n; i++) {
        const struct bundle_section *w = &b->sections[i];

        if (b->kind == BUNDLE_TASK && !strncmp(w->name, s->name, folder) && !strcmp(w->name + folder, group))
            return w;
        if (w->kind != SECTION_WEIGHTS || strcmp(group, "tflite_weights") != 0)
            continue;
        if (!strcasecmp(w->model_type, s->model_type))
            return w;
        found = w;
        n++;
    }
    return n == 1 ? found : NULL;
}

const char *bundle_split(const char *path, struct arena *a, const char **name)
{
    const char *hash = strrchr(path, '#');

    *name = "";
    if (!hash || hash == path || !access(path, F_OK))
        return path;
    *name = hash + 1;
    return arena_printf(a, "%.*s", (int)(hash - path), path);
}
