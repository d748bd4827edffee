/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - help for people, within HELP_WIDTH columns, or those of a narrower terminal. */
#include "cmd/tool/help.h"

#include <stdarg.h>
#include <string.h>

#include "cmd/host/wrap.h"

enum { EXAMPLE_WIDTH = 65, FLAG_WIDTH = 43, GROUP_WIDTH = 47 };

const char *const help_words[] = {"false", "true",    "all",      "run", "model", "input", "output", "compare", "profile",
                                  "judge", "explain", "delegate", "gpu", "start", "debug", "tflite", NULL};

enum { LINE_SIZE = 2048, LEAST_ROOM = 30 };

static unsigned columns_of(FILE *to)
{
    const unsigned columns = wrap_columns(to);

    return columns && columns < HELP_WIDTH ? columns : HELP_WIDTH;
}

/* A line, behind an empty one if it begins with a newline; further lines of it begin with `indent` blanks. */
static void put(FILE *to, int indent, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

static void put(FILE *to, int indent, const char *fmt, ...)
{
    char line[LINE_SIZE];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    if (*line == '\n')
        fputc('\n', to);
    wrap_line(to, line + (*line == '\n'), columns_of(to), (unsigned)indent);
}

static void flag(const struct flag *f, FILE *to)
{
    char bounds[FLAG_BOUNDS_SIZE];
    const bool bound = !flag_is_fixed(f) && *flag_bounds(f, bounds);

    put(to, 6, "  --%s=%s  (%s%s%s)", f->name, f->value, flag_type_name(f), bound ? ", " : "", bound ? bounds : "");
    put(to, 6, "      %s", f->help);
}

static uint32_t size_of(const struct cli *c, enum flag_group group)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n_rows; i++)
        n += c->rows[i].flag->group == group;
    return n;
}

/* Those that take nothing but their default come last. */
static void list(const struct cli *c, enum flag_group group, FILE *to)
{
    if (!size_of(c, group))
        return;
    put(to, 2, "\n%s: %s", flag_group_name(group), flag_group_text(group));
    for (int fixed = 0; fixed < 2; fixed++) {
        for (uint32_t i = 0; i < c->n_rows; i++)
            if (c->rows[i].flag->group == group && flag_is_fixed(c->rows[i].flag) == fixed)
                flag(c->rows[i].flag, to);
    }
}

static void usage(const struct cli *c, FILE *to)
{
    put(to, 2, "%s: %s", c->tool, c->summary);
    put(to, 7, "\nusage: %s <flags>%s%s", c->tool, c->operand ? " " : "", c->operand ? c->operand : "");
}

static void forms(FILE *to)
{
    put(to, 2, "\nFlags (--name=value or --name value; --name and --no-name for bool), with their defaults:");
}

/* What is right has a column of its own where that has room. */
static void lines(const struct cli_help_line *l, const char *before, int width, FILE *to)
{
    const unsigned columns = columns_of(to);

    for (; l->left; l++) {
        const int n = (int)(strlen(before) + strlen(l->left)) + 2;

        put(to, (unsigned)(width + LEAST_ROOM) <= columns ? width : 6, "  %s%s%*s%s", before, l->left, n < width ? width - n : 2,
            "", l->right);
    }
}

/* Two groups a line, where that has room. */
static void group_names(const struct cli *c, FILE *to)
{
    const bool two = columns_of(to) == HELP_WIDTH;
    bool second = false;
    int at = 0;

    put(to, 2, "\nMore flags: --help=all, or --help=GROUP of these groups:");
    for (int g = GROUP_NONE + 1; g < FLAG_GROUPS; g++) {
        if (!size_of(c, (enum flag_group)g))
            continue;
        fprintf(to, "%*s", second ? GROUP_WIDTH - at : 0, "");
        at = fprintf(to, "  %-9s %s", flag_group_name((enum flag_group)g), flag_group_text((enum flag_group)g));
        if (second || !two)
            fputc('\n', to);
        second = two && !second;
    }
    if (second)
        fputc('\n', to);
}

static void print_short(const struct cli *c, FILE *to)
{
    char tool[64];

    snprintf(tool, sizeof tool, "%s ", c->tool);
    usage(c, to);
    fputs("\nExamples:\n", to);
    lines(c->help->examples, tool, EXAMPLE_WIDTH, to);
    put(to, 2, "\nMost used flags (--name=value or --name value; --name and --no-name for bool):");
    lines(c->help->flags, "--", FLAG_WIDTH, to);
    group_names(c, to);
}

void help_print(const struct cli *c, int32_t wanted, FILE *to)
{
    if (wanted == HELP_SHORT && c->help) {
        print_short(c, to);
    } else if (wanted < HELP_GROUP) {
        usage(c, to);
        forms(to);
        for (int g = GROUP_NONE; g < FLAG_GROUPS; g++)
            list(c, (enum flag_group)g, to);
    } else {
        const enum flag_group group = (enum flag_group)(wanted - HELP_GROUP + GROUP_RUN);

        if (size_of(c, group))
            forms(to);
        else
            fprintf(to, "%s has no flags of the group %s\n", c->tool, flag_group_name(group));
        list(c, group, to);
    }
    put(to,
        sizeof "Exit status:", "\nExit status: 0 fine; 1 results differ or a requirement is not met; 2 bad flag, file or model;");
    put(to, sizeof "Exit status:", "%*s3 no GPU; 4 a run failed; 130 interrupted.", (int)sizeof "Exit status:", "");
}
