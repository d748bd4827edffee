/* SPDX-License-Identifier: Apache-2.0 */
/* diff_page_found.c - what else was asked for, on the page: other precisions and delegates, the reason, the search, the remedy. */
#include "cmd/diff/diff_page.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { MAX_COLUMNS = 16 };

static enum status put_matrix(struct html *h, const struct comparison *c, struct err *err)
{
    struct html_column columns[MAX_COLUMNS];
    struct text_table t;
    enum status st;

    if (!c->matrix.n)
        return ST_OK;
    html_section(h, "Delegates and precisions");
    diff_matrix_table(c, &t);
    for (size_t i = 0; i < t.n_columns; i++)
        columns[i] = (struct html_column){t.columns[i].title, t.columns[i].number};
    html_table(h, columns, t.n_columns);
    for (size_t i = 0; i < t.n_cells; i++)
        html_cell(h, "%s", t.cells[i]);
    st = t.failed ? err_set(err, ST_NOMEM, "out of memory for a table")
                  : page_put_said(h, c, diff_matrix_say_notes, PAGE_NOTES, err);
    html_note(h, "All other sections are about the first row.");
    table_free(&t);
    return st;
}

static enum status put_why(struct html *h, const struct comparison *c, struct err *err)
{
    if (!c->flags.why && !c->why.compared)
        return ST_OK;
    html_section(h, "Why");
    return page_put_said(h, c, diff_why_say, PAGE_NOTES, err);
}

static void put_steps(struct html *h, const struct comparison *c)
{
    static const struct html_column columns[] = {{"step", true},      {"first node", true},    {"last node", true},
                                                 {"delegated", true}, {"largest error", true}, {"off", false}};
    char value[PAGE_FIGURE_SIZE];

    html_table(h, columns, COUNT(columns));
    for (uint32_t i = 0; i < c->bisect.n_steps; i++) {
        const struct bisection_step *s = &c->bisect.steps[i];

        html_cell(h, "%u", i + 1);
        html_cell(h, "%u", s->first);
        html_cell(h, "%u", s->last);
        html_cell(h, "%u", s->n_delegated);
        html_cell(h, "%s", page_figure(s->max_error, value));
        html_cell(h, "%s", s->off ? "yes" : "no");
    }
}

static enum status put_bisect(struct html *h, const struct comparison *c, struct err *err)
{
    enum status st;

    if (!c->flags.bisect)
        return ST_OK;
    html_section(h, "Bisection");
    if ((st = page_put_said(h, c, diff_bisect_say_terms, PAGE_NOTES, err)) || !c->bisect.done)
        return st;
    if ((st = page_put_said(h, c, diff_bisect_say_found, PAGE_NOTES, err)))
        return st;
    put_steps(h, c);
    return ST_OK;
}

enum status page_put_found(struct html *h, const struct comparison *c, struct err *err)
{
    enum status st;

    if ((st = put_matrix(h, c, err)) || (st = put_why(h, c, err)) || (st = put_bisect(h, c, err)))
        return st;
    if (*c->flags.extract) {
        html_section(h, "Extracted");
        if ((st = page_put_said(h, c, diff_extract_say, PAGE_NOTES, err)))
            return st;
    }
    if (!c->flags.auto_fp32)
        return ST_OK;
    html_section(h, "Remedy");
    if (!c->remedy.done)
        html_note(h, "Nothing was searched: %s.",
                  c->test.assignment.n_delegated ? "the runs were ended before" : "no node was delegated");
    return page_put_said(h, c, diff_fp32_say, PAGE_NOTES, err);
}
