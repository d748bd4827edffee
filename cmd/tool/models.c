/* SPDX-License-Identifier: Apache-2.0 */
/* models.c - files, folders and bundles of models. */
#include "cmd/tool/models.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/model/bundle.h"

bool models_is_folder(const char *path)
{
    struct stat s;

    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

/* The bundle of that path, if it is one of several models; else NULL. */
static struct bundle *open_several(const char *path)
{
    struct bundle *b;
    struct err err;

    if (models_is_folder(path) || bundle_open(path, &b, &err))
        return NULL;
    if (b->n_models > 1)
        return b;
    bundle_close(b);
    return NULL;
}

bool models_are_several(const struct cli *c, const char *graph)
{
    const uint32_t n = c->n_operands + (*graph != '\0');
    const char *first = c->n_operands ? c->operands[0] : graph;
    struct bundle *b = n == 1 && !models_is_folder(first) ? open_several(first) : NULL;

    bundle_close(b);
    return n > 1 || b || (n && models_is_folder(first));
}

/* A growing list in an arena: what it outgrows stays there until the end. */
struct paths {
    const char **list;
    uint32_t n, capacity;
    struct arena *arena;
};

/* Adds folder, mark and name; `name` alone where `folder` is "". */
static enum status add_path(struct paths *p, const char *folder, char mark, const char *name, struct err *err)
{
    size_t size = strlen(folder) + strlen(name) + 2;
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
    snprintf(copy, size, "%s%.*s%s", folder, *folder != '\0', &mark, name);
    p->list[p->n++] = copy;
    return ST_OK;
}

static int is_model(const struct dirent *d)
{
    static const char *const endings[] = {"*.tflite", "*.task", "*.litertlm"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (!fnmatch(endings[i], d->d_name, FNM_PERIOD))
            return true;
    return false;
}

/* A path, or those of the models within it. */
static enum status add_file(struct paths *p, const char *folder, const char *path, struct err *err)
{
    enum status st = add_path(p, folder, '/', path, err);
    const char *whole = st ? "" : p->list[p->n - 1];
    struct bundle *b = st ? NULL : open_several(whole);

    if (!b)
        return st;
    p->n--;
    for (uint32_t i = 0; i < b->n && !st; i++) {
        char number[BUNDLE_NAME_SIZE];

        if (b->sections[i].kind == SECTION_MODEL)
            st = add_path(p, whole, '#', bundle_name(b, &b->sections[i], number), err);
    }
    bundle_close(b);
    return st;
}

static enum status add_folder(struct paths *p, const char *path, struct err *err)
{
    struct dirent **found;
    enum status st = ST_OK;
    const int n = scandir(path, &found, is_model, alphasort);

    if (n < 0)
        return err_set(err, ST_IO, "%s: the folder cannot be read", path);
    if (!n)
        st = err_set(err, ST_USAGE, "%s: no file *.tflite, *.task or *.litertlm lies in this folder", path);
    for (int i = 0; i < n; i++) {
        if (!st)
            st = add_file(p, path, found[i]->d_name, err);
        free(found[i]);
    }
    free(found);
    return st;
}

static enum status add(struct paths *p, const char *path, struct err *err)
{
    return models_is_folder(path) ? add_folder(p, path, err) : add_file(p, "", path, err);
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
