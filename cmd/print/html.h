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
 * fits 360 pixels as well as a wide window. All text is escaped here; bytes that are no UTF-8 and characters that XML forbids
 * become U+FFFD: names of a model may hold anything. The next element closes an open one (a table, a section).
 *
 * A failed allocation makes html_write fail, so that builders need not check each step. Every function accepts the NULL of a
 * html_new that found no memory. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

struct html;

/* Return a new page; NULL if memory runs out, html_write then says so. */
struct html *html_new(const char *title, const char *subtitle);

/* A page's own additions: more style, and a script, which the page's policy lets run by its hash and which is the last thing in it;
 * NULL: none. Both are constant text; the script has neither < nor &, so that it is the same to readers of HTML and of XML. */
struct html_own {
    const char *style, *script;
    const char *script_hash; /* the policy's: "sha256-" and base64 of SHA-256 */
    bool pictures;           /* the policy lets pictures be shown that are within the page */
};

/* Return a new page with `own`, which is borrowed until html_write. */
struct html *html_new_with(const char *title, const char *subtitle, const struct html_own *own);
void html_free(struct html *h); /* accepts NULL */

/* Begin a section: a heading, with all later elements below it. */
void html_section(struct html *h, const char *heading);

/* Add a paragraph. */
void html_note(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Add one paragraph of several that belong to the note before. */
void html_item(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Add a paragraph that stands out: a reason to doubt the numbers. */
void html_warning(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Add one large figure: "Median", "7.701 ms", "95 % interval 7.6 to 7.8 ms". Consecutive figures stand side by side. `detail` may
 * be "". */
void html_figure(struct html *h, const char *name, const char *value, const char *detail);

struct html_column {
    const char *title;
    bool number; /* set to the right, in figures of one width; others hold words */
};

/* Begin a table; the columns are borrowed until it ends. Its cells follow, row by row. */
void html_table(struct html *h, const struct html_column *columns, size_t n);
void html_cell(struct html *h, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Write the page to `path`, whole or not at all. */
enum status html_write(struct html *h, const char *path, struct err *err);
