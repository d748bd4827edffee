/* SPDX-License-Identifier: Apache-2.0 */
/* compare_text.c - the comparison as tables, in text or Markdown. */
#include <math.h>
#include <string.h>

#include "cmd/compare/compare.h"
#include "cmd/host/say.h"
#include "cmd/print/results.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* With fewer runs a side the test seldom shows anything, and one odd run decides. */
enum { FEW_RUNS = 9 };

static const char *int64_half(enum verdict v)
{
    static const char *const words[] = {"not tested", "no difference shown", "faster", "slower"};

    return words[v];
}

#define COMPARISON_COLUMNS                                                                                                         \
    {.title = "old ms", .number = "%.4g", .right = true}, {.title = "new ms", .number = "%.4g", .right = true},                    \
        {.title = "new/old", .number = "%.3f", .right = true}, {.title = "95 % interval", .right = true},                          \
        {.title = "p", .number = "%.2g", .right = true},                                                                           \
    {                                                                                                                              \
        .title = "verdict"                                                                                                         \
    }

static void add_comparison(struct result_table *t, const struct comparison *c)
{
    RESULT_NUMBERS(t, c->old_median / 1e3, c->new_median / 1e3, c->change.ratio);
    if (isnan(c->change.interval.low))
        result_none(t);
    else
        result_text(t, "%.3f to %.3f", c->change.interval.low, c->change.interval.high);
    if (isnan(c->p_adjusted))
        result_none(t);
    else
        result_number(t, c->p_adjusted);
    result_text(t, "%s", int64_half(c->verdict));
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

static void add_pairs(struct result_section *to, const struct compare *c)
{
    static const struct result_column columns[] = {
        {.title = "report"}, {.title = "model"}, {.title = "runs", .right = true}, COMPARISON_COLUMNS};
    struct result_table *t = results_table(to, columns, COUNT(columns), NULL);

    for (size_t i = 0; i < c->n_pairs; i++) {
        const struct compare_pair *p = &c->pairs[i];

        result_text(t, "%s", base_name(p->after->path));
        result_text(t, "%s", base_name(p->after->model));
        result_text(t, "%zu, %zu", p->whole.n_old, p->whole.n_new);
        add_comparison(t, &p->whole);
    }
}

/* Without --verbose only those that changed. */
static bool is_told(const struct compare *c, const struct compare_op_pair *op)
{
    return c->tool.verbose || op->times.verdict == VERDICT_FASTER || op->times.verdict == VERDICT_SLOWER;
}

static void add_ops(struct result_section *to, const struct compare *c, const struct compare_pair *p)
{
    static const struct result_column columns[] = {{.title = "operator"}, {.title = "name"}, COMPARISON_COLUMNS};
    struct result_table *t = NULL;
    size_t told = 0;

    if (!p->n_ops)
        return;
    result_gap(to);
    result_line(to, RESULT_PLAIN, "Operators of %s, p with Holm's correction for their number (%zu):", base_name(p->after->path),
                p->n_ops);
    result_gap(to);
    for (size_t i = 0; i < p->n_ops; i++) {
        const struct compare_op_pair *op = &p->ops[i];

        if (!is_told(c, op))
            continue;
        if (!told++)
            t = results_table(to, columns, COUNT(columns), NULL);
        result_text(t, "%s", op->op->type);
        result_text(t, "%s", op->op->name);
        add_comparison(t, &op->times);
    }
    if (told && told < p->n_ops)
        result_gap(to);
    if (told < p->n_ops)
        result_line(to, RESULT_PLAIN, "%zu of %zu %s: no difference shown (--verbose lists them).", p->n_ops - told, p->n_ops,
                    p->n_ops == 1 ? "operator" : "operators");
    if (p->n_only_before || p->n_only_after)
        result_line(to, RESULT_PLAIN, "Operators of one report alone: %zu of the old one, %zu of the new one.", p->n_only_before,
                    p->n_only_after);
}

static void warn_of_pair(struct result_section *to, const struct compare_pair *p)
{
    char runs[SAY_COUNT_SIZE];

    for (size_t i = 0; i < p->n_differences; i++) {
        const struct compare_difference *d = &p->differences[i];

        result_line(to, RESULT_WARNING, "%s: %.79s was \"%.119s\", is \"%.119s\"%s", base_name(p->after->path), d->what,
                    d->old_value, d->new_value, d->bars ? ": another measurement, compared because of --allow_differences" : "");
    }
    if (p->whole.n_old < FEW_RUNS || p->whole.n_new < FEW_RUNS)
        result_line(to, RESULT_WARNING, "%s: %s against %zu: fewer than %d on a side show little", base_name(p->after->path),
                    say_count(p->whole.n_old, "run", runs), p->whole.n_new, FEW_RUNS);
    if (p->before->interrupted || p->after->interrupted)
        result_line(to, RESULT_WARNING, "%s: %s was interrupted: its figures cover the runs until then", base_name(p->after->path),
                    p->before->interrupted ? "the old run" : "the new run");
}

static void warn_of_unmatched(struct result_section *to, const struct compare *c)
{
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < c->n_skipped[i]; k++)
            result_line(to, RESULT_WARNING, "%s; left out", c->skipped[i][k].why);
    for (int i = 0; i < 2; i++)
        for (size_t k = 0; k < c->n_unmatched[i]; k++)
            result_line(to, RESULT_WARNING, "%s has no counterpart, so it is not compared", c->unmatched[i][k]->path);
}

static void add_ends(struct result_section *to, const struct compare *c)
{
    result_gap(to);
    result_line(to, RESULT_PLAIN,
                "The verdict is the two-sided Mann-Whitney U test's at alpha %g%s; the interval is that of the ratio of medians.",
                c->flags.alpha, c->n_pairs > 1 ? ", p with Holm's correction for the number of reports" : "");
    for (size_t i = 0; i < c->n_pairs; i++) {
        const struct compare_pair *p = &c->pairs[i];

        if (p->regression)
            result_line(to, RESULT_PLAIN, "Regression: %s is slower by %.1f %%, more than the %g %% of --fail_if_slower.",
                        base_name(p->after->path), 100 * (p->whole.change.ratio - 1), 100 * c->threshold);
    }
    if (!c->n_regressions)
        result_line(to, RESULT_PLAIN, "No regression: nothing is shown to be slower by more than the %g %% of --fail_if_slower.",
                    100 * c->threshold);
}

enum status compare_say(const struct compare *c, struct err *err)
{
    struct result_section *to = results_alone();

    for (size_t i = 0; i < c->n_pairs; i++)
        warn_of_pair(to, &c->pairs[i]);
    warn_of_unmatched(to, c);
    add_pairs(to, c);
    for (size_t i = 0; i < c->n_pairs; i++)
        add_ops(to, c, &c->pairs[i]);
    add_ends(to, c);
    return results_say_alone(to, c->flags.markdown ? RESULT_MARKDOWN : RESULT_TEXT, ST_OK, err);
}
