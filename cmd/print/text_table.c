/* SPDX-License-Identifier: Apache-2.0 */
/* text_table.c - columns as wide as what is in them. */
#include "cmd/print/text_table.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/say.h"

void table_cell(struct text_table *t, const char *fmt, ...)
{
    char raw[512], *text;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(raw, sizeof raw, fmt, ap);
    va_end(ap);
    if (t->n_cells == t->capacity) {
        size_t capacity = t->capacity ? 2 * t->capacity : 64;
        char **cells = realloc(t->cells, capacity * sizeof *cells);

        t->failed = t->failed || !cells;
        if (!cells)
            return;
        t->cells = cells;
        t->capacity = capacity;
    }
    if (!(text = malloc(sizeof raw))) {
        t->failed = true;
        return;
    }
    t->cells[t->n_cells++] = text;
    say_clean(raw, text, sizeof raw);
}

/* Characters, which are what is seen; bytes that continue one are not counted. */
static size_t length(const char *text)
{
    size_t n = 0;

    for (; *text; text++)
        n += ((unsigned char)*text & 0xc0) != 0x80;
    return n;
}

static size_t width_of(const struct text_table *t, size_t column)
{
    size_t width = length(t->columns[column].title);

    for (size_t i = column; i < t->n_cells; i += t->n_columns)
        if (length(t->cells[i]) > width)
            width = length(t->cells[i]);
    return width;
}

static void say_padded(const char *text, size_t width, bool right, bool last)
{
    int pad = (int)(width - length(text));

    if (right)
        say_text("%*s%s", pad, "", text);
    else
        say_text("%s%*s", text, last ? 0 : pad, "");
}

static void say_quoted(const char *text)
{
    for (; *text; text++)
        say_text(strchr("\\`*_[]<>|#~&", *text) ? "\\%c" : "%c", *text);
}

/* Row 0 is the titles. */
static const char *cell(const struct text_table *t, size_t row, size_t column)
{
    return row ? t->cells[(row - 1) * t->n_columns + column] : t->columns[column].title;
}

static void say_markdown(const struct text_table *t, size_t rows)
{
    for (size_t r = 0; r <= rows; r++) {
        for (size_t k = 0; k < t->n_columns; k++) {
            say_text("| ");
            say_quoted(cell(t, r, k));
            say_text(" ");
        }
        say_text("|\n");
        for (size_t k = 0; r == 0 && k < t->n_columns; k++)
            say_text(t->columns[k].number ? "|---:" : "|---");
        if (r == 0)
            say_text("|\n");
    }
}

static enum status say_aligned(const struct text_table *t, size_t rows, struct err *err)
{
    size_t *widths = malloc(t->n_columns * sizeof *widths);

    if (!widths)
        return err_set(err, ST_NOMEM, "out of memory for a table");
    for (size_t k = 0; k < t->n_columns; k++)
        widths[k] = width_of(t, k);
    for (size_t r = 0; r <= rows; r++) {
        for (size_t k = 0; k < t->n_columns; k++) {
            say_text(k ? "  " : "");
            say_padded(cell(t, r, k), widths[k], t->columns[k].number, k + 1 == t->n_columns);
        }
        say_text("\n");
    }
    free(widths);
    return ST_OK;
}

void table_free(struct text_table *t)
{
    for (size_t i = 0; i < t->n_cells; i++)
        free(t->cells[i]);
    free(t->cells);
    *t = (struct text_table){.columns = t->columns, .n_columns = t->n_columns};
}

enum status table_say(struct text_table *t, bool markdown, struct err *err)
{
    size_t rows = t->n_cells / t->n_columns;
    enum status st = ST_OK;

    if (t->failed)
        st = err_set(err, ST_NOMEM, "out of memory for a table");
    else if (markdown)
        say_markdown(t, rows);
    else
        st = say_aligned(t, rows, err);
    table_free(t);
    return st;
}
