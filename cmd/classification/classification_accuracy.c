/* SPDX-License-Identifier: Apache-2.0 */
/* classification_accuracy.c - top-1 to top-k of each side, their agreement, and the verdict. */
#include <math.h>

#include "cmd/classification/classification_results.h"
#include "cmd/host/interrupt.h"
#include "cmd/tool/report_parts.h"
#include "lib/eval/wilson.h"

/* As TFLite's tool prints them. */
static void add_runs(struct result_section *to, const struct classification *e)
{
    eval_add_runs(to, &e->base);
    for (uint32_t i = 0; i < e->n_ranks && e->base.n_done; i++)
        result_line(to, RESULT_LOG, "Top-%u Accuracy: %g", i + 1, (double)e->right[0][i] / (double)e->base.n_done);
}

static double share(uint64_t k, uint64_t n)
{
    return n ? (double)k / (double)n : NAN;
}

static void add_share(struct result_table *t, uint64_t right, uint64_t n)
{
    const struct interval range = wilson_interval(right, n);

    result_number(t, (double)right);
    result_number(t, 100 * share(right, n));
    if (n)
        result_text(t, "%.2f to %.2f", 100 * range.low, 100 * range.high);
    else
        result_none(t);
}

#define SHARE_COLUMNS(of)                                                                                                          \
    {.title = (of), .heading = (of), .right = true}, {.title = "%", .number = "%.2f", .heading = "%", .right = true},              \
    {                                                                                                                              \
        .title = "95 % interval", .heading = "95 % interval", .right = true                                                        \
    }

static void add_table(struct result_section *to, const struct classification *e)
{
    const char *first = e->base.sides[0].name, *second = e->base.sides[1].name;
    const struct result_column columns[] = {{.title = "rank", .heading = "rank"}, SHARE_COLUMNS(first), SHARE_COLUMNS(second)};
    struct result_table *t;

    result_gap(to);
    result_line(to, RESULT_PLAIN, "Right among the first answers, of %llu pictures:", (unsigned long long)e->base.n_done);
    result_gap(to);
    t = results_table(to, columns, 1 + 3 * (size_t)e->base.n_sides, NULL);
    for (uint32_t i = 0; i < e->n_ranks; i++) {
        result_text(t, "top-%u", i + 1);
        for (uint32_t s = 0; s < e->base.n_sides; s++)
            add_share(t, e->right[s][i], e->base.n_done);
    }
}

static void put_share(struct report *r, struct json *o, uint64_t k, uint64_t n)
{
    const struct interval range = wilson_interval(k, n);

    JSON_NUMBERS(r, o, {"right", (double)k}, {"accuracy", share(k, n)}, {"low", range.low}, {"high", range.high});
}

static void put_sides(struct report *r, const struct classification *e)
{
    struct json *list = json_array(r, report_root(r), "sides");

    for (uint32_t s = 0; s < e->base.n_sides; s++) {
        struct json *o = json_object(r, list, NULL), *ranks;

        eval_put_side(r, o, &e->base, s);
        json_number(r, o, "nan_pictures", (double)e->n_nan[s]);
        ranks = json_array(r, o, "accuracy");
        for (uint32_t i = 0; i < e->n_ranks; i++) {
            struct json *rank = json_object(r, ranks, NULL);

            json_number(r, rank, "rank", i + 1);
            put_share(r, rank, e->right[s][i], e->base.n_done);
        }
    }
}

void classification_accuracy_results(struct results *r, const struct classification *e)
{
    add_runs(r->parts[CLASSIFICATION_RUNS], e);
    add_table(r->parts[CLASSIFICATION_ACCURACY], e);
    for (uint32_t s = 0; s < e->base.n_sides; s++)
        if (e->n_nan[s])
            result_line(r->parts[CLASSIFICATION_ACCURACY], RESULT_WARNING, "the %s gave NaN scores for %llu of %llu pictures",
                        e->base.sides[s].name, (unsigned long long)e->n_nan[s], (unsigned long long)e->base.n_done);
    eval_add_cut(r->parts[CLASSIFICATION_ACCURACY], &e->base);
    put_sides(r->report, e);
    report_stats(r->report, report_root(r->report), "preprocessing_us", &e->base.decode_figures, e->base.decode.us);
}

void classification_agreement_results(struct results *r, const struct classification *e)
{
    const struct agreement *g = &e->agreement;
    struct result_section *to = r->parts[CLASSIFICATION_AGREEMENT];
    const char *a = e->base.sides[0].name, *b = e->base.sides[1].name;
    typedef unsigned long long count;
    struct json *o;

    if (e->base.n_sides < 2) {
        json_null(r->report, report_root(r->report), "agreement");
        return;
    }
    o = json_object(r->report, report_root(r->report), "agreement");
    JSON_NUMBERS(r->report, o, {"same", (double)g->same}, {"share", share(g->same, e->base.n_done)},
                 {"both_right", (double)g->both}, {"only_first_right", (double)g->only_first},
                 {"only_second_right", (double)g->only_second}, {"mcnemar_p", g->p});
    result_gap(to);
    if (!e->base.n_done)
        return;
    result_line(to, RESULT_PLAIN, "Agreement: %s and %s have the same first answer for %llu of %llu pictures (%.2f %%).", a, b,
                (count)g->same, (count)e->base.n_done, 100 * share(g->same, e->base.n_done));
    result_line(to, RESULT_PLAIN, "Right: both %llu, %s alone %llu, %s alone %llu, neither %llu; ", (count)g->both, a,
                (count)g->only_first, b, (count)g->only_second, (count)(e->base.n_done - g->both - g->only_first - g->only_second));
    if (g->only_first + g->only_second)
        result_more(to, "that uneven or more so by chance: p = %.3g (McNemar's exact test).", g->p);
    else
        result_more(to, "no picture tells them apart.");
}

/* ---- the verdict ---- */

static void add_demands(struct result_section *to, const struct classification *e)
{

    eval_add_undelegated(to, &e->base);
    if (e->base.n_done && share(e->right[0][0], e->base.n_done) < e->flags.min_accuracy)
        result_line(to, RESULT_PLAIN, "Top-1 accuracy %.4f is below --min_accuracy=%g.", share(e->right[0][0], e->base.n_done),
                    e->flags.min_accuracy);
    eval_add_disagreement(to, &e->base, share(e->agreement.same, e->base.n_done));
}

void classification_verdict_results(struct results *r, const struct classification *e)
{
    struct result_section *to = r->parts[CLASSIFICATION_VERDICT];
    const struct eval_side *s = &e->base.sides[0];
    const struct interval range = wilson_interval(e->right[0][0], e->base.n_done);
    char detail[128];

    result_gap(to);
    add_demands(to, e);
    if (!e->base.n_done) {
        result_line(to, RESULT_PLAIN, "No picture was run: there is no accuracy.");
        return;
    }
    result_line(to, RESULT_PLAIN, "Verdict: %s. The %s is right about %llu of %llu pictures: %.2f %% (%.2f to %.2f)",
                e->base.passed ? "passed" : "FAILED", s->name, (unsigned long long)e->right[0][0],
                (unsigned long long)e->base.n_done, 100 * share(e->right[0][0], e->base.n_done), 100 * range.low, 100 * range.high);
    if (e->base.n_sides > 1)
        result_more(to, ", the %s about %llu: %.2f %%", e->base.sides[1].name, (unsigned long long)e->right[1][0],
                    100 * share(e->right[1][0], e->base.n_done));
    result_more(to, ".");
    if (interrupted())
        result_line(to, RESULT_NOTE, "Interrupted: the figures cover the pictures until then.");
    snprintf(detail, sizeof detail, "of %llu pictures; 95 %% interval %.2f to %.2f %%", (unsigned long long)e->base.n_done,
             100 * range.low, 100 * range.high);
    result_figure(r->parts[CLASSIFICATION_HEADLINE], "Top-1 accuracy", detail, "%.2f %%",
                  100 * share(e->right[0][0], e->base.n_done));
    if (e->base.n_sides > 1) {
        snprintf(detail, sizeof detail, "same first answer as the %s", e->base.sides[1].name);
        result_figure(r->parts[CLASSIFICATION_HEADLINE], "Agreement", detail, "%.2f %%",
                      100 * share(e->agreement.same, e->base.n_done));
    }
}
