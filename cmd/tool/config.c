/* SPDX-License-Identifier: Apache-2.0 */
/* config.c - a file's members become flags, by the rules of the command line. */
#include "cmd/tool/config.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/sha256.h"
#include "lib/model/weights.h"

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

/* Whether the command line names one, by whatever name: it takes the place of the file's. */
static bool names_model(const struct cli *c)
{
    for (uint32_t i = 0; i < c->n_rows; i++)
        if (is_model(c->rows[i].flag->name) && c->rows[i].given)
            return true;
    return c->n_operands;
}

/* How often that name stands among the flags that were given, before `end`. */
static uint32_t count_before(struct reader *r, const struct json *given, const struct json *end, const char *name)
{
    uint32_t n = 0;

    for (const char *text; given != end; given = read_next(given))
        n += (text = read_as_text(r, given)) && !strcmp(text, name);
    return n;
}

/* The line of a value that is the flag's k-th; NULL where it has fewer. */
static const char *line_of(struct config *config, const char *value, uint32_t k)
{
    for (; k; k--, value++)
        if (!(value = strchr(value, '\n')))
            return NULL;
    return arena_printf(&config->arena, "%.*s", (int)strcspn(value, "\n"), value);
}

/* Of a flag that repeats, each line of its value. */
static enum status take_lines(struct config *config, struct cli *c, const char *name, const char *value, struct err *err)
{
    const struct cli_row *row = cli_find(c, name);
    const char *line = value;
    enum status st = ST_OK;

    if (!row || !row->flag->repeats)
        return cli_take(c, name, value, err);
    for (uint32_t k = 0; !st && (line = line_of(config, value, k)); k++)
        st = cli_take(c, name, line, err);
    return st;
}

/* What is left to take: of a report, flags that are not among those given and yet have another value than their default. */
static enum status take_all(struct config *config, struct cli *c, const struct json *members, const struct json *given,
                            bool no_model, struct err *err)
{
    const bool of_report = members != reader_root(config->reader);
    enum status st;

    for (const struct json *m = read_within(members); m; m = read_next(m)) {
        const char *name = read_name(m), *value = read_flag_value(config->reader, m, &config->arena);

        if (!value)
            return reader_status(config->reader, err);
        if ((is_model(name) && no_model) || count_before(config->reader, given, NULL, name) ||
            (of_report && (is_of_output(c, name) || is_default(c, name, value))))
            continue;
        if ((st = take_lines(config, c, name, value, err)))
            return st;
    }
    return ST_OK;
}

static const struct json *find_member(const struct json *members, const char *name)
{
    const struct json *m = read_within(members);

    while (m && strcmp(read_name(m), name) != 0)
        m = read_next(m);
    return m;
}

/* The value of a flag that was given: of one that repeats the line that is its own. NULL, and a failure remembered, without one. */
static const char *given_value(struct config *config, const struct cli *c, const struct json *g, const struct json *given,
                               const struct json *parameters)
{
    struct reader *r = config->reader;
    const char *name = read_as_text(r, g), *value;
    const struct json *m = name ? find_member(parameters, name) : NULL;
    const struct cli_row *row = name ? cli_find(c, name) : NULL;

    if (!name || (m && !(value = read_flag_value(r, m, &config->arena))))
        return NULL;
    if (m && row && row->flag->repeats) {
        if (line_of(config, value, count_before(r, given, NULL, name)))
            reader_refuse(r, NULL, "flags_given", "has \"%.60s\" less often than \"parameters\"", name);
        value = line_of(config, value, count_before(r, given, g, name));
    }
    if (!m || !value)
        reader_refuse(r, NULL, "flags_given", "has \"%.60s\", which \"parameters\" has not, or fewer of it", name);
    return m ? value : NULL;
}

/* Of a report, in the order in which they stood, those that repeat as often. */
static enum status take_given(struct config *config, struct cli *c, const struct json *given, const struct json *parameters,
                              bool no_model, struct err *err)
{
    enum status st;

    for (const struct json *g = given; g; g = read_next(g)) {
        const char *value = given_value(config, c, g, given, parameters), *name;

        if ((st = reader_status(config->reader, err)))
            return st;
        name = read_as_text(config->reader, g);
        if (!is_of_output(c, name) && !(is_model(name) && no_model) && (st = cli_take(c, name, value, err)))
            return st;
    }
    return ST_OK;
}

/* Whether the model is one that --graph brings, which may be a folder, or an operand is. */
static bool is_named(const struct cli *c, const char *path)
{
    const struct cli_row *row = cli_find(c, "graph");
    char buf[CLI_VALUE_SIZE];
    const char *graph = row ? cli_value(row, buf) : "";
    const size_t n = strlen(graph);
    bool named = n && !strncmp(path, graph, n) && (!path[n] || path[n] == '/' || graph[n - 1] == '/');

    for (uint32_t i = 0; i < c->n_operands && !named; i++)
        named = !strcmp(c->operands[i], path);
    return named;
}

/* The models of a report of several, which were operands. */
static enum status take_models(struct reader *r, struct cli *c, const char *list, const char *member, struct err *err)
{
    enum status st = ST_OK;

    for (const struct json *o = read_first(r, reader_root(r), list); o && !st; o = read_next(o)) {
        const char *path = read_string(r, read_as_object(r, o), member);

        if (path && !is_named(c, path))
            st = cli_take_operand(c, path, err);
    }
    return st ? st : reader_status(r, err);
}

/* The reports of several models, whose tools write another kind for one. */
static const struct {
    const char *kind, *tool, *list, *member;
} several[] = {{"benchmark_sweep", "benchmark_model", "cases", "graph"}, {"op_coverage_models", "op_coverage", "models", "path"}};

/* Its path and SHA-256 in a report of one; reports of several, and objects written by hand, have neither. */
static void note_model(struct config *config)
{
    struct reader *r = config->reader;
    const struct json *model = find_member(reader_root(r), "model");

    if (!model)
        return;
    model = read_as_object(r, model);
    config->model_path = read_string_or_null(r, model, "path");
    config->sha256 = read_string_or_null(r, model, "sha256");
    config->weights_sha256 = read_string_or_null(r, model, "weights_sha256");
}

static enum status take_report(struct config *config, struct cli *c, const char *kind, const struct json *parameters,
                               struct err *err)
{
    const struct json *list = read_list_or_null(config->reader, reader_root(config->reader), "flags_given");
    const struct json *given = list ? read_within(list) : NULL;
    const bool no_model = names_model(c);
    enum status st = reader_status(config->reader, err);

    if (st || (st = take_given(config, c, given, parameters, no_model, err)) ||
        (st = take_all(config, c, parameters, given, no_model, err)))
        return st;
    if (!no_model)
        note_model(config);
    for (size_t i = 0; kind && !no_model && i < sizeof several / sizeof *several; i++)
        if (!strcmp(kind, several[i].kind))
            st = take_models(config->reader, c, several[i].list, several[i].member, err);
    return st ? st : reader_status(config->reader, err);
}

static bool is_report_of(const char *kind, const char *tool)
{
    for (size_t i = 0; i < sizeof several / sizeof *several; i++)
        if (!strcmp(kind, several[i].kind))
            return !strcmp(tool, several[i].tool);
    return !strcmp(kind, tool);
}

static enum status take_file(struct config *config, struct cli *c, struct err *err)
{
    struct reader *r = config->reader;
    const struct json *root = reader_root(r), *parameters = read_object_or_null(r, root, "parameters");
    const char *kind = read_string_or_null(r, root, "tool");
    enum status st;

    if (kind && !is_report_of(kind, c->tool))
        reader_refuse(r, root, "tool", "is \"%.40s\": only a report of %s can be run again", kind, c->tool);
    else if (root && !parameters && find_member(root, "flags_given"))
        reader_refuse(r, root, "parameters", "is missing, which has the values of \"flags_given\"");
    if ((st = reader_status(r, err)))
        return st;
    return parameters ? take_report(config, c, kind, parameters, err) : take_all(config, c, root, NULL, names_model(c), err);
}

enum status config_apply(struct config *config, struct cli *c, const char *path, struct err *err)
{
    enum status st = reader_open(path, &config->reader, err);

    config->path = path;
    if (st || !(st = take_file(config, c, err)) || reader_status(config->reader, err))
        return st;
    return err_prefix(err, st, "%s", path);
}

enum status config_check_model(const struct config *config, const char *path, const struct model *m, struct err *err)
{
    char hash[SHA256_HEX_SIZE];
    const char *own, *wanted;

    if (!config->sha256 || !config->model_path || strcmp(config->model_path, path) != 0)
        return ST_OK;
    if (strcmp(wanted = config->sha256, own = sha256_hex(m->file, m->file_bytes, hash)) != 0)
        return err_set(err, ST_USAGE,
                       "%.200s is another model than the one of %.200s: its SHA-256 begins with %.12s, the report's with %.12s; "
                       "--graph=%.200s on the command line runs it all the same",
                       path, config->path, own, wanted, path);
    wanted = config->weights_sha256;
    own = wanted ? weights_sha256(m, hash) : NULL;
    if (!own || !strcmp(wanted, own))
        return ST_OK;
    return err_set(err, ST_USAGE,
                   "%.200s has other weights outside of its file than the model of %.200s: their SHA-256 begins with %.12s, the "
                   "report's with %.12s; --graph=%.200s on the command line runs it all the same",
                   path, config->path, own, wanted, path);
}

void config_free(struct config *config)
{
    reader_close(config->reader);
    arena_free(&config->arena);
}
