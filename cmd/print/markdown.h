/* SPDX-License-Identifier: Apache-2.0 */
/* markdown.h - words from outside within GitHub's Markdown. */
#ifndef DELEGAUGE_CMD_MARKDOWN_H
#define DELEGAUGE_CMD_MARKDOWN_H

#include <stdio.h>

/* Writes text as a span of code: whatever it holds is shown as it is, but for line breaks and tabs, which become blanks, and for
 * what is no UTF-8 or no text, which becomes U+FFFD. Empty text is `""`. */
void markdown_code(FILE *to, const char *text);

/* The same in a cell of a table, which a | would end: there, and only there, it is written as \|. */
void markdown_cell(FILE *to, const char *text);

#endif
