/* SPDX-License-Identifier: Apache-2.0 */
/* help.c - help for people, within HELP_WIDTH columns. */
#include "cmd/tool/help.h"

#include <string.h>

enum { EXAMPLE_WIDTH = 65, FLAG_WIDTH = 43, GROUP_WIDTH = 47 };

#define EXITS                                                                                                                      \
    "Exit status: 0 fine; 1 results differ or a requirement is not met; 2 bad flag, file or model;\n"                              \
    "             3 no GPU; 4 a run failed; 130 interrupted.\n"

const char *const help_words[] = {"false", "true",    "all",      "run", "model", "input", "output", "compare", "profile",
                                  "judge", "explain", "delegate", "gpu", "start", "debug", "tflite", NULL};

/* Words of `text` on lines that begin with `indent` spaces. */
static void wrapped(const char *text, int indent, FILE *to)
{
    int at = 0;

    while (*text) {
        const int n = (int)strcspn(text, " ");

        if (at && at + 1 + n > HELP_WIDTH) {
            fputc('\n', to);
            at = 0;
        }
        at += fprintf(to, "%*s%.*s", at ? 1 : indent, "", n, text);
        text += n + strspn(text + n, " ");
    }
    fputc('\n', to);
}

static void flag(const struct flag *f, FILE *to)
{
    char bounds[FLAG_BOUNDS_SIZE];

    fprintf(to, "  --%s=%s  (%s", f->name, f->value, flag_type_name(f));
    if (!flag_is_fixed(f) && *flag_bounds(f, bounds))
        fprintf(to, ", %s", bounds);
    fputs(")\n", to);
    wrapped(f->help, 6, to);
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
    fprintf(to, "\n%s: %s\n", flag_group_name(group), flag_group_text(group));
    for (int fixed = 0; fixed < 2; fixed++) {
        for (uint32_t i = 0; i < c->n_rows; i++)
            if (c->rows[i].flag->group == group && flag_is_fixed(c->rows[i].flag) == fixed)
                flag(c->rows[i].flag, to);
    }
}

static void usage(const struct cli *c, FILE *to)
{
    fprintf(to, "%s: %s\n\nusage: %s <flags>%s%s\n", c->tool, c->summary, c->tool, c->operand ? " " : "",
            c->operand ? c->operand : "");
}

static void forms(FILE *to)
{
    fputs("\nFlags (--name=value or --name value; --name and --no-name for bool), with their defaults:\n", to);
}

static void lines(const struct cli_help_line *l, const char *before, int width, FILE *to)
{
    for (; l->left; l++) {
        const int n = fprintf(to, "  %s%s", before, l->left);

        fprintf(to, "%*s%s\n", n < width ? width - n : 2, "", l->right);
    }
}

/* Two groups a line. */
static void group_names(const struct cli *c, FILE *to)
{
    bool second = false;
    int at = 0;

    fprintf(to, "\nMore flags: --help=all, or --help=GROUP of these groups:\n");
    for (int g = GROUP_NONE + 1; g < FLAG_GROUPS; g++) {
        if (!size_of(c, (enum flag_group)g))
            continue;
        fprintf(to, "%*s", second ? GROUP_WIDTH - at : 0, "");
        at = fprintf(to, "  %-9s %s", flag_group_name((enum flag_group)g), flag_group_text((enum flag_group)g));
        if (second)
            fputc('\n', to);
        second = !second;
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
    fputs("\nMost used flags (--name=value or --name value; --name and --no-name for bool):\n", to);
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
    fputs("\n" EXITS, to);
}
