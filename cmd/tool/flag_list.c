/* SPDX-License-Identifier: Apache-2.0 */
/* flag_list.c - one line for each flag and operand. */
#include "cmd/tool/flag_list.h"

#include <string.h>

static void field_of(const char *text, size_t n, FILE *to)
{
    for (; n--; text++)
        if (*text == '\t' || *text == '\n' || *text == '\\')
            fprintf(to, "\\%c", *text == '\t' ? 't' : *text == '\n' ? 'n' : '\\');
        else
            fputc(*text, to);
    fputc('\t', to);
}

static void field(const char *text, FILE *to)
{
    field_of(text, strlen(text), to);
}

static void bounds(const struct flag *f, FILE *to)
{
    char text[FLAG_BOUNDS_SIZE];

    if (f->type != FLAG_WORD || flag_is_fixed(f)) {
        field(flag_is_fixed(f) ? "fixed" : flag_bounds(f, text), to);
        return;
    }
    for (const char *const *w = f->words; *w; w++)
        fprintf(to, "%s%s", *w, w[1] ? "|" : "\t");
}

/* Of the value its first n characters. */
static void flag_line(const struct cli_row *row, uint32_t turn, const char *value, size_t n, FILE *to)
{
    static const char *const file[] = {"",     "read",  "read-named",   "read-listed", "read-library",
                                       "keep", "write", "write-report", "write-dir"};
    const struct flag *f = row->flag;

    field(f->name, to);
    field(flag_type_name(f), to);
    field(file[f->file], to);
    bounds(f, to);
    field(f->value, to);
    fprintf(to, "%u\t", turn);
    field_of(value, n, to);
    field(f->help, to);
    fprintf(to, "%s\n", flag_group_name(f->group));
}

static void flag_lines(const struct cli_row *row, FILE *to)
{
    const bool is_bool = row->flag->type == FLAG_BOOL;
    char buf[CLI_VALUE_SIZE];
    const char *value = cli_value(row, buf);

    for (uint32_t k = 0; k + 1 < row->n_turns; k++, value += strcspn(value, "\n") + 1)
        flag_line(row, row->turns[k], value, strcspn(value, "\n"), to);
    value = !is_bool || *flag_name_given(row->flag, row->options) ? value : *value == '1' ? "true" : "false";
    flag_line(row, row->turn, value, strlen(value), to);
}

void flag_list_print(const struct cli *c, FILE *to)
{
    fputs("name\ttype\tfile\tbounds\tdefault\tgiven\tvalue\thelp\tgroup\n", to);
    for (uint32_t i = 0; i < c->n_rows; i++)
        flag_lines(&c->rows[i], to);
    for (uint32_t i = 0; i < c->n_operands; i++) {
        fprintf(to, "\t%s\t%s\t\t\t%u\t", "operand", "read", i + 1);
        field(c->operands[i], to);
        fprintf(to, "%s\t\n", c->operand);
    }
}
