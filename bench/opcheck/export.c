/* SPDX-License-Identifier: Apache-2.0 */
/* export.c - each case as a .tflite and a folder of raw inputs, as the tools take them. */
#include "bench/opcheck/export.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "lib/base/arena.h"

static enum status out_of_memory(const char *path, struct err *err)
{
    return err_set(err, ST_NOMEM, "%s: out of memory for a path", path);
}

static enum status make_dir(const char *path, struct err *err)
{
    if (mkdir(path, 0777) && errno != EEXIST)
        return err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    return ST_OK;
}

static enum status write_file(const char *path, const void *data, size_t bytes, struct err *err)
{
    FILE *f = fopen(path, "wb");
    bool ok = f && (!bytes || fwrite(data, 1, bytes, f) == bytes);

    if (f && fclose(f))
        ok = false;
    return ok ? ST_OK : err_set(err, ST_IO, "%s: %s", path, strerror(errno));
}

enum status export_open(const char *dir, FILE **manifest, struct err *err)
{
    struct arena a = {0};
    const char *path = arena_printf(&a, "%s/manifest.tsv", dir);
    enum status st = path ? make_dir(dir, err) : out_of_memory(dir, err);

    if (!st && !(*manifest = fopen(path, "w")))
        st = err_set(err, ST_IO, "%s: %s", path, strerror(errno));
    arena_free(&a);
    return st;
}

/* Writes base.tflite, and into the folder `base` the inputs. */
static enum status export_files(const char *base, const struct case_model *m, struct arena *a, struct err *err)
{
    const char *path = arena_printf(a, "%s.tflite", base);
    enum status st;

    if (!path)
        return out_of_memory(base, err);
    if ((st = write_file(path, m->file, m->file_bytes, err)) || (st = make_dir(base, err)))
        return st;
    for (uint32_t i = 0; i < m->n_inputs; i++) {
        if (!(path = arena_printf(a, "%s/input_%u.bin", base, i)))
            return out_of_memory(base, err);
        if (m->input[i] && (st = write_file(path, m->input[i], m->input_bytes[i], err)))
            return st;
    }
    return ST_OK;
}

enum status export_case(const char *dir, FILE *manifest, const struct case_ref *ref, uint64_t seed, struct err *err)
{
    const struct op_case *c = ref->c;
    struct arena a = {0};
    const char *base = arena_printf(&a, "%s/%s__%u", dir, ref->kernel, ref->n);
    struct case_model m;
    enum status st = case_model_init(&m, ref, seed, err);

    if (st && (c->fails || ref->is_variant)) {
        st = ST_OK;
        goto done;
    }
    if (!st && !(st = base ? export_files(base, &m, &a, err) : out_of_memory(dir, err)))
        fprintf(manifest, "%s\t%u\t%u\t%s\t%s\t%s\n", ref->kernel, ref->n, c->runs ? c->runs : 1,
                c->fails                   ? "fails"
                : c->no_golden || c->large ? "none"
                : ref->is_variant          ? "variant"
                                           : "golden",
                ref->op->name, c->name);

done:
    case_model_fini(&m);
    arena_free(&a);
    return st;
}
