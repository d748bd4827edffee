/* SPDX-License-Identifier: Apache-2.0 */
/* config.c - a file's members become flags, by the rules of the command line. */
#include "config.h"

#include <stdlib.h>
#include <string.h>

/* Of a report: to do again what it reports is not to write over it. */
static bool is_of_output(const struct cli *c, const char *name)
{
    static const char *const names[] = {"verbose", "help", "version", "config"};
    const struct cli_row *row = cli_find(c, name);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(names[i], name))
            return true;
    return row && flag_writes(row->flag);
}

/* Defaults may lie outside what can be given, and mean "not given". */
static bool is_default(const struct cli *c, const char *name, const char *value)
{
    const struct cli_row *row = cli_find(c, name);
    char now[CLI_VALUE_SIZE];
    bool yes;

    if (!row)
        return false;
    if (row->flag->type == FLAG_BOOL)
        return flag_read_bool(value, &yes) && !strcmp(cli_value(row, now), yes ? "1" : "0");
    if (row->flag->type == FLAG_INT || row->flag->type == FLAG_DOUBLE)
        return strtod(value, NULL) == strtod(row->flag->value, NULL);
    return !strcmp(value, row->flag->value);
}

static enum status take_all(struct config *config, struct cli *c, const struct json *members, bool of_report, const char *path,
                            struct err *err)
{
    enum status st;

    for (const struct json *m = read_within(members); m; m = read_next(m)) {
        const char *name = read_name(m), *value = read_flag_value(config->reader, m, &config->arena);

        if (!value)
            return reader_status(config->reader, err);
        /* The model that the command line names takes the place of the file's. */
        if ((!strcmp(name, "graph") && c->n_operands) || (of_report && (is_of_output(c, name) || is_default(c, name, value))))
            continue;
        if ((st = cli_take(c, name, value, err)))
            return err_prefix(err, st, "%s", path);
    }
    return ST_OK;
}

/* benchmark_model has two kinds. */
static bool is_report_of(const char *kind, const char *tool)
{
    return !strcmp(kind, tool) || (!strcmp(kind, "benchmark_sweep") && !strcmp(tool, "benchmark_model"));
}

enum status config_apply(struct config *config, struct cli *c, const char *path, struct err *err)
{
    const struct json *root, *parameters;
    const char *tool;
    enum status st;

    if ((st = reader_open(path, &config->reader, err)))
        return st;
    root = reader_root(config->reader);
    parameters = read_object_or_null(config->reader, root, "parameters");
    tool = read_string_or_null(config->reader, root, "tool");
    if (tool && !is_report_of(tool, c->tool))
        reader_refuse(config->reader, root, "tool", "is \"%.40s\": only a report of %s can be run again", tool, c->tool);
    if ((st = reader_status(config->reader, err)))
        return st;
    return take_all(config, c, parameters ? parameters : root, parameters != NULL, path, err);
}

void config_free(struct config *config)
{
    reader_close(config->reader);
    arena_free(&config->arena);
}
