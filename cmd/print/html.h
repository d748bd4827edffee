/* SPDX-License-Identifier: Apache-2.0 */
/* html.h - a report as one HTML page that needs nothing beside it: headings, sentences, figures, tables; html_chart.h has the
 * charts.
 *
 *   struct html *h = html_new("Title", "what it is about");
 *
 *   html_section(h, "Times");
 *   html_table(h, columns, 2);
 *   html_cell(h, "%s", name), html_cell(h, "%.3f", ms);
 *   st = html_write(h, path, &err);
 *   html_free(h);
 *
 * The page is well-formed as XML too, loads nothing (a policy in it forbids that), is light or dark as the reader's system is, and
 * fits 360 pixels as well as a wide window. All text is escaped here, what is no UTF-8 and what XML forbids becomes U+FFFD: names
 * of a model may hold anything. What is open (a table, a section) is closed by what comes next.
 *
 * A failed allocation makes html_write fail, so that builders need not check each step. Every function accepts the NULL of a
 * html_new that found no memory. */
#ifndef DELEGAUGE_CMD_HTML_H
#define DELEGAUGE_CMD_HTML_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

struct html;

/* NULL when memory runs out; html_write then says so. */
struct html *html_new(const char *title, const char *subtitle);

/* What a page has of its own: more style, and a script, which the page's policy lets run by its hash and which is the last thing in
 * it. Both are constant text; the script has neither < nor &, so that it is the same to readers of HTML and of XML. */
struct html_own {
    const char *style, *script;
    const char *script_hash; /* the policy's: "sha256-" and base64 of SHA-256 */
};

/* html_new with `own`, which is borrowed until html_write. */
struct html *html_new_with(const char *title, const char *subtitle, const struct html_own *own);
void html_free(struct html *h); /* accepts NULL */

/* A heading, and what follows below it. */
void html_section(struct html *h, const char *heading);

/* A paragraph. */
void html_note(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same, one of several that belong to the note before. */
void html_item(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* The same, to be noticed: what makes the numbers doubtful. */
void html_warning(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* One figure, large: "Median", "7.701 ms", "95 % interval 7.6 to 7.8 ms". Those that follow one another stand side by side.
 * `detail` may be "". */
void html_figure(struct html *h, const char *name, const char *value, const char *detail);

struct html_column {
    const char *title;
    bool number; /* set to the right, in figures of one width; others hold words */
};

/* Begins a table; the columns are borrowed until it ends. Its cells follow, row by row. */
void html_table(struct html *h, const struct html_column *columns, size_t n);
void html_cell(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Writes the page to `path`, whole or not at all. */
enum status html_write(struct html *h, const char *path, struct err *err);

#endif
