/* SPDX-License-Identifier: Apache-2.0 */
/* markdown.h - words from outside within GitHub's Markdown. */
#pragma once

#include <stdio.h>

/* Write text as a span of code: it is shown unchanged, except that line breaks and tabs become blanks, and bytes that are no UTF-8
 * or no text become U+FFFD. Empty text is `""`. */
void markdown_code(FILE *to, const char *text);

/* Write the same in a cell of a table, which a | would end: there, and only there, it is written as \|. */
void markdown_cell(FILE *to, const char *text);
