/* SPDX-License-Identifier: Apache-2.0 */
/* results_page.c - sections as parts of a page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/print/html_chart.h"
#include "cmd/print/html_impl.h"
#include "cmd/print/results_impl.h"

/* A page of more rows would be no page any more. */
enum { MAX_ROWS = 1000 };

const char *result_shown(double value, char out[RESULT_SHOWN_SIZE])
{
    if (isfinite(value))
        snprintf(out, RESULT_SHOWN_SIZE, "%.4g", value);
    else
        snprintf(out, RESULT_SHOWN_SIZE, "%s", isnan(value) ? "NaN" : value > 0 ? "∞" : "-∞");
    return out;
}

static void put_cell(struct html *h, const struct result_column *column, const struct result_cell *c)
{
    const char *format = column->shown ? column->shown : column->number ? NULL : "%.0f";
    char value[RESULT_SHOWN_SIZE];

    if (c->kind != RESULT_NUMBER)
        html_cell(h, "%s", result_words_of(c));
    else if (format)
        html_cell(h, format, result_scaled(column, c->number));
    else
        html_cell(h, "%s", result_shown(result_scaled(column, c->number), value));
}

static enum status put_table(struct html *h, const struct result_table *t, struct err *err)
{
    const size_t rows = t->n_cells / t->n_columns;
    struct html_column *columns = calloc(t->n_columns, sizeof *columns);
    size_t n = 0;

    if (!columns)
        return err_set(err, ST_NOMEM, "out of memory for the HTML report");
    for (size_t k = 0; k < t->n_columns; k++)
        if (t->columns[k].heading)
            columns[n++] = (struct html_column){t->columns[k].heading, t->columns[k].right};
    html_table(h, columns, n);
    for (size_t i = 0; i < rows && i < MAX_ROWS; i++)
        for (size_t k = 0; k < t->n_columns; k++)
            if (t->columns[k].heading)
                put_cell(h, &t->columns[k], &t->cells[i * t->n_columns + k]);
    if (rows > MAX_ROWS)
        html_note(h, "The JSON report has the other %zu rows.", rows - MAX_ROWS);
    html_between(h);
    free(columns);
    return ST_OK;
}

static void put_line(struct html *h, enum result_line kind, const char *text)
{
    const int place = kind & RESULT_LINE_ON_PAGE;

    if (place == RESULT_CAUTION)
        html_warning(h, "%s", text);
    else if (place == RESULT_ITEM || *text == ' ')
        html_item(h, "%s", text + strspn(text, " "));
    else
        html_note(h, "%s", text);
}

static bool is_shown(const struct result_element *e)
{
    bool shown = e->kind == RESULT_IS_FIGURE || e->kind == RESULT_IS_BAR || e->kind == RESULT_IS_CHART ||
                 (e->kind == RESULT_IS_LINE && *e->words.text && e->line & RESULT_LINE_ON_PAGE);

    for (size_t k = 0; e->kind == RESULT_IS_TABLE && e->table && e->table->n_cells && k < e->table->n_columns; k++)
        shown |= e->table->columns[k].heading != NULL;
    return shown;
}

static enum status put_element(struct html *h, const struct result_element *e, struct err *err)
{
    switch (e->kind) {
    case RESULT_IS_LINE: put_line(h, e->line, e->words.text); break;
    case RESULT_IS_FIGURE: html_figure(h, e->name, e->words.text, e->detail); break;
    case RESULT_IS_BAR: html_bar(h, e->name, e->share, false, e->words.text); break;
    case RESULT_IS_TABLE: return put_table(h, e->table, err);
    case RESULT_IS_CHART: return e->draw(h, e->arg, err);
    }
    return ST_OK;
}

static enum status put_section(const struct result_section *s, struct html *h, struct err *err)
{
    bool begun = false;
    enum status st = ST_OK;

    if (!s || s->of->failed)
        return err_set(err, ST_NOMEM, "out of memory for the HTML report");
    for (const struct result_element *e = s->first; e && !st; e = e->next) {
        if (!is_shown(e))
            continue;
        if (!begun && s->heading)
            html_section(h, s->heading);
        begun = true;
        st = put_element(h, e, err);
    }
    return st;
}

enum status results_write_page(const struct results *r, const int *parts, size_t n, struct html *h, const char *path,
                               struct err *err)
{
    enum status st = ST_OK;

    for (size_t i = 0; i < n && !st; i++)
        st = put_section(r->parts[parts[i]], h, err);
    if (!st)
        st = html_write(h, path, err);
    html_free(h);
    return st;
}
