/* SPDX-License-Identifier: Apache-2.0 */
/* diff_runtimes.c - --all_runtimes=FILE: a row of the matrix for each line, NAME: DELEGATE --flag=value ... */
#include <stdlib.h>
#include <string.h>

#include "cmd/diff/inference_diff.h"

/* A word of a line, which ends there; NULL: none. */
static char *next_word(char **rest)
{
    char *word;

    do
        word = strsep(rest, " \t");
    while (word && !*word);
    return word;
}

static enum status set_flag(const struct delegate_choice *choice, void *options, char *word, struct err *err)
{
    char *value = strchr(word, '=');

    if (value)
        *value++ = '\0';
    for (const struct flag *f = choice->type->flags; f->name && !strncmp(word, "--", 2); f++)
        if (!strcmp(f->name, word + 2) && !flag_is_fixed(f))
            return flag_set(f, options, value ? value : "true", err);
    return err_set(err, ST_USAGE, "'%.60s' is no flag of the delegate %s", word, choice->type->name);
}

/* The row of a line that is neither empty nor a comment. */
static enum status read_line(struct comparison *c, char *line, struct matrix_row *row, struct err *err)
{
    char *rest = strchr(line, ':'), *word;
    struct delegate_choice *choice = NULL;
    enum status st = ST_OK;

    if (rest)
        *rest++ = '\0';
    if (!rest || !(word = next_word(&rest)))
        return err_set(err, ST_USAGE, "'%.60s' is no line NAME: DELEGATE --flag=value ...", line);
    row->name = line;
    if (!strcmp(word, "none"))
        return ST_OK;
    if ((st = delegates_find(&c->tool.delegates, "all_runtimes", word, &choice, err)))
        return st;
    choice->also = true;
    row->choice = choice;
    if (!(row->options = malloc(choice->type->options_size + 1)))
        return err_set(err, ST_NOMEM, "out of memory");
    memcpy(row->options, choice->options, choice->type->options_size);
    while (!st && (word = next_word(&rest)))
        st = set_flag(choice, row->options, word, err);
    return st;
}

enum status diff_runtimes_read(struct comparison *c, struct err *err)
{
    struct matrix *m = &c->matrix;
    enum { MOST = 1 << 16 };
    FILE *f = fopen(c->flags.all_runtimes, "r");
    char *rest, *line;
    enum status st = ST_OK;

    if (!f)
        return err_set(err, ST_IO, "--all_runtimes=%.200s: cannot be read", c->flags.all_runtimes);
    if ((rest = m->text = malloc(MOST + 1)))
        m->text[fread(m->text, 1, MOST, f)] = '\0';
    fclose(f);
    if (!m->text)
        return err_set(err, ST_NOMEM, "out of memory");
    m->rows[m->n++] = (struct matrix_row){.name = "this CPU's kernels"}; /* the row that cannot fail to open */
    while (!st && (line = strsep(&rest, "\r\n"))) {
        line += strspn(line, " \t");
        if (!*line || *line == '#')
            continue;
        if (m->n == MATRIX_MAX_ROWS)
            return err_set(err, ST_USAGE, "--all_runtimes: more than %d rows", MATRIX_MAX_ROWS - 1);
        if ((st = read_line(c, line, &m->rows[m->n++], err)))
            st = err_prefix(err, st, "--all_runtimes=%.100s", c->flags.all_runtimes);
    }
    return st;
}
