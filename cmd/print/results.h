/* SPDX-License-Identifier: Apache-2.0 */
/* results.h - a tool's results as one tree: sections of sentences, figures, tables and charts. Text, pages, Markdown, CSV and JSON
 * are renderings of it, so that a result is described once.
 *
 *   static const struct result_column columns[] = {{.key = "op", .title = "operator", .pad = "%-24s", .heading = "operator"},
 *                                                  {.key = "us", .title = "ms", .pad = " %9s", .number = "%.3f"}};
 *   results_init(&r, (const char *const[]){"Operators"}, 1, true);
 *   t = results_table(r.parts[0], columns, 2, json_array(r.report, report_root(r.report), "operators"));
 *
 *   result_text(t, "%s", name), result_number(t, us);
 *   result_line(r.parts[0], RESULT_PLAIN, "%u operators in all.", n);
 *   st = results_say(r.parts[0], RESULT_TEXT, &err);
 *
 * The tree copies all texts, which may hold any bytes: control characters become '?' in lines, and in cells of text; pages escape
 * for themselves. A failed allocation is remembered, and makes rendering fail; builders need not check, and every function accepts
 * the NULL of one that found no memory. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "cmd/print/html.h"
#include "cmd/print/report.h"
#include "lib/base/arena.h"

enum { RESULT_MOST_PARTS = 32 };

struct result_section;
struct result_table;

struct results {
    struct report *report;                           /* members of JSON; NULL: none is wanted, and builders accept that */
    struct result_section *parts[RESULT_MOST_PARTS]; /* sections; NULL if memory ran out, which builders accept, too */
    struct arena arena;
    bool failed; /* memory ran out */
};

/* Make *r a tree of n empty sections; `json`: with an empty report, which is part of it. On a page a section begins with its
 * heading in headings[n], which may be NULL as a whole, unless that is NULL or nothing of the section is for pages; text has none.
 */
void results_init(struct results *r, const char *const *headings, size_t n, bool json);
void results_fini(struct results *r); /* accepts zeros */

/* The places of a line: one in text, one on pages, or one of them alone. */
enum result_line {
    RESULT_TITLE = 1,    /* plain text */
    RESULT_LOG = 2,      /* text behind "INFO: " */
    RESULT_ALERT = 3,    /* a warning, to stderr */
    RESULT_NOTE = 4,     /* a paragraph of a page */
    RESULT_ITEM = 8,     /* one of several that belong to the note before */
    RESULT_CAUTION = 12, /* one that stands out */

    RESULT_PLAIN = RESULT_TITLE | RESULT_NOTE, /* an item if it begins with blanks */
    RESULT_INFO = RESULT_LOG | RESULT_NOTE,
    RESULT_DOUBT = RESULT_LOG | RESULT_CAUTION,
    RESULT_WARNING = RESULT_ALERT | RESULT_CAUTION,
    RESULT_GOOD = 16, /* beside another kind: green on a terminal, yellow, red */
    RESULT_FAIR = 32,
    RESULT_BAD = 64,
    RESULT_WHOLE = 128, /* beside RESULT_LOG and RESULT_TITLE: a line of TFLite's tools, or a command to copy: never broken */
    RESULT_LINE_IN_TEXT = 3,
    RESULT_LINE_ON_PAGE = 12
};

/* Add a line; lengthen the last line; add an empty line, which pages leave out. */
void result_line(struct result_section *s, enum result_line kind, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void result_more(struct result_section *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void result_gap(struct result_section *s);

#define RESULT_WIDTH 80

/* Add a text as lines of at most RESULT_WIDTH columns, broken at blanks; further lines begin with `indent` blanks. A word that is
 * longer has a line of its own. */
void result_wrapped(struct result_section *s, enum result_line kind, int indent, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Add a large figure of a page, as html_figure has it. */
void result_figure(struct result_section *s, const char *name, const char *detail, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Add a bar of a page, as html_bar has it: `share` of the whole. */
void result_bar(struct result_section *s, const char *label, double share, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Add a drawing for pages alone: `draw` is called with `arg` when the page is made. */
typedef enum status (*result_draw)(struct html *h, const void *arg, struct err *err);
void result_chart(struct result_section *s, result_draw draw, const void *arg);

/* A column in each rendering; NULL leaves it out of that one. */
struct result_column {
    const char *key;     /* member of a row in JSON */
    const char *title;   /* in text and Markdown */
    const char *pad;     /* printf format of title and cells in text, with all blanks around: " %7s"; NULL: as wide as the widest */
    const char *number;  /* printf format of a number in text; NULL: a whole number */
    const char *heading; /* on pages */
    const char *shown;   /* printf format of a number on pages; NULL: as `number` if that is NULL, else four significant digits */
    double scale;        /* of a number in text and on pages: 1e-3 shows microseconds as milliseconds; 0: 1 */
    enum { RESULT_QUOTED, RESULT_CODE, RESULT_AS_IS } markdown; /* of texts: markup quoted, a span of code, or our own words */
    bool right; /* set to the right where columns are as wide as the widest cell, and on pages */
};

/* Common columns of pages alone: numbers of four significant digits; whole numbers, and texts on the right. */
#define PAGE_FIGURE(title) .heading = (title), .number = "%g", .right = true
#define PAGE_NUMBER(title) .heading = (title), .right = true

/* Add a table; cells follow, row by row. The texts of columns are borrowed. A table without rows is not on pages. Each row is an
 * object of `list` (NULL: not in JSON), whose members are written at once, so that members of other kinds may be added to
 * result_row between the cells. */
struct result_table *results_table(struct result_section *s, const struct result_column *columns, size_t n, struct json *list);

/* Add the next cell: a number; a text; "yes" or "no"; no value: "-", and null in JSON; no value, for a reason that is shown. */
void result_number(struct result_table *t, double value);
void result_text(struct result_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void result_bool(struct result_table *t, bool value);
void result_none(struct result_table *t);
void result_unknown(struct result_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Add several numbers: RESULT_NUMBERS(t, first, last). */
void result_numbers(struct result_table *t, const double *list, size_t n);
#define RESULT_NUMBERS(t, ...)                                                                                                     \
    result_numbers(t, (const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

/* Lengthen the text of the last cell, which has no key. */
void result_append(struct result_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Return the JSON object of the row that the next cell belongs to; NULL without JSON. */
struct json *result_row(struct result_table *t);

/* Leave all cells of the row empty from here on, but for the last `n`; in text without their pads. */
void result_skip(struct result_table *t, size_t n);

enum result_form { RESULT_TEXT, RESULT_MARKDOWN }; /* of tables; lines are the same in both */

/* Print a section to standard output and its warnings to stderr, as say.h does; print all of it to `to`, without prefixes. Both
 * fail only with ST_NOMEM. */
enum status results_say(const struct result_section *s, enum result_form form, struct err *err);
enum status results_print(const struct result_section *s, enum result_form form, FILE *to, struct err *err);

/* For lines that are printed while work goes on: return the only section of a tree of its own; print it as text, unless `st` is a
 * failure, and free the tree. The second returns `st`, or its own failure. */
struct result_section *results_alone(void);
enum status results_say_alone(struct result_section *s, enum status st, struct err *err);

/* Write the tables of a section as CSV (RFC 4180): keys as titles, numbers of nine digits; NaN and infinities are empty. */
enum status results_csv(const struct result_section *s, FILE *to, struct err *err);

/* Print parts [n] of a tree, in that order, as results_say does. */
enum status results_say_parts(const struct results *r, const int *parts, size_t n, struct err *err);

/* Write parts [n] of a tree, in that order, as Markdown to a file, whole or not at all, or to standard output for "-". Fails with
 * ST_NOMEM, and as file_write does. */
enum status results_write_markdown(const struct results *r, const int *parts, size_t n, const char *path, struct err *err);

/* Add parts to a page, in that order, write it to `path`, and free it. Fails with ST_NOMEM, as charts do, and as html_write does.
 */
enum status results_write_page(const struct results *r, const int *parts, size_t n, struct html *h, const char *path,
                               struct err *err);

#define RESULT_SHOWN_SIZE 32

/* Write a figure as pages show it: four significant digits; "NaN" and "∞" if it is not finite. Returns `out`. */
const char *result_shown(double value, char out[RESULT_SHOWN_SIZE]);
