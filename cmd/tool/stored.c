/* SPDX-License-Identifier: Apache-2.0 */
/* stored.c - a folder of arrays and its manifest. */
#include "cmd/tool/stored.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/host/files.h"
#include "cmd/input/input_files.h"
#include "cmd/print/report_read.h"
#include "cmd/tool/report_parts.h"
#include "lib/tensor/npy.h"

#define FORMAT "delegauge tensors"

static const char *const kinds[] = {[STORED_INPUTS] = "inputs", [STORED_OUTPUTS] = "outputs"};

/* An array beyond its tensor's bytes is told by its shape, not by its size. */
#define NPY_FILE_SLACK ((size_t)1 << 28)

static enum status check_length(int length, const char *dir, struct err *err)
{
    return length < PATH_MAX ? ST_OK : err_set(err, ST_IO, "%.100s…: path is too long", dir);
}

static enum status manifest_path(const char *dir, char path[PATH_MAX], struct err *err)
{
    return check_length(snprintf(path, PATH_MAX, "%s/manifest.json", dir), dir, err);
}

static enum status tensor_path(const char *dir, enum stored_kind kind, uint32_t run, uint32_t i, char path[PATH_MAX],
                               struct err *err)
{
    const char *name = kind == STORED_INPUTS ? "input" : "output";

    return check_length(snprintf(path, PATH_MAX, "%s/run_%u/%s_%u.npy", dir, run, name, i), dir, err);
}

static uint32_t n_tensors(const struct session *s, enum stored_kind kind)
{
    return kind == STORED_INPUTS ? session_n_inputs(s) : session_n_outputs(s);
}

static struct tensor *tensor_at(const struct session *s, enum stored_kind kind, uint32_t i)
{
    const struct graph *g = session_graph(s);

    return kind == STORED_INPUTS ? g->inputs[i] : g->outputs[i];
}

static void put_head(struct stored_writer *w, const struct tool *t, const char *what)
{
    struct report *r = w->manifest;
    char hash[SHA256_HEX_SIZE];
    struct json *root = report_root(r), *model;

    json_string(r, root, "format", FORMAT);
    json_number(r, root, "format_version", 1);
    JSON_STRINGS(r, root, {"tool", t->cli.tool}, {"tool_version", DG_VERSION_STRING}, {"kind", kinds[w->kind]}, {"what", what});
    model = json_object(r, root, "model");
    json_number(r, model, "bytes", (double)t->model->file_bytes);
    json_string(r, model, "sha256", sha256_hex(t->model->file, t->model->file_bytes, hash));
    w->runs = json_array(r, root, "runs");
}

enum status stored_begin(struct stored_writer *w, enum stored_kind kind, const char *dir, const struct tool *t, const char *what,
                         struct err *err)
{
    char path[PATH_MAX];
    enum status st;

    *w = (struct stored_writer){.dir = dir, .kind = kind};
    if ((st = file_make_dir(dir, err)) || (st = manifest_path(dir, path, err)))
        return st;
    if (unlink(path) && errno != ENOENT)
        return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    if (!(w->manifest = report_new()))
        return err_set(err, ST_NOMEM, "%s: out of memory", path);
    put_head(w, t, what);
    return ST_OK;
}

/* Of all inputs, or of all outputs. */
static const char *hash_of(const struct session *s, enum stored_kind kind, char out[SHA256_HEX_SIZE])
{
    char both[2][SHA256_HEX_SIZE] = {{0}};

    for (uint32_t i = 0; i < n_tensors(s, kind); i++) {
        const struct tensor *t = tensor_at(s, kind, i);

        if (!t)
            continue;
        sha256_hex(t->data, t->bytes, both[1]);
        sha256_hex(both, sizeof both, out);
        memcpy(both[0], out, SHA256_HEX_SIZE);
    }
    memcpy(out, both[0], SHA256_HEX_SIZE);
    return out;
}

const char *stored_hash(const struct session *s, char out[SHA256_HEX_SIZE])
{
    return hash_of(s, STORED_INPUTS, out);
}

enum status stored_add(struct stored_writer *w, const struct session *s, const char *inputs, struct err *err)
{
    struct json *run = json_object(w->manifest, w->runs, NULL), *list;
    char path[PATH_MAX], hash[SHA256_HEX_SIZE];
    enum status st = check_length(snprintf(path, sizeof path, "%s/run_%u", w->dir, w->n_runs), w->dir, err);

    if (st || (st = file_make_dir(path, err)))
        return st;
    JSON_STRINGS(w->manifest, run, {"inputs_sha256", inputs}, {"sha256", hash_of(s, w->kind, hash)});
    list = json_array(w->manifest, run, "tensors");
    for (uint32_t i = 0; i < n_tensors(s, w->kind) && !st; i++) {
        const struct tensor *t = tensor_at(s, w->kind, i);

        if (!t)
            continue;
        report_tensor(w->manifest, list, NULL, t);
        if (!(st = tensor_path(w->dir, w->kind, w->n_runs, i, path, err)))
            st = npy_write(path, t, err);
    }
    w->n_runs += !st;
    w->n_tensors = n_tensors(s, w->kind);
    return st;
}

/* What an older and longer set left: the folders behind the last, up to the first that is missing. Other files are let be. */
static enum status drop_older_runs(const struct stored_writer *w, struct err *err)
{
    char path[PATH_MAX];
    struct stat info;
    enum status st;

    for (uint32_t run = w->n_runs;; run++) {
        for (uint32_t i = 0; i < w->n_tensors; i++) {
            if ((st = tensor_path(w->dir, w->kind, run, i, path, err)))
                return st;
            if (unlink(path) && errno != ENOENT && errno != ENOTDIR)
                return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
        }
        if ((st = check_length(snprintf(path, sizeof path, "%s/run_%u", w->dir, run), w->dir, err)))
            return st;
        if (lstat(path, &info) || !S_ISDIR(info.st_mode))
            return ST_OK;
        if (rmdir(path) && errno != ENOTEMPTY && errno != EEXIST)
            return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    }
}

enum status stored_end(struct stored_writer *w, struct err *err)
{
    char path[PATH_MAX];
    enum status st = drop_older_runs(w, err);

    if (!st && !(st = manifest_path(w->dir, path, err)))
        st = report_write(w->manifest, path, err);
    stored_drop(w);
    return st;
}

void stored_drop(struct stored_writer *w)
{
    report_free(w->manifest);
    *w = (struct stored_writer){0};
}

static void check_head(struct reader *doc, enum stored_kind kind, const struct model *m)
{
    const struct json *root = reader_root(doc), *model = read_object(doc, root, "model");
    const char *format = read_string(doc, root, "format"), *found = read_string(doc, root, "kind");
    const char *hash = read_string(doc, model, "sha256");
    char own[SHA256_HEX_SIZE];

    if (!hash || !found || !format)
        return;
    if (strcmp(format, FORMAT) != 0 || read_number(doc, root, "format_version") != 1)
        reader_refuse(doc, root, "format", "is not '" FORMAT "' of version 1");
    else if (strcmp(found, kinds[kind]) != 0)
        reader_refuse(doc, root, "kind", "is '%.40s', not '%s'", found, kinds[kind]);
    else if (strcmp(hash, sha256_hex(m->file, m->file_bytes, own)) != 0)
        reader_refuse(doc, model, "sha256", "is %.12s…, that of this model %.12s…: they are of another model", hash, own);
}

static uint32_t count_runs(struct reader *doc)
{
    uint32_t n = 0;

    for (const struct json *run = read_first(doc, reader_root(doc), "runs"); run; run = read_next(run))
        n++;
    return n;
}

static enum status read_manifest(struct stored_reader *r, struct reader *doc, const struct model *m, struct err *err)
{
    const struct json *root = reader_root(doc);
    const char *what = read_string_or_null(doc, root, "what");
    uint32_t n, i = 0;
    enum status st;

    check_head(doc, r->kind, m);
    if ((n = count_runs(doc)) > STORED_MAX_RUNS)
        reader_refuse(doc, root, "runs", "has %u runs; at most %d are read", n, STORED_MAX_RUNS);
    if ((st = reader_status(doc, err)))
        return st;
    r->what = arena_strdup(&r->arena, what ? what : "");
    r->inputs = arena_alloc(&r->arena, n, sizeof *r->inputs);
    r->content = arena_alloc(&r->arena, n, sizeof *r->content);
    if (!r->what || !r->inputs || !r->content)
        return err_set(err, ST_NOMEM, "%s: out of memory for %u runs", r->dir, n);
    for (const struct json *run = read_first(doc, root, "runs"); run && i < n; run = read_next(run), i++) {
        const char *inputs = read_string(doc, read_as_object(doc, run), "inputs_sha256");
        const char *content = read_string(doc, read_as_object(doc, run), "sha256");

        snprintf(r->inputs[i], sizeof r->inputs[i], "%s", inputs ? inputs : "");
        snprintf(r->content[i], sizeof r->content[i], "%s", content ? content : "");
    }
    r->n_runs = n;
    if (!n)
        reader_refuse(doc, root, "runs", "is empty");
    return reader_status(doc, err);
}

enum status stored_open(struct stored_reader *r, enum stored_kind kind, const char *dir, const struct model *m, struct err *err)
{
    struct reader *doc = NULL;
    char path[PATH_MAX];
    enum status st;

    *r = (struct stored_reader){.dir = dir, .kind = kind};
    if (!(st = manifest_path(dir, path, err)) && !(st = reader_open(path, &doc, err)))
        st = read_manifest(r, doc, m, err);
    reader_close(doc);
    return st;
}

void stored_close(struct stored_reader *r)
{
    arena_free(&r->arena);
    *r = (struct stored_reader){0};
}

static enum status load_output(const char *path, const struct npy *a, struct tensor *t, struct err *err)
{
    enum status st;

    if (t->type == TYPE_STRING)
        return err_set(err, ST_UNSUPPORTED, "%s: outputs of type STRING are not read", path);
    if (t->is_dynamic && ((st = tensor_set_shape(t, a->dim, a->rank, err)) || (st = tensor_reserve(t, err))))
        return st;
    return npy_to_tensor(a, path, t, err);
}

enum status stored_load(const struct stored_reader *r, uint32_t run, struct session *s, struct err *err)
{
    const struct image_options none = {0};
    enum status st = ST_OK;
    struct input_read read;
    char path[PATH_MAX], hash[SHA256_HEX_SIZE];

    for (uint32_t i = 0; i < n_tensors(s, r->kind) && !st; i++) {
        struct tensor *t = tensor_at(s, r->kind, i);
        struct npy a;
        size_t bytes;
        void *file;

        if ((st = tensor_path(r->dir, r->kind, run, i, path, err)) || !t || (r->kind == STORED_OUTPUTS && t->is_const))
            continue;
        if (r->kind == STORED_INPUTS) {
            st = input_file_fill(s, i, path, 0, &none, &read, err);
        } else if (!(st = file_read_all(path, 2 * t->bytes + NPY_FILE_SLACK, &file, &bytes, err))) {
            if (!(st = npy_parse(file, bytes, path, &a, err)))
                st = load_output(path, &a, t, err);
            free(file);
        }
    }
    if (!st && r->kind == STORED_OUTPUTS && strcmp(r->content[run], hash_of(s, r->kind, hash)) != 0)
        return err_set(err, ST_USAGE,
                       "%s: the outputs of run %u are not what was stored (%.12s…, these are %.12s…): another run has "
                       "written there, or somebody changed them",
                       r->dir, run, r->content[run], hash);
    return st;
}
