/* SPDX-License-Identifier: Apache-2.0 */
/* wrap.h - breaks lines at blanks where they go to a terminal that is narrower.
 *
 * Files and pipes get every line whole, since scripts read a fact a line. */
#pragma once

#include <stdio.h>

/* Return the columns of the terminal that `to` writes to, or COLUMNS of the environment in their place; 0 if it is no terminal or
 * has no known width. */
unsigned wrap_columns(FILE *to);

/* Write a line and its newline. A line of more than `columns` (0: any number) is broken at blanks, rather at several, as between
 * cells of a table, than at one; further lines begin with `indent` blanks. A longer word stays whole, and so do lines with tabs,
 * which a terminal aligns, and headings between signs of equality. Escape sequences take no columns. */
void wrap_line(FILE *to, const char *line, unsigned columns, unsigned indent);

/* Write the lines of a text, and a newline behind the last, as wrap_line does; further lines begin four columns behind the line. */
void wrap_lines(FILE *to, const char *text, unsigned columns);
