/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_several.c - many models, one line each: those of a folder, or of the command line. */
#include "cmd/coverage/coverage_several.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/coverage/coverage_words.h"
#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/host/text_file.h"
#include "cmd/print/text_table.h"
#include "cmd/tool/models.h"
#include "lib/base/outcome.h"

bool coverage_is_several(const struct coverage_run *r)
{
    return models_are_several(&r->tool.cli, r->flags.graph);
}

/* Flags of files that one model alone fills. */
static enum status check_flags(const struct coverage_run *r, struct err *err)
{
    static const char *const of_one[] = {"html", "dot", "node_data_dir", "extract_partitions", "times", "fix"};

    for (size_t i = 0; i < sizeof of_one / sizeof *of_one; i++) {
        const struct cli_row *row = cli_find(&r->tool.cli, of_one[i]);
        char buf[CLI_VALUE_SIZE];

        if (row && *cli_value(row, buf))
            return err_set(err, ST_USAGE, "--%s is for one model, and there are several", of_one[i]);
    }
    return ST_OK;
}

/* What is kept of a model that was asked about. */
static void take_figures(struct coverage_run *r, struct coverage_row *row)
{
    const struct coverage *c = &r->coverage;

    row->nodes = c->n_verdicts, row->covered = c->covered, row->folded = c->folded, row->to_run = c->to_run;
    row->partitions = c->parts.n_parts;
    row->macs = c->macs, row->macs_covered = c->macs_covered;
    row->bytes_in = c->bytes_in, row->bytes_out = c->bytes_out;
    row->runs_nowhere = c->cannot_run != NULL;
    row->met = coverage_is_met(r);
    row->requirements = r->requirements;
}

static enum status take_sets(const struct coverage_run *r, struct coverage_row *row, struct arena *a, struct err *err)
{
    row->n_sets = r->n_columns;
    if (r->n_columns && !(row->sets = ARENA_ARRAY(a, r->n_columns, struct coverage_row_set)))
        return err_set(err, ST_NOMEM, "out of memory for the answers of %u rule sets", r->n_columns);
    for (uint32_t i = 0; i < r->n_columns; i++) {
        const struct coverage_column *c = &r->columns[i];

        row->sets[i] = (struct coverage_row_set){arena_strdup(a, c->name), arena_strdup(a, c->title),
                                                 coverage_answers_of(c->coverage), c->requirements};
        if (!row->sets[i].name || !row->sets[i].title)
            return err_set(err, ST_NOMEM, "out of memory for the name of a rule set");
    }
    return ST_OK;
}

/* The reason of the first node that was itself refused, else of any that is not covered. */
static enum status take_reason(struct coverage_run *r, struct coverage_row *row, struct arena *a, struct err *err)
{
    const struct coverage *c = &r->coverage;
    const struct verdict *v = c->first_refused;
    char words[COVERAGE_WORDS_SIZE];

    for (uint32_t i = 0; i < c->n_verdicts && !v; i++)
        v = c->verdicts[i].why.code != REASON_NONE ? &c->verdicts[i] : NULL;
    row->reason = !v ? "" : arena_printf(a, "%u %s: %s", v->node->index, v->node->name, coverage_words(r, v, words));
    return row->reason ? ST_OK : err_set(err, ST_NOMEM, "out of memory for the line of a model");
}

static void add_to(struct coverage_row *total, const struct coverage_row *row)
{
    total->nodes += row->nodes, total->covered += row->covered, total->folded += row->folded, total->to_run += row->to_run;
    total->partitions += row->partitions;
    total->macs += row->macs, total->macs_covered += row->macs_covered;
    total->bytes_in += row->bytes_in, total->bytes_out += row->bytes_out;
}

/* A model that cannot be asked about keeps no other from being. */
static enum status ask_all(struct coverage_run *r, struct coverage_several *s, struct err *err)
{
    interrupt_catch();
    for (s->n_asked = 0; s->n_asked < s->n && !interrupted(); s->n_asked++) {
        struct coverage_row *row = &s->rows[s->n_asked];
        enum status st;

        if ((row->failed = coverage_ask_model(r, row->path, err))) {
            if (strncmp(err->msg, row->path, strlen(row->path)) != 0)
                err_prefix(err, row->failed, "%s", row->path);
            say_error(row->failed, err);
            row->reason = arena_strdup(&s->arena, err->msg);
            s->n_failed++;
            st = row->reason ? ST_OK : err_set(err, ST_NOMEM, "out of memory for the line of a model");
        } else {
            take_figures(r, row);
            add_to(&s->total, row);
            s->n_full += row->covered == row->to_run && !row->runs_nowhere;
            s->n_met += row->met;
            st = take_reason(r, row, &s->arena, err);
            st = st ? st : take_sets(r, row, &s->arena, err);
        }
        coverage_forget_model(r);
        if (st)
            return st;
    }
    return ST_OK;
}

/* ---- as text ---- */

static double share(uint64_t part, uint64_t all)
{
    return all ? 100.0 * (double)part / (double)all : 100;
}

/* `whole`: of the CPU kernels, which have no partitions. */
static void put_figures(struct text_table *t, const struct coverage_row *row, bool whole)
{
    table_cell(t, "%u", row->covered);
    table_cell(t, "%u", row->to_run);
    table_cell(t, "%.1f", share(row->covered, row->to_run));
    table_cell(t, "%.1f", share(row->macs_covered, row->macs));
    if (whole) {
        table_cell(t, "-");
        table_cell(t, "-");
        return;
    }
    table_cell(t, "%u", row->partitions);
    table_cell(t, "%" PRIu64, row->bytes_in + row->bytes_out);
}

static void put_row(struct text_table *t, const struct coverage_row *row, bool whole)
{
    const size_t end = t->n_cells + t->n_columns - 1;

    table_cell(t, "%s", row->path);
    if (row->failed)
        table_cell(t, "failed");
    else
        put_figures(t, row, whole);
    while (t->n_cells < end && !t->failed)
        table_cell(t, "%s", "");
    table_cell(t, "%s", *row->reason ? row->reason : "-");
}

/* Who else was asked, and how many nodes each takes. */
static enum status say_sets(const struct coverage_several *s, bool markdown, struct err *err)
{
    struct table_column columns[1 + COVERAGE_MOST_COLUMNS] = {{"nodes covered by", false}};
    struct text_table t = {.columns = columns, .n_columns = 1};
    uint32_t total[COVERAGE_MOST_COLUMNS] = {0};

    for (uint32_t i = 0; i < s->n_asked && t.n_columns == 1; i++)
        for (uint32_t k = 0; k < s->rows[i].n_sets; k++)
            columns[t.n_columns++] = (struct table_column){s->rows[i].sets[k].name, true};
    if (t.n_columns < 3)
        return ST_OK;
    for (uint32_t i = 0; i < s->n_asked; i++) {
        table_cell(&t, "%s", s->rows[i].path);
        for (uint32_t k = 0; k + 1 < t.n_columns; k++)
            if (k < s->rows[i].n_sets) {
                table_cell(&t, "%u", s->rows[i].sets[k].answers.delegated);
                total[k] += s->rows[i].sets[k].answers.delegated;
            } else {
                table_cell(&t, "%s", k ? "-" : "failed");
            }
    }
    table_cell(&t, "all");
    for (uint32_t k = 0; k + 1 < t.n_columns; k++)
        table_cell(&t, "%u", total[k]);
    say_text("\n");
    return table_say(&t, markdown, err);
}

static enum status say_table(const struct coverage_several *s, bool markdown, struct err *err)
{
    static const struct table_column columns[] = {{"model", false},      {"covered", true}, {"of", true},
                                                  {"%", true},           {"MACs %", true},  {"partitions", true},
                                                  {"bytes cross", true}, {"why not", false}};
    struct text_table t = {.columns = columns, .n_columns = sizeof columns / sizeof *columns};

    for (uint32_t i = 0; i < s->n_asked; i++)
        put_row(&t, &s->rows[i], s->of_cpu);
    table_cell(&t, "all");
    put_figures(&t, &s->total, s->of_cpu);
    table_cell(&t, "-");
    return table_say(&t, markdown, err);
}

/* By all that were asked. */
static bool is_met(const struct coverage_row *row, uint32_t k)
{
    bool met = !row->failed && row->requirements.list[k].met;

    for (uint32_t i = 0; i < row->n_sets; i++)
        met &= row->sets[i].requirements.list[k].met;
    return met;
}

/* `by`: one of several rule sets, or NULL. */
static void say_unmet(const struct coverage_row *row, const struct requirements *q, const char *by)
{
    char path[1024], name[128], text[128];

    for (uint32_t k = 0; k < q->n; k++)
        if (!q->list[k].met)
            say_text("Not met by %s%s%s: %s, %s\n", say_clean(row->path, path, sizeof path), by ? ", " : "",
                     by ? say_clean(by, name, sizeof name) : "", say_clean(q->list[k].text, text, sizeof text), q->list[k].found);
}

static void say_requirements(const struct coverage_several *s)
{
    const struct requirements *q = NULL;

    for (uint32_t i = 0; i < s->n_asked && !q; i++)
        q = s->rows[i].failed ? NULL : &s->rows[i].requirements;
    for (uint32_t k = 0; q && k < q->n; k++) {
        uint32_t met = 0;
        char text[128];

        for (uint32_t i = 0; i < s->n_asked; i++)
            met += is_met(&s->rows[i], k);
        say_text("Required of each: %s: met by %u of %u models\n", say_clean(q->list[k].text, text, sizeof text), met, s->n_asked);
    }
    for (uint32_t i = 0; i < s->n_asked; i++) {
        const struct coverage_row *row = &s->rows[i];

        if (!row->failed && row->n_sets < 2)
            say_unmet(row, &row->requirements, NULL);
        for (uint32_t k = 0; row->n_sets > 1 && k < row->n_sets; k++)
            say_unmet(row, &row->sets[k].requirements, row->sets[k].name);
    }
}

static enum status say_all(const struct coverage_several *s, bool markdown, struct err *err)
{
    char models[SAY_COUNT_SIZE];
    enum status st = say_table(s, markdown, err);

    st = st ? st : say_sets(s, markdown, err);
    say_text("\n%s: %u covered whole, %u in part or not, %u failed\n", say_count(s->n_asked, "model", models), s->n_full,
             s->n_asked - s->n_full - s->n_failed, s->n_failed);
    if (s->n_asked < s->n)
        say_text("Interrupted: %u others were not asked about\n", s->n - s->n_asked);
    say_requirements(s);
    return st;
}

static enum status write_markdown(const struct coverage_run *r, const struct coverage_several *s, struct err *err)
{
    struct text_file f;
    enum status st = text_file_begin(&f, err);

    if (st)
        return st;
    say_divert(f.to);
    st = say_all(s, true, err);
    say_divert(NULL);
    if (st)
        text_file_drop(&f);
    return st ? st : text_file_end(&f, r->flags.markdown, err);
}

static enum status report_all(const struct coverage_run *r, const struct coverage_several *s, struct err *err)
{
    enum status st = say_all(s, false, err);

    if (!st && *r->flags.markdown)
        st = write_markdown(r, s, err);
    if (!st && *r->tool.json)
        st = coverage_several_write_json(r, s, err);
    return st;
}

/* Of the first that failed, else whether all have what is required. */
static int exit_code(const struct coverage_several *s)
{
    for (uint32_t i = 0; i < s->n_asked; i++)
        if (s->rows[i].failed)
            return status_exit_code(s->rows[i].failed);
    return outcome_exit_code(outcome_of(s->n_met == s->n_asked, s->n_asked < s->n));
}

int coverage_several(struct coverage_run *r)
{
    struct coverage_several s = {.of_cpu = !coverage_asks_one(r)};
    const char **paths;
    struct err err;
    enum status st;
    int code;

    if (!(st = check_flags(r, &err)) && !(st = models_find(&r->tool.cli, r->flags.graph, &s.arena, &paths, &s.n, &err)) &&
        !(s.rows = ARENA_ARRAY(&s.arena, s.n, struct coverage_row)))
        st = err_set(&err, ST_NOMEM, "out of memory for %u models", s.n);
    for (uint32_t i = 0; i < s.n && !st; i++) {
        s.rows[i].path = paths[i];
        st = tool_keep_model(&r->tool, paths[i], &err);
    }
    if (st || (st = ask_all(r, &s, &err)) || (st = report_all(r, &s, &err)))
        code = say_error(st, &err);
    else
        code = exit_code(&s);
    arena_free(&s.arena);
    return code;
}
