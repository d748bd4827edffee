/* SPDX-License-Identifier: Apache-2.0 */
/* flag_list.c - one line for each flag and operand. */
#include "flag_list.h"

#include <string.h>

static void field(const char *text, FILE *to)
{
    for (; *text; text++)
        if (*text == '\t' || *text == '\n' || *text == '\\')
            fprintf(to, "\\%c", *text == '\t' ? 't' : *text == '\n' ? 'n' : '\\');
        else
            fputc(*text, to);
    fputc('\t', to);
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

static void flag_line(const struct cli_row *row, FILE *to)
{
    static const char *const file[] = {"", "read", "read-named", "read-listed", "keep", "write", "write-report", "write-dir"};
    const struct flag *f = row->flag;
    char buf[CLI_VALUE_SIZE];
    const char *value = cli_value(row, buf);

    field(f->name, to);
    field(flag_type_name(f), to);
    field(file[f->file], to);
    bounds(f, to);
    field(f->value, to);
    field(row->given ? "1" : "0", to);
    field(f->type == FLAG_BOOL ? (*value == '1' ? "true" : "false") : value, to);
    fprintf(to, "%s\n", f->help);
}

void flag_list_print(const struct cli *c, FILE *to)
{
    fputs("name\ttype\tfile\tbounds\tdefault\tgiven\tvalue\thelp\n", to);
    for (uint32_t i = 0; i < c->n_rows; i++)
        flag_line(&c->rows[i], to);
    for (uint32_t i = 0; i < c->n_operands; i++) {
        fprintf(to, "\t%s\t%s\t\t\t1\t", "operand", "read");
        field(c->operands[i], to);
        fprintf(to, "%s\n", c->operand);
    }
}
