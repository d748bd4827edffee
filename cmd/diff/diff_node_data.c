/* SPDX-License-Identifier: Apache-2.0 */
/* diff_node_data.c - errors by node for Model Explorer: a file for each kind of error, as the viewer takes them. */
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "cmd/diff/inference_diff.h"
#include "cmd/host/files.h"
#include "cmd/print/node_data.h"

static bool own_error(const void *arg, size_t i, struct node_value *out)
{
    const struct op_diff *o = &((const struct comparison *)arg)->test.ops.ops[i];

    *out = (struct node_value){o->test->name, diff_relative(&o->alone)};
    return o->ran_alone;
}

static bool drift(const void *arg, size_t i, struct node_value *out)
{
    const struct op_diff *o = &((const struct comparison *)arg)->test.ops.ops[i];

    *out = (struct node_value){o->test->name, diff_relative(&o->diff)};
    return o->visible;
}

static bool times_rounding(const void *arg, size_t i, struct node_value *out)
{
    const struct op_diff *o = &((const struct comparison *)arg)->test.ops.ops[i];

    *out = (struct node_value){o->test->name, o->rounding};
    return o->ran_alone;
}

static bool adds_to_outputs(const void *arg, size_t i, struct node_value *out)
{
    const struct op_diff *o = &((const struct comparison *)arg)->test.ops.ops[i];

    *out = (struct node_value){o->test->name, o->adds};
    return o->ranked;
}

static bool twin_error(const void *arg, size_t i, struct node_value *out)
{
    const struct name_diff *row = &((const struct comparison *)arg)->second.names.rows[i];

    *out = (struct node_value){row->test->name, diff_relative(&row->diff)};
    return true;
}

/* Named as the members of the JSON report are. */
static const struct kind {
    const char *file;
    bool (*get)(const void *arg, size_t i, struct node_value *out);
    bool of_two_models;
} kinds[] = {
    {"own_error.json", own_error, false},  {"times_rounding.json", times_rounding, false},
    {"drift.json", drift, false},          {"adds_to_outputs.json", adds_to_outputs, false},
    {"twin_error.json", twin_error, true},
};

/* char path[PATH_MAX] */
static enum status path_of(const struct comparison *c, const struct kind *k, char *path, struct err *err)
{
    if (snprintf(path, PATH_MAX, "%s/%s", c->flags.node_data, k->file) < PATH_MAX)
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
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !st; i++) {
        char path[PATH_MAX];

        if ((st = path_of(c, &kinds[i], path, err)))
            return st;
        if (file_is_same(path, c->tool.json) || file_is_same(path, c->flags.html))
            st = err_set(err, ST_USAGE, "--node_data_dir writes %.200s, which is an output of its own", path);
    }
    return st;
}

static enum status write_kind(const struct comparison *c, const struct kind *k, const char *path, struct err *err)
{
    const struct node_values v = {k->of_two_models ? c->second.names.n : c->test.ops.n, k->get, c, false};
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

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && !st; i++) {
        char path[PATH_MAX];

        if (!(st = path_of(c, &kinds[i], path, err)))
            st = write_kind(c, &kinds[i], path, err);
    }
    return st;
}
