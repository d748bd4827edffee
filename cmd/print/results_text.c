/* SPDX-License-Identifier: Apache-2.0 */
/* results_text.c - sections as text: lines, and tables that are aligned, Markdown or CSV. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/say.h"
#include "cmd/host/text_file.h"
#include "cmd/print/markdown.h"
#include "cmd/print/results_impl.h"

enum { CELL_SIZE = 1024 };

/* Tables go to standard output, where nothing is printed if JSON is alone there, or to a file. */
static void put(FILE *to, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void put(FILE *to, const char *fmt, ...)
{
    char text[2 * CELL_SIZE];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (to)
        fputs(text, to);
    else
        say_text("%s", text);
}

/* Characters, which are what is seen; bytes that continue one are not counted. */
static size_t length(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

/* A cell as text; row 0 is the titles. */
static const char *cell(const struct result_table *t, size_t row, size_t k, char out[CELL_SIZE])
{
    const struct result_column *column = &t->columns[k];
    const struct result_cell *c = row ? &t->cells[(row - 1) * t->n_columns + k] : NULL;

    if (c && c->kind == RESULT_NUMBER)
        snprintf(out, CELL_SIZE, column->number ? column->number : "%.0f", result_scaled(column, c->number));
    else
        say_clean(c ? result_words_of(c) : column->title, out, CELL_SIZE);
    return out;
}

static size_t width_of(const struct result_table *t, size_t column, size_t rows)
{
    char text[CELL_SIZE];
    size_t width = 0;

    for (size_t r = 0; r <= rows; r++) {
        const size_t n = length(cell(t, r, column, text));

        width = n > width ? n : width;
    }
    return width;
}

static void put_aligned(FILE *to, const char *text, size_t width, bool right, bool last)
{
    const int pad = (int)(width - length(text));

    if (right)
        put(to, "%*s%s", pad, "", text);
    else
        put(to, "%s%*s", text, last ? 0 : pad, "");
}

static void put_text(FILE *to, const struct result_table *t, size_t rows, const size_t *widths)
{
    char text[CELL_SIZE], padded[CELL_SIZE];

    for (size_t r = 0; r <= rows; r++) {
        const char *between = "";

        for (size_t k = 0; k < t->n_columns; k++) {
            const struct result_column *column = &t->columns[k];

            if (!column->title || (r && column->pad && t->cells[(r - 1) * t->n_columns + k].kind == RESULT_SKIPPED))
                continue;
            if (column->pad) {
                snprintf(padded, sizeof padded, column->pad, cell(t, r, k, text));
                put(to, "%s", padded);
                between = "  ";
                continue;
            }
            put(to, "%s", between);
            put_aligned(to, cell(t, r, k, text), widths[k], column->right, k + 1 == t->n_columns);
            between = "  ";
        }
        put(to, "\n");
    }
}

static void put_quoted(FILE *to, const char *text)
{
    for (; *text; text++)
        put(to, strchr("\\`*_[]<>|#~&", *text) ? "\\%c" : "%c", *text);
}

static void put_markdown_cell(FILE *to, const struct result_table *t, size_t row, size_t k)
{
    const struct result_column *column = &t->columns[k];
    char text[CELL_SIZE];

    if (row && column->markdown == RESULT_CODE && to)
        markdown_cell(to, result_words_of(&t->cells[(row - 1) * t->n_columns + k]));
    else if (column->markdown == RESULT_AS_IS)
        put(to, "%s", cell(t, row, k, text));
    else
        put_quoted(to, cell(t, row, k, text));
}

static void put_markdown(FILE *to, const struct result_table *t, size_t rows)
{
    for (size_t r = 0; r <= rows; r++) {
        for (size_t k = 0; k < t->n_columns; k++) {
            if (!t->columns[k].title)
                continue;
            put(to, "| ");
            put_markdown_cell(to, t, r, k);
            put(to, " ");
        }
        put(to, "|\n");
        for (size_t k = 0; r == 0 && k < t->n_columns; k++)
            if (t->columns[k].title)
                put(to, t->columns[k].right ? "|---:" : "|---");
        if (r == 0)
            put(to, "|\n");
    }
}

static enum status put_table(FILE *to, const struct result_table *t, enum result_form form, struct err *err)
{
    const size_t rows = t->n_cells / t->n_columns;
    size_t *widths, shown = 0;

    for (size_t k = 0; k < t->n_columns; k++)
        shown += t->columns[k].title != NULL;
    if (!shown)
        return ST_OK;
    if (form == RESULT_MARKDOWN) {
        put_markdown(to, t, rows);
        return ST_OK;
    }
    if (!(widths = calloc(t->n_columns, sizeof *widths)))
        return err_set(err, ST_NOMEM, "out of memory for a table");
    for (size_t k = 0; k < t->n_columns; k++)
        widths[k] = t->columns[k].title && !t->columns[k].pad ? width_of(t, k, rows) : 0;
    put_text(to, t, rows, widths);
    free(widths);
    return ST_OK;
}

static void put_line(FILE *to, enum result_line kind, const char *text)
{
    const int place = kind & RESULT_LINE_IN_TEXT;
    const int color = kind & RESULT_GOOD ? 32 : kind & RESULT_FAIR ? 33 : kind & RESULT_BAD ? 31 : 0;

    if (place == RESULT_TITLE && color && !to && say_in_color())
        say_text("\033[%dm%s\033[0m\n", color, text);
    else if (place && to)
        fprintf(to, "%s\n", text);
    else if (place == RESULT_TITLE && kind & RESULT_WHOLE)
        say_text_known("%s\n", text);
    else if (place == RESULT_TITLE)
        say_text("%s\n", text);
    else if (place == RESULT_LOG && kind & RESULT_WHOLE)
        say_info_known("%s", text);
    else if (place == RESULT_LOG)
        say_info("%s", text);
    else if (place == RESULT_ALERT)
        say_warn("%s", text);
}

static enum status put_section(const struct result_section *s, enum result_form form, FILE *to, struct err *err)
{
    enum status st = ST_OK;

    if (!s || s->of->failed)
        return err_set(err, ST_NOMEM, "out of memory for the results");
    for (const struct result_element *e = s->first; e && !st; e = e->next)
        if (e->kind == RESULT_IS_LINE)
            put_line(to, e->line, e->words.text);
        else if (e->kind == RESULT_IS_TABLE)
            st = put_table(to, e->table, form, err);
    return st;
}

enum status results_say(const struct result_section *s, enum result_form form, struct err *err)
{
    return put_section(s, form, NULL, err);
}

enum status results_say_parts(const struct results *r, const int *parts, size_t n, struct err *err)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < n && !st; i++)
        st = results_say(r->parts[parts[i]], RESULT_TEXT, err);
    return st;
}

enum status results_print(const struct result_section *s, enum result_form form, FILE *to, struct err *err)
{
    return put_section(s, form, to, err);
}

enum status results_write_markdown(const struct results *r, const int *parts, size_t n, const char *path, struct err *err)
{
    struct text_file f;
    enum status st = text_file_begin(&f, err);

    if (st)
        return st;
    for (size_t i = 0; i < n && !st; i++)
        st = results_print(r->parts[parts[i]], RESULT_MARKDOWN, f.to, err);
    if (!st)
        return text_file_end(&f, path, err);
    text_file_drop(&f);
    return st;
}

static void put_csv(FILE *to, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, to);
        return;
    }
    fputc('"', to);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (char[2]){*text, '\0'}, to);
    fputc('"', to);
}

static void put_csv_cell(FILE *to, const struct result_cell *c)
{
    if (c->kind == RESULT_NUMBER && isfinite(c->number))
        fprintf(to, "%.9g", c->number);
    else if (c->kind != RESULT_NUMBER && c->kind != RESULT_MISSING)
        put_csv(to, result_words_of(c));
}

static void put_csv_table(FILE *to, const struct result_table *t)
{
    const size_t n = t->n_columns, rows = t->n_cells / n;

    for (size_t k = 0; k < n; k++)
        fprintf(to, "%s%s", k ? "," : "", t->columns[k].key);
    fputs("\r\n", to);
    for (size_t i = 0; i < rows * n; i++) {
        fputs(i % n ? "," : "", to);
        put_csv_cell(to, &t->cells[i]);
        fputs(i % n + 1 == n ? "\r\n" : "", to);
    }
}

enum status results_csv(const struct result_section *s, FILE *to, struct err *err)
{
    if (!s || s->of->failed)
        return err_set(err, ST_NOMEM, "out of memory for the results");
    for (const struct result_element *e = s->first; e; e = e->next)
        if (e->kind == RESULT_IS_TABLE)
            put_csv_table(to, e->table);
    return ST_OK;
}
