/* SPDX-License-Identifier: Apache-2.0 */
/* compare_read.c - what a comparison needs of a report of benchmark_model. */
#include "cmd/compare/compare.h"

#include <stdlib.h>
#include <string.h>

#include "cmd/print/report.h"

/* No model of today has a tenth of that; each costs a millisecond. */
enum { MAX_OPS = 20000, MAX_SETTINGS = 1000 };

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

/* Values in an object or a list, at most `most`; more of them are a failure. */
static size_t count(struct reader *r, const struct json *in, const char *key, size_t most)
{
    size_t n = 0;

    for (const struct json *v = read_first(r, in, key); v; v = read_next(v))
        n++;
    if (n <= most)
        return n;
    reader_refuse(r, in, key, "has %zu members, at most %zu are read", n, most);
    return 0;
}

static void read_environment(struct compare_report *out, const struct json *root)
{
    const struct json *env = read_object(out->reader, root, "environment");
    const struct json *delegate = read_object_or_null(out->reader, env, "delegate");

    out->time = or_empty(read_string(out->reader, env, "time"));
    out->cpu = or_empty(read_string(out->reader, env, "cpu"));
    out->governor = or_empty(read_string_or_null(out->reader, env, "governor"));
    out->kernel = or_empty(read_string(out->reader, env, "kernel"));
    out->delegate = delegate ? or_empty(read_string(out->reader, delegate, "name")) : "none";
    out->device = or_empty(read_string(out->reader, delegate, "device"));
}

static void read_model(struct compare_report *out, const struct json *root)
{
    const struct json *model = read_object(out->reader, root, "model");

    out->model = or_empty(read_string(out->reader, model, "path"));
    out->sha256 = or_empty(read_string(out->reader, model, "sha256"));
    out->weights_sha256 = or_empty(read_string_or_null(out->reader, model, "weights_sha256"));
    if (strlen(out->sha256) != 64)
        reader_refuse(out->reader, model, "sha256", "has %zu characters, not 64", strlen(out->sha256));
}

static void add_doubt(struct compare_report *out, const char *text)
{
    if (text && out->n_doubts < COMPARE_MAX_DOUBTS)
        out->doubts[out->n_doubts++] = text;
}

/* What benchmark_model said of its own figures. A report of a build that did not say so has no such members. */
static void read_doubts(struct compare_report *out, const struct json *root)
{
    struct reader *r = out->reader;
    const struct json *measurement = read_object_or_null(r, root, "measurement");
    const struct json *machine = read_object_or_null(r, measurement, "machine");
    const struct json *left_out = read_object_or_null(r, measurement, "left_out");

    if (measurement && read_bool(r, measurement, "scattered"))
        add_doubt(out, "run times scatter by more than a tenth of their mean");
    if (measurement && read_bool(r, measurement, "drifted"))
        add_doubt(out, "run times drift");
    if (left_out && read_number(r, left_out, "count") > 0)
        add_doubt(out, "runs were left out, during which the machine slowed down");
    if (read_list_or_null(r, machine, "advice"))
        for (const struct json *v = read_first(r, machine, "advice"); v; v = read_next(v))
            add_doubt(out, read_as_text(r, v));
}

static enum status read_settings(struct compare_report *out, const struct json *root, struct err *err)
{
    struct reader *r = out->reader;
    size_t n = count(r, root, "parameters", MAX_SETTINGS);

    if (!(out->settings = arena_alloc(&out->arena, n, sizeof *out->settings)))
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu parameters", out->path, n);
    for (const struct json *m = n ? read_first(r, root, "parameters") : NULL; m; m = read_next(m))
        out->settings[out->n_settings++] = (struct compare_setting){read_name(m), or_empty(read_flag_value(r, m, &out->arena))};
    return ST_OK;
}

static enum status read_ops(struct compare_report *out, const struct json *root, struct err *err)
{
    struct reader *r = out->reader;
    const struct json *profile = read_object_or_null(r, root, "profile");
    size_t n = profile ? count(r, profile, "rows", MAX_OPS) : 0;

    if (!(out->ops = arena_alloc(&out->arena, n, sizeof *out->ops)))
        return err_set(err, ST_NOMEM, "%s: out of memory for %zu operators", out->path, n);
    for (const struct json *v = n ? read_first(r, profile, "rows") : NULL; v; v = read_next(v)) {
        const struct json *row = read_as_object(r, v);
        struct compare_op *op = &out->ops[out->n_ops++];

        op->type = or_empty(read_string(r, row, "type"));
        op->name = or_empty(read_string(r, row, "name"));
        op->us = read_times(r, row, "samples_us", &out->arena, &op->n);
    }
    return ST_OK;
}

/* Reports of another layout would be misread, those of another tool have other members. */
static void check_kind(struct reader *r, const struct json *root)
{
    const char *tool = read_string(r, root, "tool");
    double version = read_number(r, root, "schema_version");

    if (tool && strcmp(tool, "benchmark_model") != 0)
        reader_refuse(r, root, "tool", "is \"%.40s\": reports of benchmark_model are compared", tool);
    if (version != REPORT_SCHEMA_VERSION)
        reader_refuse(r, root, "schema_version", "is %g, this build reads %d", version, REPORT_SCHEMA_VERSION);
}

enum status compare_read(const char *path, struct compare_report *out, struct err *err)
{
    const struct json *root;
    enum status st;

    *out = (struct compare_report){.path = strdup(path)};
    if (!out->path)
        return err_set(err, ST_NOMEM, "%s: out of memory", path);
    if ((st = reader_open(path, &out->reader, err)))
        return st;
    root = reader_root(out->reader);
    check_kind(out->reader, root);
    out->tool_version = or_empty(read_string(out->reader, root, "tool_version"));
    out->interrupted = read_bool(out->reader, root, "interrupted");
    read_environment(out, root);
    read_model(out, root);
    read_doubts(out, root);
    out->us = read_times(out->reader, read_object(out->reader, read_object(out->reader, root, "times_us"), "inference"), "samples",
                         &out->arena, &out->n);
    if ((st = read_settings(out, root, err)) || (st = read_ops(out, root, err)) || (st = reader_status(out->reader, err)))
        return st;
    return out->n ? ST_OK : err_set(err, ST_USAGE, "%s: no timed run was made, so there is nothing to compare", path);
}

void compare_report_free(struct compare_report *r)
{
    free(r->path);
    reader_close(r->reader);
    arena_free(&r->arena);
}
