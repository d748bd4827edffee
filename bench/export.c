/* SPDX-License-Identifier: Apache-2.0 */
/* export.c - cases as files. */
#include "export.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

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
    char path[1024];
    enum status st = make_dir(dir, err);

    if (st)
        return st;
    snprintf(path, sizeof path, "%s/manifest.tsv", dir);
    *manifest = fopen(path, "w");
    return *manifest ? ST_OK : err_set(err, ST_IO, "%s: %s", path, strerror(errno));
}

static enum status export_files(const char *base, const struct case_model *m, struct err *err)
{
    char path[1024];
    enum status st;

    snprintf(path, sizeof path, "%s.tflite", base);
    if ((st = write_file(path, m->file, m->file_bytes, err)) || (st = make_dir(base, err)))
        return st;
    for (uint32_t i = 0; i < m->n_inputs; i++) {
        snprintf(path, sizeof path, "%s/input_%u.bin", base, i);
        if (m->input[i] && (st = write_file(path, m->input[i], m->input_bytes[i], err)))
            return st;
    }
    return ST_OK;
}

enum status export_case(const char *dir, FILE *manifest, const struct case_ref *ref, uint64_t seed, struct err *err)
{
    const struct op_case *c = ref->c;
    char base[900];
    struct case_model m;
    enum status st = case_model_init(&m, ref, seed, err);

    if (st) {
        case_model_fini(&m);
        return c->fails || ref->is_variant ? ST_OK : st;
    }
    snprintf(base, sizeof base, "%s/%s__%u", dir, ref->kernel, ref->n);
    st = export_files(base, &m, err);
    case_model_fini(&m);
    if (!st)
        fprintf(manifest, "%s\t%u\t%u\t%s\t%s\t%s\n", ref->kernel, ref->n, c->runs ? c->runs : 1,
                c->fails                   ? "fails"
                : c->no_golden || c->large ? "none"
                : ref->is_variant          ? "variant"
                                           : "golden",
                ref->op->name, c->name);
    return st;
}
