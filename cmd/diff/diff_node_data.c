/* SPDX-License-Identifier: Apache-2.0 */
/* diff_node_data.c - errors by node for Model Explorer: a file for each kind of error, as the viewer takes them. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/files.h"
#include "cmd/print/node_data.h"

enum kind { OWN_ERROR, TIMES_ROUNDING, DRIFT, ADDS_TO_OUTPUTS, TWIN_ERROR, N_KINDS };

/* Named as the members of the JSON report are. */
static const char *const files[N_KINDS] = {"own_error.json", "times_rounding.json", "drift.json", "adds_to_outputs.json",
                                           "twin_error.json"};

struct source {
    const struct comparison *c;
    enum kind kind;
};

static bool value_at(const void *arg, size_t i, struct node_value *out)
{
    const struct source *from = arg;
    const struct comparison *c = from->c;
    const struct op_diff *o = from->kind == TWIN_ERROR ? NULL : &c->test.ops.ops[i];
    const struct name_diff *twin = o ? NULL : &c->names.rows[i];

    *out = (struct node_value){.name = (o ? o->test : twin->test)->name};
    switch (from->kind) {
    case OWN_ERROR: out->value = diff_relative(&o->alone); return o->ran_alone;
    case TIMES_ROUNDING: out->value = o->rounding; return o->ran_alone;
    case DRIFT: out->value = diff_relative(&o->diff); return o->visible;
    case ADDS_TO_OUTPUTS: out->value = o->adds; return o->ranked;
    default: out->value = diff_relative(&twin->diff); return twin->diff.comparisons > 0;
    }
}

/* char path[PATH_MAX] */
static enum status path_of(const struct comparison *c, enum kind kind, char *path, struct err *err)
{
    if (snprintf(path, PATH_MAX, "%s/%s", c->flags.node_data, files[kind]) < PATH_MAX)
        return ST_OK;
    return err_set(err, ST_IO, "%.100s…: path is too long", c->flags.node_data);
}

enum status diff_node_data_check(const struct comparison *c, struct err *err)
{
    enum status st = ST_OK;

    if (!*c->flags.node_data)
        return ST_OK;
    if (!c->flags.per_op)
        return err_set(err, ST_USAGE, "--node_data_dir needs --per_op, which looks at nodes");
    for (enum kind kind = 0; kind < N_KINDS && !st; kind++) {
        char path[PATH_MAX];

        if ((st = path_of(c, kind, path, err)))
            return st;
        if (file_is_same(path, c->tool.json) || file_is_same(path, c->flags.html))
            st = err_set(err, ST_USAGE, "--node_data_dir writes %.200s, which is an output of its own", path);
    }
    return st;
}

static enum status write_kind(const struct comparison *c, enum kind kind, const char *path, struct err *err)
{
    const struct source from = {c, kind};
    const struct node_values v = {kind == TWIN_ERROR ? c->names.n : c->test.ops.n, value_at, &from, false};
    struct report *r;
    enum status st;

    /* One of an earlier run must not pass for this one's. */
    if (!node_data_any(&v))
        return !unlink(path) || errno == ENOENT ? ST_OK : err_set(err, ST_IO, "%.200s: %s", path, strerror(errno));
    r = report_new();
    node_data_put(r, &v);
    st = report_write(r, path, err);
    report_free(r);
    return st;
}

enum status diff_node_data_write(const struct comparison *c, struct err *err)
{
    enum status st = ST_OK;

    for (enum kind kind = 0; kind < N_KINDS && !st; kind++) {
        char path[PATH_MAX];

        if (!(st = path_of(c, kind, path, err)))
            st = write_kind(c, kind, path, err);
    }
    return st;
}
