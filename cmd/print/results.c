/* SPDX-License-Identifier: Apache-2.0 */
/* results.c - the tree of results: sections, their elements in order, and cells row by row. */
#include "cmd/print/results_impl.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/host/say.h"
#include "cmd/host/text_file.h"
#include "cmd/host/wrap.h"

/* Zeroed memory of the tree, or NULL. */
static void *make(struct results *r, size_t n, size_t size)
{
    void *p = arena_alloc(&r->arena, n, size);

    if (!p) {
        r->failed = true;
        report_out_of_memory(r->report);
    }
    return p;
}

/* Lengthen a text by what printf makes of it. `is_line`: names in it must not break it. */
static void lengthen(struct results *r, struct result_words *w, bool is_line, const char *fmt, va_list ap)
{
    va_list again;
    size_t room;
    char *text;
    int more;

    va_copy(again, ap);
    more = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (more < 0)
        return;
    room = w->n + (size_t)more + 1;
    if (room > w->room) {
        room *= w->n ? 2 : 1; /* one that grows, grows again */
        if (!(text = make(r, room, 1)))
            return;
        if (w->n)
            memcpy(text, w->text, w->n);
        w->text = text;
        w->room = room;
    }
    vsnprintf(w->text + w->n, (size_t)more + 1, fmt, ap);
    if (is_line)
        say_clean(w->text + w->n, w->text + w->n, (size_t)more + 1);
    w->n += (size_t)more;
}

void results_init(struct results *r, const char *const *headings, size_t n, bool json)
{
    *r = (struct results){.report = json ? report_new() : NULL};
    r->failed = json && !r->report;
    for (size_t i = 0; i < n; i++)
        if ((r->parts[i] = make(r, 1, sizeof *r->parts[i])))
            *r->parts[i] = (struct result_section){r, headings ? headings[i] : NULL, .end = &r->parts[i]->first};
}

void results_fini(struct results *r)
{
    report_free(r->report);
    arena_free(&r->arena);
}

struct result_section *results_alone(void)
{
    struct results *r = malloc(sizeof *r);
    struct result_section *s;

    if (!r)
        return NULL;
    results_init(r, NULL, 1, false);
    s = r->parts[0];
    if (!s)
        free(r);
    return s;
}

enum status results_say_alone(struct result_section *s, enum status st, struct err *err)
{
    struct results *r = s ? s->of : NULL;

    st = st ? st : results_say(s, RESULT_TEXT, err);
    if (r)
        results_fini(r);
    free(r);
    return st;
}

static struct result_element *add(struct result_section *s, enum result_kind kind)
{
    struct result_element *e = s ? make(s->of, 1, sizeof *e) : NULL;

    if (!e)
        return NULL;
    e->kind = kind;
    *s->end = s->last = e;
    s->end = &e->next;
    return e;
}

/* In a function that ends with (const char *fmt, ...). */
#define LENGTHEN(r, words, clean)                                                                                                  \
    do {                                                                                                                           \
        va_list ap;                                                                                                                \
        va_start(ap, fmt);                                                                                                         \
        lengthen(r, words, clean, fmt, ap);                                                                                        \
        va_end(ap);                                                                                                                \
    } while (0)

void result_line(struct result_section *s, enum result_line kind, const char *fmt, ...)
{
    struct result_element *e = add(s, RESULT_IS_LINE);

    if (!e)
        return;
    LENGTHEN(s->of, &e->words, kind & RESULT_LINE_IN_TEXT);
    e->line = kind;
}

void result_more(struct result_section *s, const char *fmt, ...)
{
    if (!s || !s->last)
        return;
    LENGTHEN(s->of, &s->last->words, s->last->line & RESULT_LINE_IN_TEXT);
}

void result_gap(struct result_section *s)
{
    result_line(s, RESULT_PLAIN, "%s", "");
}

/* Columns are counted in bytes: names that need more than one for a letter get shorter lines. */
void result_wrapped(struct result_section *s, enum result_line kind, int indent, const char *fmt, ...)
{
    char text[2048];
    struct text_file f;
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (!text_file_begin(&f, NULL)) {
        wrap_line(f.to, text, RESULT_WIDTH, (unsigned)indent);
        text_file_close(&f, NULL);
    }
    if (!f.text && s)
        s->of->failed = true;
    for (const char *line = f.text; line && *line; line += strcspn(line, "\n") + 1)
        result_line(s, kind, "%.*s", (int)strcspn(line, "\n"), line);
    free(f.text);
}

/* A copy of a text, or NULL. */
static const char *copy(struct results *r, const char *text)
{
    const size_t size = strlen(text) + 1;
    char *own = make(r, size, 1);

    return own ? memcpy(own, text, size) : NULL;
}

void result_figure(struct result_section *s, const char *name, const char *detail, const char *fmt, ...)
{
    struct result_element *e = add(s, RESULT_IS_FIGURE);

    if (!e)
        return;
    LENGTHEN(s->of, &e->words, false);
    e->name = copy(s->of, name);
    e->detail = copy(s->of, detail);
}

void result_bar(struct result_section *s, const char *label, double share, const char *fmt, ...)
{
    struct result_element *e = add(s, RESULT_IS_BAR);

    if (!e)
        return;
    LENGTHEN(s->of, &e->words, false);
    e->name = copy(s->of, label);
    e->share = share;
}

void result_chart(struct result_section *s, result_draw draw, const void *arg)
{
    struct result_element *e = add(s, RESULT_IS_CHART);

    if (!e)
        return;
    e->draw = draw;
    e->arg = arg;
}

struct result_table *results_table(struct result_section *s, const struct result_column *columns, size_t n, struct json *list)
{
    struct result_element *e = add(s, RESULT_IS_TABLE);
    struct result_column *own = e ? make(s->of, n, sizeof *own) : NULL;

    if (!own || !(e->table = make(s->of, 1, sizeof *e->table)))
        return NULL;
    memcpy(own, columns, n * sizeof *own);
    *e->table = (struct result_table){.of = s->of, .columns = own, .n_columns = n, .list = list};
    return e->table;
}

const char *result_words_of(const struct result_cell *c)
{
    if (c->kind == RESULT_YES || c->kind == RESULT_NO)
        return c->kind == RESULT_YES ? "yes" : "no";
    return c->words.text ? c->words.text : "";
}

double result_scaled(const struct result_column *column, double value)
{
    return column->scale ? value * column->scale : value;
}

struct json *result_row(struct result_table *t)
{
    if (t && t->list && t->n_cells % t->n_columns == 0 && t->row_of != t->n_cells + 1) {
        t->row = json_object(t->of->report, t->list, NULL);
        t->row_of = t->n_cells + 1;
    }
    return t ? t->row : NULL;
}

/* The next cell, to be filled; NULL if memory runs out. *key: its member in JSON, or NULL. */
static struct result_cell *next(struct result_table *t, const char **key)
{
    if (!t)
        return NULL;
    result_row(t);
    if (t->n_cells == t->capacity) {
        const size_t capacity = t->capacity ? 2 * t->capacity : 8 * t->n_columns;
        struct result_cell *cells = make(t->of, capacity, sizeof *cells);

        if (!cells)
            return NULL;
        if (t->n_cells)
            memcpy(cells, t->cells, t->n_cells * sizeof *cells);
        t->cells = cells;
        t->capacity = capacity;
    }
    *key = t->list ? t->columns[t->n_cells % t->n_columns].key : NULL;
    return &t->cells[t->n_cells++];
}

void result_number(struct result_table *t, double value)
{
    const char *key;
    struct result_cell *c = next(t, &key);

    if (!c)
        return;
    *c = (struct result_cell){.kind = RESULT_NUMBER, .number = value};
    if (key)
        json_number(t->of->report, t->row, key, value);
}

void result_numbers(struct result_table *t, const double *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        result_number(t, list[i]);
}

void result_text(struct result_table *t, const char *fmt, ...)
{
    const char *key;
    struct result_cell *c = next(t, &key);

    if (!c)
        return;
    LENGTHEN(t->of, &c->words, false);
    if (key)
        json_string(t->of->report, t->row, key, c->words.text);
}

void result_append(struct result_table *t, const char *fmt, ...)
{
    struct result_cell *c = t && t->n_cells ? &t->cells[t->n_cells - 1] : NULL;

    if (!c)
        return;
    LENGTHEN(t->of, &c->words, false);
}

void result_bool(struct result_table *t, bool value)
{
    const char *key;
    struct result_cell *c = next(t, &key);

    if (!c)
        return;
    c->kind = value ? RESULT_YES : RESULT_NO;
    if (key)
        json_bool(t->of->report, t->row, key, value);
}

void result_unknown(struct result_table *t, const char *fmt, ...)
{
    const char *key;
    struct result_cell *c = next(t, &key);

    if (!c)
        return;
    c->kind = RESULT_MISSING;
    LENGTHEN(t->of, &c->words, false);
    if (key)
        json_null(t->of->report, t->row, key);
}

void result_none(struct result_table *t)
{
    result_unknown(t, "-");
}

void result_skip(struct result_table *t, size_t n)
{
    const char *key;
    struct result_cell *c;

    while (t && t->n_cells % t->n_columns && t->n_columns - t->n_cells % t->n_columns > n && (c = next(t, &key)))
        c->kind = RESULT_SKIPPED;
}
