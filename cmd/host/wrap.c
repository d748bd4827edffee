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

/* Bytes that go before a break: all of them if they fit into `room` columns, else those before the last blanks within. Several
 * blanks stand between cells of a table, so that they come first if at least half a line is before them. */
static size_t fitting(const char *line, size_t n, size_t room)
{
    size_t single = 0, several = 0, at = 0;

    for (size_t i = 0, end; i < n; i = end) {
        size_t word = i;

        while (word < n && line[word] == ' ')
            word++;
        for (end = word; end < n && line[end] != ' ';)
            end++;
        single = i;
        several = word - i > 1 && at >= room / 2 ? i : several;
        at += width_of(line + i, end - i);
        if (at > room && single)
            return several ? several : single;
    }
    return n;
}

static void wrap(FILE *to, const char *line, size_t n, unsigned columns, unsigned indent)
{
    const bool whole = !columns || *line == '=' || memchr(line, '\t', n);
    size_t room = columns, part;

    while (!whole && (part = fitting(line, n, room)) < n) {
        fprintf(to, "%.*s\n%*s", (int)part, line, (int)indent, "");
        part += strspn(line + part, " ");
        line += part;
        n -= part;
        room = columns > indent ? columns - indent : 1;
    }
    fprintf(to, "%.*s\n", (int)n, line);
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
