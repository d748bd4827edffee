/* SPDX-License-Identifier: Apache-2.0 */
/* models.c - files and folders of models. */
#include "models.h"

#include <glob.h>
#include <string.h>
#include <sys/stat.h>

bool models_is_folder(const char *path)
{
    struct stat s;

    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

/* A growing list in an arena: what it outgrows stays there until the end. */
struct paths {
    const char **list;
    uint32_t n, capacity;
    struct arena *arena;
};

static enum status add_path(struct paths *p, const char *path, struct err *err)
{
    size_t size = strlen(path) + 1;
    char *copy = ARENA_ARRAY(p->arena, size, char);

    if (copy && p->n == p->capacity) {
        const char **list = ARENA_ARRAY(p->arena, 2 * p->capacity + 16, const char *);

        if (!list)
            copy = NULL;
        else if (p->n)
            memcpy(list, p->list, p->n * sizeof *list);
        p->list = list ? list : p->list;
        p->capacity = 2 * p->capacity + 16;
    }
    if (!copy)
        return err_set(err, ST_NOMEM, "out of memory for the paths of %u models", p->n);
    memcpy(copy, path, size);
    p->list[p->n++] = copy;
    return ST_OK;
}

/* What glob takes for a pattern stands for itself. */
static bool escape(const char *path, char *out, size_t size)
{
    size_t n = 0;

    for (; *path && n + 3 < size; path++) {
        if (strchr("*?[]\\", *path))
            out[n++] = '\\';
        out[n++] = *path;
    }
    out[n] = '\0';
    return !*path;
}

static enum status add_folder(struct paths *p, const char *path, struct err *err)
{
    enum status st = ST_OK;
    char pattern[4096 + 16];
    glob_t found;
    int code;

    if (!escape(path, pattern, sizeof pattern - 16))
        return err_set(err, ST_USAGE, "%.100s…: the path is too long", path);
    strcat(pattern, "/*.tflite");
    code = glob(pattern, GLOB_ERR, NULL, &found);
    if (code == GLOB_NOMATCH)
        return err_set(err, ST_USAGE, "%s: no file *.tflite lies in this folder", path);
    if (code)
        return err_set(err, ST_IO, "%s: the folder cannot be read", path);
    for (size_t i = 0; i < found.gl_pathc && !st; i++)
        st = add_path(p, found.gl_pathv[i], err);
    globfree(&found);
    return st;
}

static enum status add(struct paths *p, const char *path, struct err *err)
{
    return models_is_folder(path) ? add_folder(p, path, err) : add_path(p, path, err);
}

enum status models_find(const struct cli *c, const char *graph, struct arena *a, const char ***out, uint32_t *n, struct err *err)
{
    struct paths p = {.arena = a};
    enum status st = *graph ? add(&p, graph, err) : ST_OK;

    for (uint32_t i = 0; i < c->n_operands && !st; i++)
        st = add(&p, c->operands[i], err);
    *out = p.list;
    *n = p.n;
    return st;
}
