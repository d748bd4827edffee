/* SPDX-License-Identifier: Apache-2.0 */
/* wrap.c - columns are counted as characters, each one wide. */
#include "cmd/host/wrap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h> /* bionic has the size of windows there */
#include <unistd.h>

enum { FURTHER = 4, MOST_COLUMNS = 10000 };

unsigned wrap_columns(FILE *to)
{
    const char *set = getenv("COLUMNS");
    const long columns = set ? strtol(set, NULL, 10) : 0;
    struct winsize size;

    if (!isatty(fileno(to)))
        return 0;
    if (columns > 0 && columns <= MOST_COLUMNS)
        return (unsigned)columns;
    return ioctl(fileno(to), TIOCGWINSZ, &size) ? 0 : size.ws_col;
}

/* Of n bytes: those that begin a character, outside of escape sequences, which end with a letter. */
static size_t width_of(const char *text, size_t n)
{
    bool escape = false;
    size_t width = 0;

    for (size_t i = 0; i < n; i++) {
        const unsigned char c = (unsigned char)text[i];

        escape = escape || c == '\033';
        width += !escape && (c & 0xc0) != 0x80;
        escape = escape && !((c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'));
    }
    return width;
}

static void wrap(FILE *to, const char *line, size_t n, unsigned columns, unsigned indent)
{
    size_t at = 0;

    if (!columns || *line == '=' || memchr(line, '\t', n) || width_of(line, n) <= columns) {
        fprintf(to, "%.*s\n", (int)n, line);
        return;
    }
    for (const char *end = line + n; line < end;) {
        const char *word = line, *next;

        while (word < end && *word == ' ')
            word++;
        for (next = word; next < end && *next != ' ';)
            next++;
        if (at && at + width_of(line, (size_t)(next - line)) > columns) {
            at = (size_t)fprintf(to, "\n%*s", (int)indent, "") - 1;
            line = word;
        }
        fprintf(to, "%.*s", (int)(next - line), line);
        at += width_of(line, (size_t)(next - line));
        line = next;
    }
    fputc('\n', to);
}

void wrap_line(FILE *to, const char *line, unsigned columns, unsigned indent)
{
    wrap(to, line, strlen(line), columns, indent);
}

void wrap_lines(FILE *to, const char *text, unsigned columns)
{
    for (;;) {
        const size_t n = strcspn(text, "\n");

        wrap(to, text, n, columns, (unsigned)strspn(text, " ") + FURTHER);
        if (!text[n])
            return;
        text += n + 1;
    }
}
