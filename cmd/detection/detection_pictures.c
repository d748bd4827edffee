/* SPDX-License-Identifier: Apache-2.0 */
/* detection_pictures.c - pictures with missed and false boxes, the agreement of two sides, and the verdict. */
#include <math.h>
#include <stdlib.h>

#include "cmd/detection/detection_results.h"
#include "cmd/evaluation/eval_report.h"
#include "cmd/host/interrupt.h"

typedef unsigned long long count;

static uint32_t wrong_of(const struct detection_record *r)
{
    return r->sides[0].missed + r->sides[0].wrong + r->sides[1].missed + r->sides[1].wrong;
}

/* ---- pictures ---- */

static void put_pictures(struct report *r, const struct eval_detection *e)
{
    struct json *list = json_array(r, report_root(r), "wrong_pictures");

    for (uint32_t i = 0; i < e->n_records; i++) {
        const struct detection_record *one = &e->records[i];
        struct json *o, *sides;

        if (!wrong_of(one))
            continue;
        o = json_object(r, list, NULL);
        json_string(r, o, "file", one->file);
        JSON_NUMBERS(r, o, {"width", one->width}, {"height", one->height}, {"truths", (double)one->n_truths});
        sides = json_array(r, o, "sides");
        for (uint32_t s = 0; s < e->base.n_sides; s++)
            JSON_NUMBERS(r, json_object(r, sides, NULL), {"found", one->sides[s].found}, {"missed", one->sides[s].missed},
                         {"false", one->sides[s].wrong});
    }
}

/* The most wrong first, then in their order. */
static int by_wrong(const void *a, const void *b)
{
    const struct detection_record *x = *(const struct detection_record *const *)a, *y = *(const struct detection_record *const *)b;
    const uint32_t left = wrong_of(x), right = wrong_of(y);

    return left != right ? (left < right ? 1 : -1) : x < y ? -1 : x > y;
}

static void add_wrong(struct result_section *to, const struct eval_detection *e, const struct detection_record **sorted, uint32_t n)
{
    const struct result_column columns[] = {{.title = "picture", .heading = "picture", .markdown = RESULT_CODE},
                                            {.title = "boxes", .heading = "boxes", .right = true},
                                            {.title = "found", .heading = "found", .right = true},
                                            {.title = "missed", .heading = "missed", .right = true},
                                            {.title = "false", .heading = "false", .right = true},
                                            {.title = "found", .heading = "found", .right = true},
                                            {.title = "missed", .heading = "missed", .right = true},
                                            {.title = "false", .heading = "false", .right = true}};
    const uint32_t shown = n < (uint32_t)e->flags.show_wrong ? n : (uint32_t)e->flags.show_wrong;
    struct result_table *t;

    result_gap(to);
    result_line(to, RESULT_PLAIN, "Pictures with missed or false boxes, of scores from %g on: %u", e->flags.shown_score, n);
    if (shown < n)
        result_more(to, ", of which the %u worst follow (--show_wrong=%u, or --json)", shown, n);
    result_more(to, ".%s%s%s%s%s", e->base.n_sides > 1 ? " First the " : "", e->base.n_sides > 1 ? e->base.sides[0].name : "",
                e->base.n_sides > 1 ? ", then the " : "", e->base.n_sides > 1 ? e->base.sides[1].name : "",
                e->base.n_sides > 1 ? "." : "");
    result_gap(to);
    t = results_table(to, columns, 2 + 3 * (size_t)e->base.n_sides, NULL);
    for (uint32_t i = 0; i < shown; i++) {
        result_text(t, "%s", sorted[i]->file);
        result_number(t, (double)sorted[i]->n_truths);
        for (uint32_t s = 0; s < e->base.n_sides; s++)
            RESULT_NUMBERS(t, sorted[i]->sides[s].found, sorted[i]->sides[s].missed, sorted[i]->sides[s].wrong);
    }
}

void detection_pictures_results(struct results *r, const struct eval_detection *e)
{
    const struct detection_record **sorted = malloc((e->n_records + 1) * sizeof(void *));
    uint32_t n = 0;

    for (uint32_t i = 0; sorted && i < e->n_records; i++)
        if (wrong_of(&e->records[i]))
            sorted[n++] = &e->records[i];
    if (n) {
        qsort(sorted, n, sizeof(void *), by_wrong);
        if (e->flags.show_wrong)
            add_wrong(r->parts[DETECTION_PICTURES], e, sorted, n);
        detection_page_results(r, e, (const struct detection_record *const *)sorted, n);
    }
    r->failed |= !sorted;
    free(sorted);
    eval_add_bad(r->parts[DETECTION_PICTURES], &e->base);
    eval_put_bad(r->report, &e->base);
    put_pictures(r->report, e);
}

/* ---- agreement ---- */

void detection_agreement_results(struct results *r, const struct eval_detection *e)
{
    const struct detection_agreement *g = &e->agreement;
    struct result_section *to = r->parts[DETECTION_AGREEMENT];
    const char *a = e->base.sides[0].name, *b = e->base.sides[1].name;
    struct json *o;

    if (!json_given(r->report, report_root(r->report), "agreement", e->base.n_sides > 1))
        return;
    o = json_object(r->report, report_root(r->report), "agreement");
    JSON_NUMBERS(r->report, o, {"share", detection_agreement_of(g)}, {"pairs", (double)g->pairs},
                 {"first_detections", (double)g->detections[0]}, {"second_detections", (double)g->detections[1]},
                 {"same_pictures", (double)g->same_pictures}, {"largest_difference", g->largest}, {"both_found", (double)g->both},
                 {"only_first_found", (double)g->only_first}, {"only_second_found", (double)g->only_second}, {"mcnemar_p", g->p});
    if (!e->base.n_done)
        return;
    result_gap(to);
    result_line(to, RESULT_PLAIN,
                "Agreement: %llu detections are common to %s (%llu) and %s (%llu), %.2f %%; all of them in %llu of %llu pictures. "
                "The largest difference of a side is %.4g pixels.",
                (count)g->pairs, a, (count)g->detections[0], b, (count)g->detections[1], 100 * detection_agreement_of(g),
                (count)g->same_pictures, (count)e->base.n_done, g->largest);
    result_line(to, RESULT_PLAIN, "Boxes found: by both %llu, %s alone %llu, %s alone %llu, neither %llu; ", (count)g->both, a,
                (count)g->only_first, b, (count)g->only_second, (count)g->neither);
    if (g->only_first + g->only_second)
        result_more(to, "that uneven or more so by chance: p = %.3g (McNemar's exact test).", g->p);
    else
        result_more(to, "no box tells them apart.");
}

/* ---- the verdict ---- */

static void add_demands(struct result_section *to, const struct eval_detection *e)
{
    eval_add_undelegated(to, &e->base);
    if (e->base.n_done && e->metrics[0].ap < e->flags.min_ap)
        result_line(to, RESULT_PLAIN, "AP %.4f is below --min_ap=%g.", e->metrics[0].ap, e->flags.min_ap);
    eval_add_disagreement(to, &e->base, detection_agreement_of(&e->agreement));
}

void detection_verdict_results(struct results *r, const struct eval_detection *e)
{
    struct result_section *to = r->parts[DETECTION_VERDICT];
    const struct evaluation *base = &e->base;
    char detail[160];

    result_gap(to);
    add_demands(to, e);
    if (!base->n_done) {
        result_line(to, RESULT_PLAIN, "No picture was run: there is no average precision.");
        return;
    }
    result_line(to, RESULT_PLAIN, "Verdict: %s. AP of the %s on %llu pictures with %zu boxes: %.4f, at an IoU of 0.5: %.4f",
                base->passed ? "passed" : "FAILED", base->sides[0].name, (count)base->n_done, e->n_truths, e->metrics[0].ap,
                e->metrics[0].ap50);
    if (base->n_sides > 1)
        result_more(to, "; of the %s %.4f, %.4f", base->sides[1].name, e->metrics[1].ap, e->metrics[1].ap50);
    result_more(to, ".");
    if (interrupted())
        result_line(to, RESULT_NOTE, "Interrupted: the figures cover the pictures until then.");
    snprintf(detail, sizeof detail, "of the %s on %llu pictures with %zu boxes", base->sides[0].name, (count)base->n_done,
             e->n_truths);
    result_figure(r->parts[DETECTION_HEADLINE], "Average precision", detail, "%.4f", e->metrics[0].ap);
    if (base->n_sides > 1) {
        snprintf(detail, sizeof detail, "of the detections are those of the %s, too", base->sides[1].name);
        result_figure(r->parts[DETECTION_HEADLINE], "Agreement", detail, "%.2f %%", 100 * detection_agreement_of(&e->agreement));
    }
}
