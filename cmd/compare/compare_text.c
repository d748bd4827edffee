/* SPDX-License-Identifier: Apache-2.0 */
/* compare_text.c - the comparison as tables, in text or Markdown. */
#include <math.h>
#include <string.h>

#include "cmd/compare/compare.h"
#include "cmd/host/say.h"
#include "cmd/print/results.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* With fewer runs a side the test seldom shows anything, and one odd run decides. */
enum { FEW_RUNS = 9, SIDE_NAME_SIZE = 120 };

static const char *verdict_text(enum verdict v)
{
    static const char *const texts[] = {"not tested", "undecided", "faster", "slower"};

    return texts[v];
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
    result_text(t, "%s", verdict_text(c->verdict));
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? slash + 1 : path;
}

/* The name of a side's reports: that of the first, and how many there are beside it. */
static const char *side_name(const struct compare_pair *p, int side, char out[SIDE_NAME_SIZE])
{
    const char *first = base_name(p->sides[side][0]->path);

    if (p->n_sides[side] == 1)
        snprintf(out, SIDE_NAME_SIZE, "%s", first);
    else
        snprintf(out, SIDE_NAME_SIZE, "%.*s and %zu more", SIDE_NAME_SIZE - 40, first, p->n_sides[side] - 1);
    return out;
}

static bool has_several(const struct compare_pair *p)
{
    return p->n_sides[0] > 1 || p->n_sides[1] > 1;
}

/* Whether any pair has several processes a side, or, with `several` false, one. */
static bool any_pair(const struct compare *c, bool several)
{
    bool any = false;

    for (size_t i = 0; i < c->n_pairs; i++)
        any |= has_several(&c->pairs[i]) == several;
    return any;
}

static void add_pairs(struct result_section *to, const struct compare *c)
{
    const bool several = any_pair(c, true);
    const struct result_column columns[] = {
        {.title = "report"}, {.title = "model"}, {.title = several ? "processes" : "runs", .right = true}, COMPARISON_COLUMNS};
    struct result_table *t = results_table(to, columns, COUNT(columns), NULL);
    char name[SIDE_NAME_SIZE];

    for (size_t i = 0; i < c->n_pairs; i++) {
        const struct compare_pair *p = &c->pairs[i];

        result_text(t, "%s", side_name(p, 1, name));
        result_text(t, "%s", base_name(p->sides[1][0]->model));
        result_text(t, "%zu, %zu", several ? p->n_sides[0] : p->whole.n_old, several ? p->n_sides[1] : p->whole.n_new);
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
    char name[SIDE_NAME_SIZE];
    size_t told = 0;

    if (!p->n_ops)
        return;
    result_gap(to);
    result_line(to, RESULT_PLAIN, "Operators of %s, p with Holm's correction for their number (%zu):", side_name(p, 1, name),
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

/* Whether two doubts are the same but for their figures. */
static bool same_doubt(const char *a, const char *b)
{
    static const char figures[] = "0123456789.";

    for (;; a++, b++) {
        a += strspn(a, figures);
        b += strspn(b, figures);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* The reports of a side that have a doubt like this one. */
static size_t with_doubt(const struct compare_report *const *reports, size_t n, const char *doubt)
{
    size_t with = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < reports[i]->n_doubts; k++)
            with += same_doubt(reports[i]->doubts[k], doubt);
    return with;
}

/* One line for each doubt that reports of a side have, however many have it. */
static void warn_of_doubts(struct result_section *to, const struct compare_report *const *reports, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < reports[i]->n_doubts; k++) {
            const char *doubt = reports[i]->doubts[k];
            const size_t others = with_doubt(reports + i + 1, n - i - 1, doubt);
            char more[32] = "";

            if (with_doubt(reports, i, doubt))
                continue;
            if (others)
                snprintf(more, sizeof more, " and %zu more", others);
            result_line(to, RESULT_WARNING, "%s%s: %.199s", base_name(reports[i]->path), more, doubt);
        }
}

static void warn_of_sides(struct result_section *to, const struct compare_pair *p)
{
    for (int side = 0; side < 2; side++) {
        warn_of_doubts(to, (const struct compare_report *const *)p->sides[side], p->n_sides[side]);
        for (size_t i = 0; i < p->n_sides[side]; i++)
            if (p->sides[side][i]->interrupted)
                result_line(to, RESULT_WARNING, "%s was interrupted: its figures cover the runs until then",
                            base_name(p->sides[side][i]->path));
    }
    if (p->one_after_other)
        result_line(to, RESULT_WARNING,
                    "%s: all reports of one side are older than those of the other, so that a drift of the machine counts as a "
                    "change: take turns",
                    base_name(p->sides[1][0]->path));
}

static void warn_of_pair(struct result_section *to, const struct compare_pair *p)
{
    const char *after = base_name(p->sides[1][0]->path);
    char runs[SAY_COUNT_SIZE];

    for (size_t i = 0; i < p->n_differences; i++) {
        const struct compare_difference *d = &p->differences[i];

        result_line(to, RESULT_WARNING, "%s: %.79s was \"%.119s\", is \"%.119s\"%s", after, d->what, d->old_value, d->new_value,
                    d->bars ? ": another measurement, compared because of --allow_differences" : "");
    }
    if (!has_several(p) && (p->whole.n_old < FEW_RUNS || p->whole.n_new < FEW_RUNS))
        result_line(to, RESULT_WARNING, "%s: %s against %zu: fewer than %d on a side show little", after,
                    say_count(p->whole.n_old, "run", runs), p->whole.n_new, FEW_RUNS);
    warn_of_sides(to, p);
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

/* What several processes tell that one cannot. */
static void add_spread(struct result_section *to, const struct compare_pair *p)
{
    char name[SIDE_NAME_SIZE];

    if (!isfinite(p->whole.between))
        return;
    result_line(to, RESULT_PLAIN, "%s: medians differ by %.2g %% from process to process.%s", side_name(p, 1, name),
                100 * p->whole.between, p->whole.paired ? " Both sides took turns, so they are compared in pairs." : "");
    if (p->whole.within > p->whole.between)
        result_line(to, RESULT_PLAIN, "%s: the runs of a process leave its median open by %.2g %%: more runs would help.", name,
                    100 * p->whole.within);
}

/* What --fail_if_slower comes to. */
static void add_gate(struct result_section *to, const struct compare *c, const struct compare_pair *p)
{
    const double percent = 100 * c->threshold;
    const size_t more = comparison_more_processes(&p->whole, 1 + c->threshold);
    char name[SIDE_NAME_SIZE];

    side_name(p, 1, name);
    if (p->gate == GATE_BEYOND)
        result_line(to, RESULT_PLAIN, "Regression: %s is slower by %.1f %%, more than the %g %% of --fail_if_slower.", name,
                    100 * (p->whole.change.ratio - 1), percent);
    else if (p->gate == GATE_UNDECIDED && more)
        result_line(
            to, RESULT_PLAIN,
            "Undecided: about %zu more %s a side would tell whether %s is slower by more than the %g %% of --fail_if_slower.", more,
            more == 1 ? "process" : "processes", name, percent);
    else if (p->gate == GATE_UNDECIDED && has_several(p))
        result_line(to, RESULT_PLAIN,
                    "Undecided: the interval of %s does not leave out the %g %% of --fail_if_slower, and a thousand processes "
                    "would not tell either.",
                    name, percent);
}

static void add_ends(struct result_section *to, const struct compare *c)
{
    bool within = true;

    result_gap(to);
    for (size_t i = 0; i < c->n_pairs; i++)
        add_spread(to, &c->pairs[i]);
    result_line(to, RESULT_PLAIN, "The verdict is %s at alpha %g%s; the interval is that of the ratio.",
                any_pair(c, true) ? "that of Student's t test of the processes' medians" : "the two-sided Mann-Whitney U test's",
                c->flags.alpha, c->n_pairs > 1 ? ", p with Holm's correction for the number of comparisons" : "");
    if (any_pair(c, false))
        result_line(to, RESULT_PLAIN,
                    "Of one process a side only changes above %g %% are shown: two processes of one program may differ by that. "
                    "Compare several, OLD*.json -- NEW*.json.",
                    100 * (COMPARISON_FLOOR - 1));
    for (size_t i = 0; i < c->n_pairs; i++) {
        add_gate(to, c, &c->pairs[i]);
        within &= c->pairs[i].gate == GATE_WITHIN;
    }
    if (within)
        result_line(to, RESULT_PLAIN, "No regression: slower by more than the %g %% of --fail_if_slower is ruled out.",
                    100 * c->threshold);
    else if (!c->n_regressions)
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
