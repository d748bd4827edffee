/* SPDX-License-Identifier: Apache-2.0 */
/* results_impl.h - the tree of results as its renderings see it. */
#pragma once

#include "cmd/print/results.h"

enum result_kind { RESULT_IS_LINE, RESULT_IS_FIGURE, RESULT_IS_BAR, RESULT_IS_TABLE, RESULT_IS_CHART };

/* A text that may grow; NULL: empty. */
struct result_words {
    char *text;
    size_t n, room; /* bytes: of the text, without its end; of the memory */
};

struct result_cell {
    enum { RESULT_WORDS, RESULT_NUMBER, RESULT_YES, RESULT_NO, RESULT_MISSING, RESULT_SKIPPED } kind;
    struct result_words words;
    double number;
};

struct result_table {
    struct results *of;
    const struct result_column *columns;
    size_t n_columns;
    struct result_cell *cells; /* row by row */
    size_t n_cells, capacity;
    struct json *list, *row;
    size_t row_of; /* 1 + the first cell of `row`; 0: no row was begun */
};

struct result_element {
    enum result_kind kind;
    enum result_line line;
    struct result_words words; /* of a line, or the value of a figure or bar */
    const char *name, *detail;
    double share;
    struct result_table *table;
    result_draw draw;
    const void *arg;
    struct result_element *next;
};

struct result_section {
    struct results *of;
    const char *heading;
    struct result_element *first, **end, *last;
};

/* Return the words of a cell that is no number. */
const char *result_words_of(const struct result_cell *c);

/* A number as text and pages show it. */
double result_scaled(const struct result_column *column, double value);
