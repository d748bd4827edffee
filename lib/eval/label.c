/* SPDX-License-Identifier: Apache-2.0 */
/* label.c - lines, and classes sorted by name. */
#include "lib/eval/label.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/flag.h"

#define MOST_LINES (1u << 24)

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static uint32_t count_lines(const char *text, size_t bytes)
{
    uint32_t n = 1;

    for (size_t i = 0; i < bytes && n < MOST_LINES; i++)
        n += text[i] == '\n';
    return n;
}

/* The line from text[from] on, up to `end`. */
static char *copy_line(const char *text, size_t from, size_t end, struct arena *a)
{
    char *line;

    while (from < end && is_blank(text[from]))
        from++;
    while (end > from && is_blank(text[end - 1]))
        end--;
    line = arena_alloc(a, end - from + 1, 1);
    if (line)
        memcpy(line, text + from, end - from);
    return line;
}

enum status label_split(const char *text, size_t bytes, bool dense, const char *what, struct arena *a, struct label_lines *out,
                        struct err *err)
{
    const uint32_t most = count_lines(text, bytes);
    size_t from = bytes >= 3 && !memcmp(text, "\xef\xbb\xbf", 3) ? 3 : 0;

    *out = (struct label_lines){0};
    if (bytes && memchr(text, '\0', bytes))
        return err_set(err, ST_USAGE, "%s is no text: it has a zero byte", what);
    if (most >= MOST_LINES)
        return err_set(err, ST_USAGE, "%s has %u lines or more", what, MOST_LINES);
    if (!(out->line = ARENA_ARRAY(a, most, const char *)))
        return err_set(err, ST_NOMEM, "%s: out of memory for %u lines", what, most);
    for (; from < bytes; from++) {
        const char *end = memchr(text + from, '\n', bytes - from);
        const size_t stop = end ? (size_t)(end - text) : bytes;
        char *line = copy_line(text, from, stop, a);

        if (!line)
            return err_set(err, ST_NOMEM, "%s: out of memory for %u lines", what, most);
        if (*line || !dense)
            out->line[out->n++] = line;
        from = stop;
    }
    while (out->n && !*out->line[out->n - 1])
        out->n--;
    return ST_OK;
}

/* Which one goes first, by name, then by number; for qsort, which passes nothing else. */
struct named {
    const char *name;
    uint32_t index;
};

static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    const int order = strcmp(x->name, y->name);

    return order ? order : x->index < y->index ? -1 : x->index > y->index;
}

static enum status sort_names(struct label_space *s, uint32_t *same, uint32_t *sorted, struct err *err)
{
    struct named *list = malloc(s->n * sizeof *list);

    if (!list)
        return err_set(err, ST_NOMEM, "out of memory for %u classes", s->n);
    for (uint32_t i = 0; i < s->n; i++) {
        same[i] = i;
        if (s->name[i])
            list[s->n_named++] = (struct named){s->name[i], i};
    }
    qsort(list, s->n_named, sizeof *list, by_name);
    for (uint32_t i = 0; i < s->n_named; i++) {
        sorted[i] = list[i].index;
        if (i && !strcmp(list[i].name, list[i - 1].name))
            same[list[i].index] = same[list[i - 1].index];
    }
    free(list);
    return ST_OK;
}

enum status label_space_init(struct label_space *s, uint32_t n, const struct label_lines *lines, int32_t offset, const char *what,
                             struct arena *a, struct err *err)
{
    uint32_t *same = ARENA_ARRAY(a, n, uint32_t), *sorted = ARENA_ARRAY(a, n, uint32_t);

    *s = (struct label_space){.n = n, .name = ARENA_ARRAY(a, n, const char *), .same = same, .sorted = sorted};
    if (!s->name || !same || !sorted)
        return err_set(err, ST_NOMEM, "%s: out of memory for %u classes", what, n);
    if (lines && (int64_t)lines->n + offset != n)
        return err_set(err, ST_USAGE, "%s: %u labels, where the model has %u classes%s", what, lines->n, n,
                       offset                       ? " and an offset is given"
                       : (int64_t)lines->n + 1 == n ? " (if its class 0 is a background without a label: --model_labels_offset=1)"
                                                    : "");
    for (uint32_t i = 0; lines && i < lines->n; i++) {
        const int64_t at = (int64_t)i + offset;

        if (at >= 0 && at < n && *lines->line[i])
            s->name[at] = lines->line[i];
    }
    return sort_names(s, same, sorted, err);
}

bool label_find(const struct label_space *s, const char *name, uint32_t *out)
{
    uint32_t low = 0, high = s->n_named;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (strcmp(s->name[s->sorted[middle]], name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == s->n_named || strcmp(s->name[s->sorted[low]], name))
        return false;
    *out = s->sorted[low];
    return true;
}

bool label_number(const struct label_space *s, const char *text, int32_t offset, uint32_t *out)
{
    int64_t v;

    if (!flag_read_int(text, INT32_MIN, INT32_MAX, &v) || v + offset < 0 || v + offset >= s->n)
        return false;
    *out = (uint32_t)(v + offset);
    return true;
}

const char *label_name(const struct label_space *s, uint32_t i, char out[LABEL_NAME_SIZE])
{
    if (s->name[i])
        return s->name[i];
    snprintf(out, LABEL_NAME_SIZE, "%u", i);
    return out;
}
