/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_record.c - the record of the GPU's answers, read into a list and written by operator. */
#include "bench/opcheck/gpu_record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SAYS_WIDTH 34

enum status gpu_record_add(struct gpu_record *r, const char *op, const char *name, const char *says, struct err *err)
{
    struct gpu_entry *e;

    if (r->n == r->room) {
        uint32_t room = 2 * r->room + 256;

        if (!(e = realloc(r->v, room * sizeof *e)))
            return err_set(err, ST_NOMEM, "%s: out of memory", r->path);
        r->v = e;
        r->room = room;
    }
    e = &r->v[r->n];
    *e = (struct gpu_entry){arena_strdup(&r->arena, op), arena_strdup(&r->arena, name), arena_strdup(&r->arena, says), false};
    if (!e->op || !e->name || !e->says)
        return err_set(err, ST_NOMEM, "%s: out of memory", r->path);
    r->n++;
    return ST_OK;
}

static enum status read_line(struct gpu_record *r, char *line, char *op, size_t number, struct err *err)
{
    size_t n = strcspn(line, "\n");
    char *name;

    line[n] = 0;
    if (!n)
        return ST_OK;
    if (line[0] == '#') {
        r->head = arena_printf(&r->arena, "%s%s\n", r->head ? r->head : "", line);
        return r->head ? ST_OK : err_set(err, ST_NOMEM, "%s: out of memory", r->path);
    }
    if (line[0] != ' ') {
        strcpy(op, line);
        return ST_OK;
    }
    line += strspn(line, " ");
    if (!op[0] || !(name = strstr(line, "  ")))
        return err_set(err, ST_IO, "%s:%zu: expected an operator's name, or what is on record and a case's name", r->path, number);
    *name = 0;
    name += 1 + strspn(name + 1, " ");
    return gpu_record_add(r, op, name, line, err);
}

enum status gpu_record_open(const char *path, struct gpu_record *out, struct err *err)
{
    char line[1024], op[sizeof line] = "";
    FILE *f = fopen(path, "r");
    enum status st = ST_OK;

    *out = (struct gpu_record){.path = path};
    if (!f)
        return errno == ENOENT ? ST_OK : err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    for (size_t number = 1; !st && fgets(line, sizeof line, f); number++)
        st = read_line(out, line, op, number, err);
    fclose(f);
    return st;
}

void gpu_record_close(struct gpu_record *r)
{
    free(r->v);
    arena_free(&r->arena);
    *r = (struct gpu_record){0};
}

struct gpu_entry *gpu_record_find(struct gpu_record *r, const char *op, const char *name)
{
    for (uint32_t i = 0; i < r->n; i++)
        if (!strcmp(r->v[i].name, name) && !strcmp(r->v[i].op, op)) {
            r->v[i].seen = true;
            return &r->v[i];
        }
    return NULL;
}

bool gpu_record_is_among(const char *const *ops, size_t n, const char *op)
{
    for (size_t i = 0; i < n; i++)
        if (!strcmp(ops[i], op))
            return true;
    return false;
}

/* Cases keep the order in which they came. */
static int by_operator(const void *a, const void *b)
{
    const struct gpu_entry *const *x = a, *const *y = b;
    int c = strcmp((*x)->op, (*y)->op);

    return c ? c : (*x > *y) - (*x < *y);
}

static void write_entries(FILE *f, const struct gpu_entry *const *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!i || strcmp(v[i]->op, v[i - 1]->op))
            fprintf(f, "\n%s\n", v[i]->op);
        fprintf(f, "  %-*s  %s\n", SAYS_WIDTH, v[i]->says, v[i]->name);
    }
}

enum status gpu_record_save(const struct gpu_record *r, const struct gpu_record *now, const char *const *ops, size_t n,
                            struct err *err)
{
    const struct gpu_entry **v = calloc((size_t)r->n + now->n + 1, sizeof *v);
    size_t kept = 0;
    FILE *f;
    bool ok;

    if (!v)
        return err_set(err, ST_NOMEM, "%s: out of memory", r->path);
    for (uint32_t i = 0; i < r->n; i++)
        if (!gpu_record_is_among(ops, n, r->v[i].op))
            v[kept++] = &r->v[i];
    for (uint32_t i = 0; i < now->n; i++)
        v[kept++] = &now->v[i];
    qsort(v, kept, sizeof *v, by_operator);
    if ((f = fopen(r->path, "w"))) {
        fputs(r->head ? r->head : "", f);
        write_entries(f, v, kept);
    }
    ok = f && !ferror(f);
    if (f && fclose(f))
        ok = false;
    free(v);
    return ok ? ST_OK : err_set(err, ST_IO, "%s: %s", r->path, strerror(errno));
}
