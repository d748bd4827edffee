/* SPDX-License-Identifier: Apache-2.0 */
/* models.c - files and folders of models. */
#include "cmd/tool/models.h"

#include <dirent.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

bool models_is_folder(const char *path)
{
    struct stat s;

    return !stat(path, &s) && S_ISDIR(s.st_mode);
}

bool models_are_several(const struct cli *c, const char *graph)
{
    const uint32_t n = c->n_operands + (*graph != '\0');

    return n > 1 || (n && models_is_folder(c->n_operands ? c->operands[0] : graph));
}

/* A growing list in an arena: what it outgrows stays there until the end. */
struct paths {
    const char **list;
    uint32_t n, capacity;
    struct arena *arena;
};

/* Adds folder/name; `name` alone where `folder` is "". */
static enum status add_path(struct paths *p, const char *folder, const char *name, struct err *err)
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
    snprintf(copy, size, "%s%s%s", folder, *folder ? "/" : "", name);
    p->list[p->n++] = copy;
    return ST_OK;
}

static int is_model(const struct dirent *d)
{
    return !fnmatch("*.tflite", d->d_name, FNM_PERIOD);
}

static enum status add_folder(struct paths *p, const char *path, struct err *err)
{
    struct dirent **found;
    enum status st = ST_OK;
    const int n = scandir(path, &found, is_model, alphasort);

    if (n < 0)
        return err_set(err, ST_IO, "%s: the folder cannot be read", path);
    if (!n)
        st = err_set(err, ST_USAGE, "%s: no file *.tflite lies in this folder", path);
    for (int i = 0; i < n; i++) {
        if (!st)
            st = add_path(p, path, found[i]->d_name, err);
        free(found[i]);
    }
    free(found);
    return st;
}

static enum status add(struct paths *p, const char *path, struct err *err)
{
    return models_is_folder(path) ? add_folder(p, path, err) : add_path(p, "", path, err);
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
