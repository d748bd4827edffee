/* SPDX-License-Identifier: Apache-2.0 */
/* label_colors.c - palettes and class maps, line by line. */
#include "lib/eval/label_colors.h"

#include <string.h>

#include "lib/base/flag.h"

#define BLANKS " \t"

/* Cut a word off; "" at the end. */
static const char *word_of(char **rest)
{
    char *word = *rest + strspn(*rest, BLANKS), *end = word + strcspn(word, BLANKS);

    *rest = *end ? end + 1 : end;
    *end = '\0';
    return word;
}

static enum status read_color(char *line, uint8_t rgb[3], const char **name)
{
    for (int i = 0; i < 3; i++) {
        int64_t v;

        if (!flag_read_int(word_of(&line), 0, 255, &v))
            return ST_USAGE;
        rgb[i] = (uint8_t)v;
    }
    *name = line + strspn(line, BLANKS);
    return ST_OK;
}

/* Insert the label into those before it; false: its color is there. */
static bool put_in_order(const uint8_t (*rgb)[3], uint32_t label, uint32_t *by_color)
{
    uint32_t at = label;

    for (; at > 0; at--) {
        const int order = memcmp(rgb[by_color[at - 1]], rgb[label], 3);

        if (!order)
            return false;
        if (order < 0)
            break;
        by_color[at] = by_color[at - 1];
    }
    by_color[at] = label;
    return true;
}

enum status label_colors_read(const struct label_lines *lines, const char *what, struct arena *a, struct label_colors *out,
                              struct err *err)
{
    uint8_t(*rgb)[3] = arena_alloc(a, lines->n, sizeof *rgb);
    const char **name = ARENA_ARRAY(a, lines->n, const char *);
    uint32_t *by_color = ARENA_ARRAY(a, lines->n, uint32_t);

    if (!rgb || !name || !by_color)
        return err_set(err, ST_NOMEM, "%s: out of memory for %u colors", what, lines->n);
    if (lines->n > LABEL_MAX_CLASSES)
        return err_set(err, ST_USAGE, "%s has %u colors; at most %d are read", what, lines->n, LABEL_MAX_CLASSES);
    for (uint32_t i = 0; i < lines->n; i++) {
        char *line = arena_strdup(a, lines->line[i]);

        if (!line)
            return err_set(err, ST_NOMEM, "%s: out of memory for %u colors", what, lines->n);
        if (read_color(line, rgb[i], &name[i]))
            return err_set(err, ST_USAGE, "%s: line %u, '%.60s': expected red, green and blue from 0 to 255, and a name", what,
                           i + 1, lines->line[i]);
        if (!put_in_order((const uint8_t(*)[3])rgb, i, by_color))
            return err_set(err, ST_USAGE, "%s: line %u, '%.60s': another line has this color", what, i + 1, lines->line[i]);
    }
    *out = (struct label_colors){lines->n, (const uint8_t(*)[3])rgb, name, by_color};
    return ST_OK;
}

bool label_colors_find(const struct label_colors *c, const uint8_t rgb[3], uint32_t *label)
{
    uint32_t from = 0, to = c->n;

    while (from < to) {
        const uint32_t middle = (from + to) / 2;
        const int order = memcmp(c->rgb[c->by_color[middle]], rgb, 3);

        *label = c->by_color[middle];
        if (!order)
            return true;
        if (order < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return false;
}

void label_color_usual(uint32_t label, uint8_t rgb[3])
{
    memset(rgb, 0, 3);
    for (uint32_t bit = 0; bit < 24; bit++)
        rgb[bit % 3] |= (uint8_t)((label >> bit & 1) << (7 - bit / 3));
}

/* ---- meanings ---- */

void label_meaning_init(struct label_meaning *m, uint32_t n_classes, int32_t ignored)
{
    for (uint32_t i = 0; i < LABEL_MAX_CLASSES; i++)
        m->class[i] = i < n_classes ? (uint16_t)i : LABEL_UNKNOWN;
    if (ignored >= 0 && ignored < LABEL_MAX_CLASSES)
        m->class[ignored] = LABEL_NONE;
}

static bool read_class(const char *word, uint32_t n_classes, uint16_t *class)
{
    int64_t v = LABEL_NONE;

    if (strcmp(word, "-") != 0 && !flag_read_int(word, 0, (int64_t)n_classes - 1, &v))
        return false;
    *class = (uint16_t)v;
    return true;
}

enum status label_meaning_read(struct label_meaning *m, const struct label_lines *lines, uint32_t n_classes, const char *what,
                               struct err *err)
{
    uint16_t others = LABEL_UNKNOWN;
    bool listed[LABEL_MAX_CLASSES] = {false};

    for (uint32_t i = 0; i < lines->n; i++) {
        char text[64], *rest = text;
        const char *from, *to;
        int64_t label = 0;
        uint16_t class;
        bool all;

        snprintf(text, sizeof text, "%s", lines->line[i]);
        from = word_of(&rest);
        to = word_of(&rest);
        all = !strcmp(from, "*");
        if (strlen(lines->line[i]) >= sizeof text || *word_of(&rest) || !read_class(to, n_classes, &class) ||
            (!all && !flag_read_int(from, 0, LABEL_MAX_CLASSES - 1, &label)))
            return err_set(err, ST_USAGE,
                           "%s: line %u, '%.60s': expected a label from 0 to %d and a class from 0 to %u, or - for ignored ones",
                           what, i + 1, lines->line[i], LABEL_MAX_CLASSES - 1, n_classes - 1);
        if (all ? others != LABEL_UNKNOWN : listed[label])
            return err_set(err, ST_USAGE, "%s: line %u: label %s has a line already", what, i + 1, from);
        if (all) {
            others = class;
        } else {
            listed[label] = true;
            m->class[label] = class;
        }
    }
    for (uint32_t i = 0; i < LABEL_MAX_CLASSES; i++)
        if (!listed[i] && m->class[i] != LABEL_NONE)
            m->class[i] = others;
    return ST_OK;
}
