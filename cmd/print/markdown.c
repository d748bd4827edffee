/* SPDX-License-Identifier: Apache-2.0 */
/* markdown.c - a span of code ends at as many backticks as it began with, so it begins with one more than it holds in a row. */
#include "cmd/print/markdown.h"

#include <stdbool.h>

#include "cmd/host/utf8.h"

static int longest_run(const char *text, char c)
{
    int longest = 0, run = 0;

    for (; *text; text++) {
        run = *text == c ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    return longest;
}

static void put_fence(FILE *to, int n)
{
    while (n-- > 0)
        fputc('`', to);
}

static void put_span(FILE *to, const char *text, bool in_table)
{
    const int fence = longest_run(text, '`') + 1;
    /* One blank at either end is taken off; without it, a backtick there would be part of the fence. */
    const char *pad = fence > 1 || *text == ' ' ? " " : "";

    if (!*text)
        text = "\"\"";
    put_fence(to, fence);
    fputs(pad, to);
    while (*text) {
        const size_t n = utf8_length(text);

        if (!n || !utf8_is_text(text))
            fputs("\xef\xbf\xbd", to);
        else if (*text == '\n' || *text == '\t')
            fputc(' ', to);
        else
            fprintf(to, "%s%.*s", in_table && *text == '|' ? "\\" : "", (int)n, text);
        text += n ? n : 1;
    }
    fputs(pad, to);
    put_fence(to, fence);
}

void markdown_code(FILE *to, const char *text)
{
    put_span(to, text, false);
}

void markdown_cell(FILE *to, const char *text)
{
    put_span(to, text, true);
}
