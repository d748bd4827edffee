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

/* What an operand may stand for. */
static bool is_model(const char *name)
{
    return !strcmp(name, "graph") || !strcmp(name, "model_file");
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
        if ((is_model(name) && c->n_operands) || (of_report && (is_of_output(c, name) || is_default(c, name, value))))
            continue;
        if ((st = cli_take(c, name, value, err)))
            return err_prefix(err, st, "%s", path);
    }
    return ST_OK;
}

/* The line of a value that is the flag's k-th; NULL where it has fewer. */
static const char *line_of(struct config *config, const char *value, uint32_t k)
{
    for (; k; k--, value++)
        if (!(value = strchr(value, '\n')))
            return NULL;
    return arena_printf(&config->arena, "%.*s", (int)strcspn(value, "\n"), value);
}

/* How often that name stands before `end`. */
static uint32_t count_before(struct reader *r, const struct json *given, const struct json *end, const char *name)
{
    uint32_t n = 0;

    for (; given != end; given = read_next(given))
        n += !strcmp(read_as_text(r, given), name);
    return n;
}

/* Of a report, in the order in which they stood, those that repeat as often. */
static enum status take_given(struct config *config, struct cli *c, const struct json *given, const struct json *parameters,
                              const char *path, struct err *err)
{
    struct reader *r = config->reader;
    enum status st;

    for (const struct json *g = given; g; g = read_next(g)) {
        const char *name = read_as_text(r, g), *value;
        const struct json *m = read_within(parameters);
        const struct cli_row *row = name ? cli_find(c, name) : NULL;

        while (name && m && strcmp(read_name(m), name) != 0)
            m = read_next(m);
        value = !m ? NULL : read_flag_value(r, m, &config->arena);
        if (value && row && row->flag->repeats)
            value = line_of(config, value, count_before(r, given, g, name));
        if (!value)
            reader_refuse(r, NULL, "flags_given", "has \"%.60s\", which \"parameters\" has not, or fewer of it", name ? name : "");
        if ((st = reader_status(r, err)))
            return st;
        if (!is_of_output(c, name) && !(is_model(name) && c->n_operands) && (st = cli_take(c, name, value, err)))
            return err_prefix(err, st, "%s", path);
    }
    return ST_OK;
}

/* The model that an operand named. */
static enum status take_model(struct config *config, struct cli *c, const struct json *parameters, const char *path,
                              struct err *err)
{
    for (const struct json *m = read_within(parameters); m && !c->n_operands; m = read_next(m)) {
        const char *value = is_model(read_name(m)) ? read_flag_value(config->reader, m, &config->arena) : NULL;
        enum status st = value && *value ? cli_take(c, read_name(m), value, err) : ST_OK;

        if (st)
            return err_prefix(err, st, "%s", path);
    }
    return reader_status(config->reader, err);
}

/* benchmark_model has two kinds. */
static bool is_report_of(const char *kind, const char *tool)
{
    return !strcmp(kind, tool) || (!strcmp(kind, "benchmark_sweep") && !strcmp(tool, "benchmark_model"));
}

enum status config_apply(struct config *config, struct cli *c, const char *path, struct err *err)
{
    const struct json *root, *parameters, *given;
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
    given = parameters ? read_first_or_null(config->reader, root, "flags_given") : NULL;
    if ((st = reader_status(config->reader, err)))
        return st;
    if (!given)
        return take_all(config, c, parameters ? parameters : root, parameters != NULL, path, err);
    return (st = take_given(config, c, given, parameters, path, err)) ? st : take_model(config, c, parameters, path, err);
}

void config_free(struct config *config)
{
    reader_close(config->reader);
    arena_free(&config->arena);
}
