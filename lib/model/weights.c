/* SPDX-License-Identifier: Apache-2.0 */
/* weights.c - the search for a store, and its mapping. */
#include "lib/model/weights.h"

#include <string.h>
#include <unistd.h>

/* The range of a file, which may be a section, with `bytes` from `at` on. */
static enum status map_store(const struct file_map *f, uint64_t at, uint64_t bytes, uint64_t from, uint64_t to,
                             struct model_group *group, struct err *err)
{
    if (to > bytes)
        return err_set(err, ST_BAD_MODEL, "its buffers reach to byte %llu, but %.200s has %llu bytes", (unsigned long long)to,
                       group->place, (unsigned long long)bytes);
    group->offset = from;
    return file_map_range(f, at + from, to - from, &group->range, err);
}

static enum status map_file(const char *path, uint64_t from, uint64_t to, struct model_group *group, struct err *err)
{
    struct file_map f;
    enum status st = file_map_open(path, &f, err);

    if (st)
        return st;
    group->place = path;
    st = map_store(&f, 0, f.bytes, from, to, group, err);
    file_map_close(&f);
    return st;
}

/* The group behind the path, which is cut there; NULL: none. A colon may be part of a file's name; it is, if that file exists. */
static const char *cut_group(char *path)
{
    char *colon = strrchr(path, ':');

    if (!colon || !access(path, F_OK))
        return NULL;
    *colon = '\0';
    return colon + 1;
}

/* The file that the user named for the group, else the one named for all groups; NULL: none. */
static enum status find_given(const char *lines, const char *group, struct arena *a, const char **out, struct err *err)
{
    *out = NULL;
    for (const char *line = lines; line && *line;) {
        const size_t n = strcspn(line, "\n");
        char *path = arena_printf(a, "%.*s", (int)n, line);
        const char *of;

        if (!path)
            return err_set(err, ST_NOMEM, "out of memory for a path");
        of = cut_group(path);
        if (of ? !strcmp(of, group) : !*out)
            *out = path;
        if (of && *out == path)
            return ST_OK;
        line += n + (line[n] == '\n');
    }
    return ST_OK;
}

/* Within the model's folder, whatever the model says. */
static bool leads_out(const char *name)
{
    for (const char *part = name; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (!strncmp(part, "..", 2) && (part[2] == '/' || !part[2]))
            return true;
    return !*name || *name == '/';
}

static enum status map_beside(const struct weight_places *p, uint64_t from, uint64_t to, struct model_group *group, struct arena *a,
                              struct err *err)
{
    const char *slash = p->path ? strrchr(p->path, '/') : NULL, *path;
    struct err why;
    enum status st;

    if (!p->path)
        return err_set(err, ST_USAGE, "the model is in memory: --weights=FILE names the file with it");
    if (leads_out(group->name))
        return err_set(err, ST_USAGE, "this is no file beside the model: --weights=FILE names the file with it");
    if (!(path = arena_printf(a, "%.*s%s", slash ? (int)(slash + 1 - p->path) : 0, p->path, group->name)))
        return err_set(err, ST_NOMEM, "out of memory for a path");
    if ((st = map_file(path, from, to, group, err)) != ST_IO)
        return st;
    why = *err;
    return err_set(err, st, "%.300s (--weights=FILE names another file)", why.msg);
}

static enum status map_section(const struct bundle *b, const struct bundle_section *s, uint64_t from, uint64_t to,
                               struct model_group *group, struct arena *a, struct err *err)
{
    if (!(group->place = arena_printf(a, "section %u", (unsigned)(s - b->sections))))
        return err_set(err, ST_NOMEM, "out of memory for a name");
    return map_store(&b->file, s->at, s->bytes, from, to, group, err);
}

/* Borrowed: without pages of its own. */
static enum status map_same(const struct model *m, uint64_t from, uint64_t to, struct model_group *group, struct err *err)
{
    for (uint32_t i = 0; i < m->n_groups; i++) {
        const struct model_group *g = &m->groups[i];

        if (strcmp(g->name, group->name) != 0 || from < g->offset || to - g->offset > g->range.bytes)
            continue;
        group->place = g->place;
        group->offset = from;
        group->range = (struct file_range){.data = g->range.data + (from - g->offset), .bytes = (size_t)(to - from)};
        return ST_OK;
    }
    return err_set(err, ST_BAD_MODEL, "no such group is mapped");
}

static enum status find(const struct weight_places *p, uint64_t from, uint64_t to, struct model_group *group, struct arena *a,
                        struct err *err)
{
    const struct bundle_section *s = p->bundle ? bundle_weights(p->bundle, p->section, group->name) : NULL;
    const char *path;
    enum status st;

    if (p->same)
        return map_same(p->same, from, to, group, err);
    if ((st = find_given(p->given, group->name, a, &path, err)))
        return st;
    if (path)
        return map_file(path, from, to, group, err);
    return s ? map_section(p->bundle, s, from, to, group, a, err) : map_beside(p, from, to, group, a, err);
}

enum status weights_map(const struct weight_places *p, uint64_t from, uint64_t to, struct model_group *group, struct arena *a,
                        struct err *err)
{
    static const struct weight_places nowhere;
    const enum status st = find(p ? p : &nowhere, from, to, group, a, err);

    return st ? err_prefix(err, st, "weight group \"%.80s\"", group->name) : ST_OK;
}

static bool is_used(const struct model *m, const char *line, size_t n)
{
    for (uint32_t i = 0; i < m->n_groups; i++) {
        const struct model_group *g = &m->groups[i];
        const size_t place = g->range.data ? strlen(g->place) : SIZE_MAX;

        if (place > n || strncmp(line, g->place, place) != 0)
            continue;
        if (n == place ||
            (line[place] == ':' && n - place - 1 == strlen(g->name) && !strncmp(line + place + 1, g->name, n - place - 1)))
            return true;
    }
    return false;
}

enum status weights_check_used(const char *given, const struct model *const *models, uint32_t n, struct err *err)
{
    for (const char *line = given; line && *line;) {
        const size_t bytes = strcspn(line, "\n");
        bool used = false;

        for (uint32_t i = 0; i < n && !used; i++)
            used = is_used(models[i], line, bytes);
        if (!used)
            return err_set(err, ST_USAGE, "--weights=%.*s: %s no constants from it", (int)(bytes < 200 ? bytes : 200), line,
                           n == 1 ? "the model takes" : "the models take");
        line += bytes + (line[bytes] == '\n');
    }
    return ST_OK;
}

const char *weights_sha256(const struct model *m, char out[SHA256_HEX_SIZE])
{
    char both[2][SHA256_HEX_SIZE] = {{0}};
    bool any = false;

    for (uint32_t i = 0; i < m->n_buffers; i++) {
        if (!m->buffers[i].external)
            continue;
        sha256_hex(m->buffers[i].data ? (const void *)m->buffers[i].data : "", m->buffers[i].bytes, both[1]);
        sha256_hex(both, sizeof both, out);
        memcpy(both[0], out, sizeof both[0]);
        any = true;
    }
    return any ? out : NULL;
}
