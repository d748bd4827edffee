/* SPDX-License-Identifier: Apache-2.0 */
/* diff_node_data.c - errors by node for Model Explorer: a file for each kind of error, as the viewer takes them. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "inference_diff.h"
#include "node_data.h"

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

enum status diff_node_data_check(const struct comparison *c, struct err *err)
{
    if (!*c->flags.node_data || c->flags.per_op)
        return ST_OK;
    return err_set(err, ST_USAGE, "--node_data_dir needs --per_op, which looks at nodes");
}

static enum status write_kind(const struct comparison *c, const struct kind *k, const char *path, struct err *err)
{
    const struct node_values v = {k->of_two_models ? c->second.names.n : c->test.ops.n, k->get, c, false};
    struct report *r;
    enum status st;

    /* One of an earlier run must not pass for this one's. */
    if (!node_data_any(&v))
        return !unlink(path) || errno == ENOENT ? ST_OK : err_set(err, ST_FAILED, "%.200s: %s", path, strerror(errno));
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

        if (snprintf(path, sizeof path, "%s/%s", c->flags.node_data, kinds[i].file) >= (int)sizeof path)
            return err_set(err, ST_IO, "%.100s…: path is too long", c->flags.node_data);
        st = write_kind(c, &kinds[i], path, err);
    }
    return st;
}
