/* SPDX-License-Identifier: Apache-2.0 */
/* cli.c - flags: getopt_long underneath, with the strictness that it lacks. */
#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FORM_PLAIN, FORM_NO }; /* --name, --no-name */

static void *field(const struct cli_row *row)
{
    return (char *)row->options + row->flag->offset;
}

bool cli_parse_int(const char *text, int64_t lo, int64_t hi, int64_t *out)
{
    char *end;
    long long v;

    /* strtoll skips white space and would take "" for 0. */
    if (!*text || strchr(" \t\n\v\f\r", *text))
        return false;
    errno = 0;
    v = strtoll(text, &end, 10);
    if (errno || *end || v < lo || v > hi)
        return false;
    *out = v;
    return true;
}

bool cli_parse_double(const char *text, double *out)
{
    char *end;
    double v;

    if (!*text || strchr(" \t\n\v\f\r", *text))
        return false;
    v = strtod(text, &end);
    if (*end || !isfinite(v))
        return false;
    *out = v;
    return true;
}

static bool parse_bool(const char *text, bool *out)
{
    bool yes = !strcmp(text, "true") || !strcmp(text, "1");

    if (!yes && strcmp(text, "false") != 0 && strcmp(text, "0") != 0)
        return false;
    *out = yes;
    return true;
}

static enum status set_value(struct cli_row *row, const char *text, struct err *err)
{
    const struct flag *f = row->flag;
    int64_t n;

    switch (f->type) {
    case FLAG_BOOL:
        if (!parse_bool(text, field(row)))
            return err_set(err, ST_USAGE, "--%s=%s: expected true, false, 1 or 0", f->name, text);
        break;
    case FLAG_INT:
        if (!cli_parse_int(text, INT32_MIN, INT32_MAX, &n))
            return err_set(err, ST_USAGE, "--%s=%s: expected a whole number from %d to %d", f->name, text, INT32_MIN, INT32_MAX);
        *(int32_t *)field(row) = (int32_t)n;
        break;
    case FLAG_DOUBLE:
        if (!cli_parse_double(text, field(row)))
            return err_set(err, ST_USAGE, "--%s=%s: expected a finite number", f->name, text);
        break;
    case FLAG_STRING: *(const char **)field(row) = text; break;
    }
    return ST_OK;
}

void cli_add(struct cli *c, const struct flag *flags, void *options)
{
    for (; flags->name; flags++) {
        struct cli_row *row = &c->rows[c->n_rows++];
        enum status st;

        assert(c->n_rows < CLI_MAX_FLAGS);
        *row = (struct cli_row){flags, options, false};
        for (uint32_t i = 0; i + 1 < c->n_rows; i++)
            assert(strcmp(c->rows[i].flag->name, flags->name) != 0);
        st = set_value(row, flags->value, NULL);
        assert(st == ST_OK);
        (void)st;
    }
}

/* Number of single-character edits from a to b, at most `limit`. Names longer than the table are never near. */
static uint32_t edit_distance(const char *a, const char *b, uint32_t limit)
{
    uint32_t row[64], n = (uint32_t)strlen(b);

    if (n >= 64)
        return limit;
    for (uint32_t j = 0; j <= n; j++)
        row[j] = j;
    for (uint32_t i = 1; *a; a++, i++) {
        uint32_t diagonal = row[0];

        row[0] = i;
        for (uint32_t j = 1; j <= n; j++) {
            uint32_t change = diagonal + (*a != b[j - 1]), up = row[j] + 1, left = row[j - 1] + 1;

            diagonal = row[j];
            row[j] = change < up ? change : up;
            if (left < row[j])
                row[j] = left;
        }
    }
    return row[n] < limit ? row[n] : limit;
}

/* The flag that was probably meant, or NULL. The beginning of a name counts as one edit: people abbreviate so. */
static const char *nearest(const struct cli *c, const char *name)
{
    size_t len = strlen(name);
    uint32_t best = (uint32_t)(len < 6 ? 2 : len / 3) + 1;
    const char *found = NULL;

    for (uint32_t i = 0; i < c->n_rows; i++) {
        const char *have = c->rows[i].flag->name;
        uint32_t d = len >= 3 && !strncmp(have, name, len) ? 1 : edit_distance(name, have, best);

        if (d < best) {
            best = d;
            found = have;
        }
    }
    return found;
}

static enum status unknown_flag(const struct cli *c, const char *arg, struct err *err)
{
    char name[64];
    const char *found;

    snprintf(name, sizeof name, "%.*s", (int)strcspn(arg, "="), arg);
    found = nearest(c, name + strspn(name, "-"));
    if (found)
        return err_set(err, ST_USAGE, "unknown flag %s; did you mean --%s?", name, found);
    return err_set(err, ST_USAGE, "unknown flag %s; %s --help lists them", name, c->tool);
}

/* A boolean may have its value in the next argument, which getopt_long never does for an optional one. */
static const char *bool_argument(int argc, char **argv)
{
    bool unused;

    if (optarg)
        return optarg;
    if (optind < argc && parse_bool(argv[optind], &unused))
        return argv[optind++];
    return "true";
}

static void fill_longopts(const struct cli *c, struct option *o, char (*no_names)[64])
{
    for (uint32_t i = 0; i < c->n_rows; i++) {
        const struct flag *f = c->rows[i].flag;
        bool is_bool = f->type == FLAG_BOOL;

        *o++ = (struct option){f->name, is_bool ? optional_argument : required_argument, NULL, (int)(2 * i) + FORM_PLAIN};
        if (!is_bool)
            continue;
        snprintf(no_names[i], sizeof no_names[i], "no-%s", f->name);
        *o++ = (struct option){no_names[i], no_argument, NULL, (int)(2 * i) + FORM_NO};
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

static enum status parse_one(struct cli *c, int argc, char **argv, const struct option *longopts, struct err *err)
{
    const char *arg = argv[optind];
    struct cli_row *row;
    int code;

    if (arg[0] != '-' || !arg[1])
        return err_set(err, ST_USAGE, "unexpected argument '%.100s': flags begin with --", arg);
    if (arg[1] != '-' || !in_full(arg, longopts))
        return unknown_flag(c, arg, err);
    code = getopt_long(argc, argv, "+:", longopts, NULL);
    if (code == ':')
        return err_set(err, ST_USAGE, "%s needs a value: %s=VALUE", arg, arg);
    if (code == '?')
        return err_set(err, ST_USAGE, "%.100s: a --no- flag takes no value", arg);
    row = &c->rows[code / 2];
    row->given = true;
    if (code % 2 == FORM_NO)
        return set_value(row, "false", err);
    return set_value(row, row->flag->type == FLAG_BOOL ? bool_argument(argc, argv) : optarg, err);
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

bool cli_given(const struct cli *c, const char *name)
{
    for (uint32_t i = 0; i < c->n_rows; i++)
        if (!strcmp(c->rows[i].flag->name, name))
            return c->rows[i].given;
    return false;
}

const char *cli_value(const struct cli_row *row, char buf[CLI_VALUE_SIZE])
{
    switch (row->flag->type) {
    case FLAG_BOOL: return *(bool *)field(row) ? "1" : "0";
    case FLAG_INT: snprintf(buf, CLI_VALUE_SIZE, "%d", (int)*(int32_t *)field(row)); return buf;
    case FLAG_DOUBLE: snprintf(buf, CLI_VALUE_SIZE, "%g", *(double *)field(row)); return buf;
    case FLAG_STRING: break;
    }
    return *(const char **)field(row);
}

void cli_help(const struct cli *c, FILE *to)
{
    static const char *const type[] = {"bool", "int", "number", "text"};

    fprintf(to, "%s: %s\n\nusage: %s <flags>\n\nFlags (--name=value or --name value; --name and --no-name for bool):\n", c->tool,
            c->summary, c->tool);
    for (uint32_t i = 0; i < c->n_rows; i++) {
        const struct flag *f = c->rows[i].flag;
        char left[80];

        snprintf(left, sizeof left, "--%s=%s", f->name, f->value);
        fprintf(to, "  %-36s %-7s %s\n", left, type[f->type], f->help);
    }
    fputs("\nExit status: 0 fine; 1 results differ or a requirement is not met; 2 bad flag, file or model; 3 no GPU; "
          "4 a run failed; 130 interrupted.\n",
          to);
}

enum status cli_range(const char *name, double value, double lo, double hi, struct err *err)
{
    if (value >= lo && value <= hi)
        return ST_OK;
    return err_set(err, ST_USAGE, "--%s=%g: expected a value from %.10g to %.10g", name, value, lo, hi);
}
