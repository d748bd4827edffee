/* SPDX-License-Identifier: Apache-2.0 */
/* cli.c - flags: getopt_long underneath, with the strictness that it lacks. */
#include "cmd/tool/cli.h"

#include <assert.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/tool/flag_meant.h"

enum { FORM_PLAIN, FORM_NO }; /* --name, --no-name */

/* getopt_long returns characters (':' and '?') for what is wrong and our codes for what is right: they begin beyond all of them. */
enum { FIRST_CODE = 256 };

static void *field(const struct cli_row *row)
{
    return (char *)row->options + row->flag->offset;
}

/* One more line of a flag that repeats. */
static enum status add_line(struct cli_row *row, const char **text, struct err *err)
{
    const char *was = *(const char **)((char *)row->options + row->flag->offset);
    const size_t size = strlen(was) + strlen(*text) + 2;
    char *lines;

    if (row->n_turns == CLI_MAX_REPEATS)
        return err_set(err, ST_USAGE, "--%s: there may be at most %d of them", row->flag->name, CLI_MAX_REPEATS);
    if (!row->n_turns)
        return ST_OK;
    if (!(lines = malloc(size)))
        return err_set(err, ST_NOMEM, "out of memory for --%s", row->flag->name);
    snprintf(lines, size, "%s\n%s", was, *text);
    free(row->lines);
    *text = row->lines = lines;
    return ST_OK;
}

static enum status set_value(struct cli *c, struct cli_row *row, const char *text, struct err *err)
{
    enum status st = row->flag->repeats ? add_line(row, &text, err) : ST_OK;

    if (st)
        return st;
    row->given = true;
    row->turn = ++c->n_given;
    if (row->flag->repeats)
        row->turns[row->n_turns++] = row->turn;
    return flag_set(row->flag, row->options, text, err);
}

void cli_free(struct cli *c)
{
    for (uint32_t i = 0; i < c->n_rows; i++) {
        free(c->rows[i].lines);
        c->rows[i].lines = NULL;
    }
}

const struct cli_row *cli_find(const struct cli *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_rows; i++)
        if (!strcmp(c->rows[i].flag->name, name))
            return &c->rows[i];
    return NULL;
}

const struct cli_row *cli_given(const struct cli *c, uint32_t turn)
{
    for (uint32_t i = 0; i < c->n_rows; i++) {
        const struct cli_row *row = &c->rows[i];

        if (turn && row->turn == turn)
            return row;
        for (uint32_t k = 0; k < row->n_turns; k++)
            if (row->turns[k] == turn)
                return row;
    }
    return NULL;
}

void cli_add(struct cli *c, const struct flag *flags, void *options)
{
    flag_set_defaults(flags, options);
    for (; flags->name; flags++) {
        assert(c->n_rows < CLI_MAX_FLAGS);
        assert(!cli_find(c, flags->name));
        c->rows[c->n_rows++] = (struct cli_row){.flag = flags, .options = options};
    }
}

void cli_drop(struct cli *c, const char *name)
{
    const struct cli_row *row = cli_find(c, name);

    assert(row);
    c->n_rows--;
    for (uint32_t i = (uint32_t)(row - c->rows); i < c->n_rows; i++)
        c->rows[i] = c->rows[i + 1];
}

static enum status unknown_flag(const struct cli *c, const char *arg, struct err *err)
{
    const struct flag *flags[CLI_MAX_FLAGS];
    char name[64], found[FLAG_MEANT_SIZE];

    for (uint32_t i = 0; i < c->n_rows; i++)
        flags[i] = c->rows[i].flag;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, "="), arg);
    if (flag_meant(flags, c->n_rows, name + strspn(name, "-"), found))
        return err_set(err, ST_USAGE, "unknown flag %s; did you mean --%s?", name, found);
    return err_set(err, ST_USAGE, "unknown flag %s; %s --help=all lists them", name, c->tool);
}

/* A boolean may have its value in the next argument, which getopt_long never does for an optional one. */
static const char *bool_argument(int argc, char **argv)
{
    bool unused;

    if (optarg)
        return optarg;
    if (optind < argc && flag_read_bool(argv[optind], &unused))
        return argv[optind++];
    return "true";
}

/* The same of a word that may be left out: the next argument is its value if it is one of the words. */
static const char *word_argument(const struct flag *f, int argc, char **argv)
{
    for (size_t i = 0; f->words[i] && optind < argc; i++)
        if (!strcmp(f->words[i], argv[optind]))
            return argv[optind++];
    return f->bare;
}

static const char *argument(const struct flag *f, int argc, char **argv)
{
    if (f->type == FLAG_BOOL)
        return bool_argument(argc, argv);
    if (optarg || !f->bare)
        return optarg;
    return f->type == FLAG_WORD ? word_argument(f, argc, argv) : f->bare;
}

static int code_of(uint32_t row, int form)
{
    return FIRST_CODE + 2 * (int)row + form;
}

static void fill_longopts(const struct cli *c, struct option *o, char (*no_names)[64])
{
    for (uint32_t i = 0; i < c->n_rows; i++) {
        const struct flag *f = c->rows[i].flag;
        bool is_bool = f->type == FLAG_BOOL;

        *o++ = (struct option){f->name, is_bool || f->bare ? optional_argument : required_argument, NULL, code_of(i, FORM_PLAIN)};
        if (!is_bool)
            continue;
        snprintf(no_names[i], sizeof no_names[i], "no-%s", f->name);
        *o++ = (struct option){no_names[i], no_argument, NULL, code_of(i, FORM_NO)};
    }
    *o = (struct option){0};
}

/* getopt_long takes any unambiguous beginning of a name; a script that relies on one breaks with the next flag added. */
static bool in_full(const char *arg, const struct option *o)
{
    size_t len = strcspn(arg + 2, "=");

    while (o->name && (strlen(o->name) != len || strncmp(arg + 2, o->name, len) != 0))
        o++;
    return o->name;
}

enum status cli_take_operand(struct cli *c, const char *arg, struct err *err)
{
    if (!c->operand || !*arg || *arg == '-')
        return err_set(err, ST_USAGE, "unexpected argument '%.100s': flags begin with --", arg);
    if (c->n_operands == CLI_MAX_OPERANDS)
        return err_set(err, ST_USAGE, "'%.100s': there may be at most %d arguments %s", arg, CLI_MAX_OPERANDS, c->operand);
    c->operands[c->n_operands++] = arg;
    return ST_OK;
}

/* Takes "--" between operands. */
static enum status take_separator(struct cli *c, struct err *err)
{
    if (c->separated)
        return err_set(err, ST_USAGE, "-- stands twice; it divides the arguments %s once", c->operand);
    c->separated = true;
    c->n_before = c->n_operands;
    return ST_OK;
}

static enum status parse_one(struct cli *c, int argc, char **argv, const struct option *longopts, struct err *err)
{
    const char *arg = argv[optind];
    struct cli_row *row;
    int code;

    if (arg[0] != '-' || !arg[1]) {
        optind++;
        return cli_take_operand(c, arg, err);
    }
    if (c->separator && !strcmp(arg, "--")) {
        optind++;
        return take_separator(c, err);
    }
    if (!strcmp(arg, "-h") && cli_find(c, "help")) {
        optind++;
        row = &c->rows[cli_find(c, "help") - c->rows];
        return set_value(c, row, row->flag->bare ? row->flag->bare : "true", err);
    }
    if (arg[1] != '-' || !in_full(arg, longopts))
        return unknown_flag(c, arg, err);
    code = getopt_long(argc, argv, "+:", longopts, NULL);
    if (code == ':')
        return err_set(err, ST_USAGE, "%s needs a value: %s=VALUE", arg, arg);
    if (code == '?')
        return err_set(err, ST_USAGE, "%.100s: a --no- flag takes no value", arg);
    row = &c->rows[(code - FIRST_CODE) / 2];
    if ((code - FIRST_CODE) % 2 == FORM_NO)
        return set_value(c, row, "false", err);
    if (row->flag->repeats && optarg && strchr(optarg, '\n'))
        return err_set(err, ST_USAGE, "--%s: a value of several lines; the flag may stand several times", row->flag->name);
    return set_value(c, row, argument(row->flag, argc, argv), err);
}

enum status cli_parse(struct cli *c, int argc, char **argv, struct err *err)
{
    struct option longopts[2 * CLI_MAX_FLAGS + 1];
    char no_names[CLI_MAX_FLAGS][64];
    enum status st = ST_OK;

    fill_longopts(c, longopts, no_names);
    opterr = 0;
    optind = 0; /* glibc: start over, with the "+" of the option string heeded */
    (void)getopt_long(1, argv, "+:", longopts, NULL);
    while (!st && optind < argc)
        st = parse_one(c, argc, argv, longopts, err);
    return st;
}

enum status cli_take(struct cli *c, const char *name, const char *value, struct err *err)
{
    const struct cli_row *row = cli_find(c, name);
    char arg[64];

    if (row && row->given && !(row->taken && row->flag->repeats))
        return ST_OK;
    if (row) {
        c->rows[row - c->rows].taken = true;
        return set_value(c, &c->rows[row - c->rows], value, err);
    }
    snprintf(arg, sizeof arg, "--%s", name);
    return unknown_flag(c, arg, err);
}

const char *cli_value(const struct cli_row *row, char buf[CLI_VALUE_SIZE])
{
    bool yes;

    if (flag_is_fixed(row->flag))
        return row->flag->type == FLAG_BOOL && flag_read_bool(row->flag->value, &yes) ? (yes ? "1" : "0") : row->flag->value;
    switch (row->flag->type) {
    case FLAG_BOOL:
        if (*flag_name_given(row->flag, row->options))
            return flag_name_given(row->flag, row->options);
        return *(bool *)field(row) ? "1" : "0";
    case FLAG_INT: snprintf(buf, CLI_VALUE_SIZE, "%d", (int)*(int32_t *)field(row)); return buf;
    case FLAG_DOUBLE: snprintf(buf, CLI_VALUE_SIZE, "%g", *(double *)field(row)); return buf;
    case FLAG_WORD: return row->flag->words[*(int32_t *)field(row)];
    case FLAG_STRING: break;
    }
    return *(const char **)field(row);
}

bool cli_is_default(const struct cli_row *row)
{
    const struct flag *f = row->flag;
    char now[CLI_VALUE_SIZE];
    bool yes;

    if (f->type == FLAG_BOOL && flag_read_bool(f->value, &yes))
        return !strcmp(cli_value(row, now), yes ? "1" : "0");
    return !strcmp(cli_value(row, now), f->value);
}
