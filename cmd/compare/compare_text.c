/* SPDX-License-Identifier: Apache-2.0 */
/* compare_text.c - the comparison as tables, in text or Markdown. */
#include <math.h>
#include <string.h>

#include "cmd/compare/compare.h"
#include "cmd/host/say.h"
#include "cmd/print/text_table.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* With fewer runs a side the test seldom shows anything, and one odd run decides. */
enum { FEW_RUNS = 9 };

static const char *int64_half(enum verdict v)
{
    static const char *const words[] = {"not tested", "no difference shown", "faster", "slower"};

    return words[v];
}

static void put_comparison(struct text_table *t, const struct comparison *c)
{
    table_cell(t, "%.4g", c->old_median / 1e3);
    table_cell(t, "%.4g", c->new_median / 1e3);
    table_cell(t, "%.3f", c->change.ratio);
    if (isnan(c->change.interval.low))
        table_cell(t, "-");
    else
        table_cell(t, "%.3f to %.3f", c->change.interval.low, c->change.interval.high);
    table_cell(t, isnan(c->p_adjusted) ? "-" : "%.2g", c->p_adjusted);
    table_cell(t, "%s", int64_half(c->verdict));
}

#define COMPARISON_COLUMNS                                                                                                         \
    {"old ms", true}, {"new ms", true}, {"new/old", true}, {"95 % interval", true}, {"p", true},                                   \
    {                                                                                                                              \
        "verdict", false                                                                                                           \
    }

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static enum status say_pairs(const struct compare *c, struct err *err)
{
    static const struct table_column columns[] = {{"report", false}, {"model", false}, {"runs", true}, COMPARISON_COLUMNS};
    struct text_table t = {.columns = columns, .n_columns = COUNT(columns)};

    for (size_t i = 0; i < c->n_pairs; i++) {
        const struct compare_pair *p = &c->pairs[i];

        table_cell(&t, "%s", base_name(p->after->path));
        table_cell(&t, "%s", base_name(p->after->model));
        table_cell(&t, "%zu, %zu", p->whole.n_old, p->whole.n_new);
        put_comparison(&t, &p->whole);
    }
    return table_say(&t, c->flags.markdown, err);
}

/* Without --verbose only those that changed. */
static enum status say_ops(const struct compare *c, const struct compare_pair *p, struct err *err)
{
    static const struct table_column columns[] = {{"operator", false}, {"name", false}, COMPARISON_COLUMNS};
    struct text_table t = {.columns = columns, .n_columns = COUNT(columns)};
    size_t left_out = 0;
    enum status st;

    if (!p->n_ops)
        return ST_OK;
    for (size_t i = 0; i < p->n_ops; i++) {
        const struct compare_op_pair *op = &p->ops[i];

        if (!c->tool.verbose && op->times.verdict != VERDICT_FASTER && op->times.verdict != VERDICT_SLOWER) {
            left_out++;
            continue;
        }
        table_cell(&t, "%s", op->op->type);
        table_cell(&t, "%s", op->op->name);
        put_comparison(&t, &op->times);
    }
    say_text("\nOperators of %s, p with Holm's correction for their number (%zu):\n\n", base_name(p->after->path), p->n_ops);
    if (left_out < p->n_ops && (st = table_say(&t, c->flags.markdown, err)))
        return st;
    if (left_out)
        say_text("%s%zu of %zu %s: no difference shown (--verbose lists them).\n", left_out < p->n_ops ? "\n" : "", left_out,
                 p->n_ops, p->n_ops == 1 ? "operator" : "operators");
    if (p->n_only_before || p->n_only_after)
        say_text("Operators of one report alone: %zu of the old one, %zu of the new one.\n", p->n_only_before, p->n_only_after);
    return ST_OK;
}

static void warn_of_pair(const struct compare_pair *p)
{
    char runs[SAY_COUNT_SIZE];

    for (size_t i = 0; i < p->n_differences; i++) {
        const struct compare_difference *d = &p->differences[i];
        char name[80], before[120], after[120];

        say_warn("%s: %s was \"%s\", is \"%s\"%s", base_name(p->after->path), say_clean(d->what, name, sizeof name),
                 say_clean(d->old_value, before, sizeof before), say_clean(d->new_value, after, sizeof after),
                 d->bars ? ": another measurement, compared because of --allow_differences" : "");
    }
    if (p->whole.n_old < FEW_RUNS || p->whole.n_new < FEW_RUNS)
        say_warn("%s: %s against %zu: fewer than %d on a side show little", base_name(p->after->path),
                 say_count(p->whole.n_old, "run", runs), p->whole.n_new, FEW_RUNS);
    if (p->before->interrupted || p->after->interrupted)
        say_warn("%s: %s was interrupted: its figures cover the runs until then", base_name(p->after->path),
                 p->before->interrupted ? "the old run" : "the new run");
}

static void warn_of_unmatched(const struct compare *c)
{
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < c->n_skipped[i]; k++)
            say_warn("%s; left out", c->skipped[i][k].why);
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < c->n_unmatched[i]; k++)
            say_warn("%s has no counterpart, so it is not compared", c->unmatched[i][k]->path);
}

static void say_ends(const struct compare *c)
{
    say_text("\nThe verdict is the two-sided Mann-Whitney U test's at alpha %g%s; the interval is that of the ratio of medians.\n",
             c->flags.alpha, c->n_pairs > 1 ? ", p with Holm's correction for the number of reports" : "");
    for (size_t i = 0; i < c->n_pairs; i++) {
        const struct compare_pair *p = &c->pairs[i];

        if (p->regression)
            say_text("Regression: %s is slower by %.1f %%, more than the %g %% of --fail_if_slower.\n", base_name(p->after->path),
                     100 * (p->whole.change.ratio - 1), 100 * c->threshold);
    }
    if (!c->n_regressions)
        say_text("No regression: nothing is shown to be slower by more than the %g %% of --fail_if_slower.\n", 100 * c->threshold);
}

enum status compare_say(const struct compare *c, struct err *err)
{
    enum status st;

    for (size_t i = 0; i < c->n_pairs; i++)
        warn_of_pair(&c->pairs[i]);
    warn_of_unmatched(c);
    if ((st = say_pairs(c, err)))
        return st;
    for (size_t i = 0; i < c->n_pairs; i++)
        if ((st = say_ops(c, &c->pairs[i], err)))
            return st;
    say_ends(c);
    return ST_OK;
}
