/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_outputs.c - which files were asked for, and whether they go together. */
#include "cmd/coverage/coverage_outputs.h"

#include <string.h>

#include "cmd/host/files.h"

static enum status check_node_data(const struct coverage_run *r, struct err *err)
{
    static const char *const files[] = COVERAGE_NODE_DATA_FILES;
    const char *const others[] = {r->tool.json, r->flags.html, r->flags.dot, r->flags.markdown};

    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
            char path[4096];

            if (snprintf(path, sizeof path, "%s/%s", r->flags.node_data, files[i]) >= (int)sizeof path)
                return err_set(err, ST_USAGE, "--node_data_dir: %.100s…: path is too long", r->flags.node_data);
            if (*others[k] && file_is_same(path, others[k]))
                return err_set(err, ST_USAGE, "--node_data_dir writes %.200s, which is an output of its own", path);
        }
    return ST_OK;
}

/* Whether the file is one of those that --extract_partitions writes, or takes away where an earlier run left it. */
static bool is_partition(const char *dir, const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    char path[4096];
    unsigned number;
    int end = 0;

    return sscanf(name, "partition_%u.tflite%n", &number, &end) == 1 && end && !name[end] &&
           snprintf(path, sizeof path, "%s/%s", dir, name) < (int)sizeof path && file_is_same(path, file);
}

static enum status check_extract(const struct coverage_run *r, struct err *err)
{
    const char *const others[] = {r->tool.json, r->flags.html, r->flags.dot, r->flags.markdown, r->flags.fix, r->flags.times};

    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (*others[k] && is_partition(r->flags.extract, others[k]))
            return err_set(err, ST_USAGE, "--extract_partitions: %.200s is among its files, and has another use", others[k]);
    return ST_OK;
}

enum status coverage_check_outputs(const struct coverage_run *r, struct err *err)
{
    if (!strcmp(r->tool.json, "-") && !strcmp(r->flags.markdown, "-"))
        return err_set(err, ST_USAGE, "--json=- and --markdown=-: one of them alone can go to standard output");
    if (*r->flags.extract && check_extract(r, err))
        return ST_USAGE;
    return *r->flags.node_data ? check_node_data(r, err) : ST_OK;
}

enum status coverage_write_outputs(struct coverage_run *r, struct err *err)
{
    const struct {
        const char *asked;
        enum status (*write)(const struct coverage_run *r, struct err *err);
    } outputs[] = {
        {r->tool.json, coverage_write_json},
        {r->flags.html, coverage_write_html},
        {r->flags.dot, coverage_write_dot},
        {r->flags.markdown, coverage_write_markdown},
        {r->flags.node_data, coverage_write_node_data},
    };
    enum status st = coverage_results_finish(r, err);

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs && !st; i++)
        if (*outputs[i].asked)
            st = outputs[i].write(r, err);
    return st;
}
