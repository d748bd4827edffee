/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_extract.c - lib/rewrite/extract.h, partition by partition. */
#include "cmd/coverage/coverage_extract.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/host/files.h"
#include "lib/rewrite/extract.h"

struct extracting {
    const struct graph *g;
    const char *dir, *model;
    struct coverage_extract *out;
};

static enum status no_memory(struct err *err)
{
    return err_set(err, ST_NOMEM, "--extract_partitions: out of memory");
}

/* The path of partition i, which is not the model's own. */
static enum status path_of(const struct extracting *e, uint32_t i, const char **path, struct err *err)
{
    *path = arena_printf(&e->out->arena, "%s/partition_%u.tflite", e->dir, i);
    if (!*path)
        return no_memory(err);
    if (file_is_same(*path, e->model))
        return err_set(err, ST_USAGE, "--extract_partitions: %.200s is the model and would be overwritten", *path);
    return ST_OK;
}

static enum status write_part(const struct extracting *e, const struct partition *p, struct extracted_partition *x, struct err *err)
{
    struct arena own = {0};
    bool *chosen = ARENA_ARRAY(&own, e->g->n_nodes, bool);
    struct model part;
    uint8_t *file = NULL;
    enum status st = chosen ? ST_OK : no_memory(err);

    for (uint32_t i = 0; chosen && i < p->n_nodes; i++)
        chosen[p->nodes[i] - e->g->nodes] = true;
    if (!st && !(st = extract_nodes(e->g, chosen, &own, &part, err)) && !(st = model_serialize(&part, &file, &x->bytes, err)))
        st = file_write(x->path, &(struct file_piece){file, x->bytes}, 1, err);
    free(file);
    arena_free(&own);
    return st;
}

/* One that cannot be a model of its own does not keep the others from being. One of an earlier run must not pass for it. */
static enum status extract_part(const struct extracting *e, uint32_t i, const struct partition *p, struct err *err)
{
    struct extracted_partition *x = &e->out->list[i];
    enum status st = path_of(e, i, &x->path, err);

    if (st || (st = write_part(e, p, x, err)) != ST_UNSUPPORTED)
        return st;
    if (unlink(x->path) && errno != ENOENT)
        return err_set(err, ST_IO, "%.200s: %s", x->path, strerror(errno));
    x->path = NULL;
    e->out->n_missing++;
    return (x->why = arena_strdup(&e->out->arena, err->msg)) ? ST_OK : no_memory(err);
}

static enum status remove_older(const struct extracting *e, uint32_t i, struct err *err)
{
    const char *path;
    enum status st;

    while (!(st = path_of(e, i++, &path, err)))
        if (unlink(path))
            return errno == ENOENT ? ST_OK : err_set(err, ST_IO, "%.200s: %s", path, strerror(errno));
    return st;
}

enum status coverage_extract_run(const struct coverage *c, const char *dir, const char *model, struct coverage_extract *out,
                                 struct err *err)
{
    const struct extracting e = {c->graphs[0], dir, model, out};
    enum status st = ST_OK;

    *out = (struct coverage_extract){.asked = true, .n = c->parts.n_parts};
    if (!(out->list = ARENA_ARRAY(&out->arena, out->n, struct extracted_partition)))
        return no_memory(err);
    for (uint32_t i = 0; i < out->n && !st; i++)
        st = extract_part(&e, i, &c->parts.parts[i], err);
    return st ? st : remove_older(&e, out->n, err);
}

void coverage_extract_free(struct coverage_extract *x)
{
    arena_free(&x->arena);
    *x = (struct coverage_extract){0};
}

void coverage_extract_results(struct result_section *to, const struct coverage_extract *x)
{
    const char *first = NULL;

    if (x->asked) {
        result_gap(to);
        result_line(to, RESULT_PLAIN, "Extracted: %u of %u partitions", x->n - x->n_missing, x->n);
    }
    for (uint32_t i = 0; i < x->n; i++)
        if (x->list[i].path)
            result_line(to, RESULT_PLAIN, "  %u: %.1023s (bytes=%zu)", i, x->list[i].path, x->list[i].bytes);
        else
            result_line(to, RESULT_PLAIN, "  %u: not extracted: %.1023s", i, x->list[i].why);
    for (uint32_t i = 0; i < x->n && !first; i++)
        first = x->list[i].path;
    if (first)
        result_line(to, RESULT_PLAIN | RESULT_WHOLE, "Run one of them: inference_diff '%.1023s' --delegate=gpu", first);
}

void coverage_extract_put(struct report *r, const struct coverage_extract *x)
{
    struct json *list;

    if (!json_given(r, report_root(r), "extracted", x->asked))
        return;
    list = json_array(r, report_root(r), "extracted");
    for (uint32_t i = 0; i < x->n; i++) {
        struct json *o = json_object(r, list, NULL);

        json_number(r, o, "partition", i);
        json_string(r, o, "path", x->list[i].path);
        json_number(r, o, "bytes", x->list[i].path ? (double)x->list[i].bytes : NAN);
        json_string(r, o, "reason", x->list[i].why);
    }
}
