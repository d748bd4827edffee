/* SPDX-License-Identifier: Apache-2.0 */
/* text_table.h - a table of words and figures on standard output, as aligned text or as Markdown.
 *
 *   struct text_table t = { .columns = columns, .n_columns = 2 };
 *
 *   table_cell(&t, "%s", name), table_cell(&t, "%.3f", ms);
 *   st = table_say(&t, false, &err);
 *
 * Names may hold anything: control characters become '?', and in Markdown characters that would be markup are quoted. A failed
 * allocation is remembered until table_say. */
#ifndef DELEGAUGE_CMD_TEXT_TABLE_H
#define DELEGAUGE_CMD_TEXT_TABLE_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

struct table_column {
    const char *title;
    bool number; /* set to the right */
};

struct text_table {
    const struct table_column *columns; /* borrowed */
    size_t n_columns;
    char **cells; /* row by row */
    size_t n_cells, capacity;
    bool failed;
};

/* Add the next cell, from left to right, then in the next row. */
void table_cell(struct text_table *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Print titles and full rows as say_text does, and empty the table. Fails only with ST_NOMEM. */
enum status table_say(struct text_table *t, bool markdown, struct err *err);

/* Empty the table without printing. */
void table_free(struct text_table *t);

#endif
