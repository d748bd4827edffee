/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_figures.c - mean IoU and accuracies of each side, their agreement, and the verdict. */
#include <math.h>

#include "cmd/host/interrupt.h"
#include "cmd/host/say.h"
#include "cmd/segmentation/segmentation_results.h"
#include "cmd/tool/report_parts.h"

typedef unsigned long long count;

/* ---- figures ---- */

static const char *const names[] = {"mean IoU", "pixel accuracy", "mean accuracy", "IoU by pixels"};
static const char *const keys[] = {"mean_iou", "pixel_accuracy", "mean_accuracy", "weighted_iou"};

enum { FIGURES = sizeof names / sizeof *names };

static double figure_of(const struct pixel_figures *f, int i)
{
    const double all[FIGURES] = {f->mean_iou, f->accuracy, f->mean_accuracy, f->weighted_iou};

    return all[i];
}

static void add_runs(struct result_section *to, const struct segmentation *e)
{
    eval_add_runs(to, &e->base);
    if (!e->pixels)
        return;
    result_line(to, RESULT_LOG, "Mean IoU: %g", e->figures[0].mean_iou);
    result_line(to, RESULT_LOG, "Pixel accuracy: %g", e->figures[0].accuracy);
}

static void add_table(struct result_section *to, const struct segmentation *e)
{
    const char *first = e->base.sides[0].name, *second = e->base.sides[1].name;
    const struct result_column columns[] = {{.title = "in %", .heading = "in %"},
                                            {.title = first, .number = "%.3f", .shown = "%.3f", .heading = first, .right = true},
                                            {.title = second, .number = "%.3f", .shown = "%.3f", .heading = second, .right = true}};
    struct result_table *t;
    char pictures[SAY_COUNT_SIZE];

    result_gap(to);
    result_line(to, RESULT_PLAIN, "Of %llu pixels in %s, of %u classes:", (count)e->pixels,
                say_count(e->base.n_done, "picture", pictures), e->figures[0].n_classes);
    result_gap(to);
    t = results_table(to, columns, 1 + (size_t)e->base.n_sides, NULL);
    for (int i = 0; i < FIGURES; i++) {
        result_text(t, "%s", names[i]);
        for (uint32_t s = 0; s < e->base.n_sides; s++)
            result_number(t, 100 * figure_of(&e->figures[s], i));
    }
}

bool segmentation_occurs(const struct segmentation *e, uint32_t class)
{
    for (uint32_t s = 0; s < e->base.n_sides; s++) {
        const struct pixel_class one = pixel_class_of(&e->counts[s], class);

        if (one.truth || one.answer)
            return true;
    }
    return false;
}

/* Rows and columns as "classes" has them, and a column for no answer. */
static void put_confusion(struct report *r, struct json *o, const struct segmentation *e, uint32_t side)
{
    struct json *rows = json_array(r, o, "confusion");
    const struct pixel_counts *c = &e->counts[side];

    for (uint32_t i = 0; i < c->n; i++) {
        struct json *row = segmentation_occurs(e, i) ? json_array(r, rows, NULL) : NULL;

        for (uint32_t k = 0; row && k <= c->n; k++)
            if (k == c->n || segmentation_occurs(e, k))
                json_number(r, row, NULL, (double)c->count[i * ((size_t)c->n + 1) + k]);
    }
}

static void put_sides(struct report *r, const struct segmentation *e)
{
    struct json *list = json_array(r, report_root(r), "sides");

    for (uint32_t s = 0; r && s < e->base.n_sides; s++) {
        struct json *o = json_object(r, list, NULL);

        eval_put_side(r, o, &e->base, s);
        for (int i = 0; i < FIGURES; i++)
            json_number(r, o, keys[i], figure_of(&e->figures[s], i));
        JSON_NUMBERS(r, o, {"pixels", (double)e->figures[s].pixels}, {"right", (double)e->figures[s].right},
                     {"classes", e->figures[s].n_classes});
        put_confusion(r, o, e, s);
    }
}

void segmentation_figures_results(struct results *r, const struct segmentation *e)
{
    add_runs(r->parts[SEGMENTATION_RUNS], e);
    add_table(r->parts[SEGMENTATION_FIGURES], e);
    eval_add_cut(r->parts[SEGMENTATION_FIGURES], &e->base);
    put_sides(r->report, e);
    report_stats(r->report, report_root(r->report), "preprocessing_us", &e->base.decode_figures, e->base.decode.us);
}

/* ---- agreement and verdict ---- */

void segmentation_agreement_results(struct results *r, const struct segmentation *e)
{
    struct result_section *to = r->parts[SEGMENTATION_AGREEMENT];
    const double agreement = pixel_share(e->same, e->pixels);
    struct json *o;

    if (e->base.n_sides < 2) {
        json_null(r->report, report_root(r->report), "agreement");
        return;
    }
    o = json_object(r->report, report_root(r->report), "agreement");
    JSON_NUMBERS(r->report, o, {"same", (double)e->same}, {"share", agreement},
                 {"mean_iou_difference", e->figures[0].mean_iou - e->figures[1].mean_iou});
    if (!e->pixels)
        return;
    result_gap(to);
    result_line(to, RESULT_PLAIN, "Agreement: %s and %s have the same class for %llu of %llu pixels (%.3f %%); mean IoU %+.3f %%.",
                e->base.sides[0].name, e->base.sides[1].name, (count)e->same, (count)e->pixels, 100 * agreement,
                100 * (e->figures[0].mean_iou - e->figures[1].mean_iou));
}

static void add_demands(struct result_section *to, const struct segmentation *e)
{
    eval_add_undelegated(to, &e->base);
    if (e->figures[0].mean_iou < e->flags.min_miou)
        result_line(to, RESULT_PLAIN, "Mean IoU %.4f is below --min_miou=%g.", e->figures[0].mean_iou, e->flags.min_miou);
    eval_add_disagreement(to, &e->base, pixel_share(e->same, e->pixels));
}

void segmentation_verdict_results(struct results *r, const struct segmentation *e)
{
    struct result_section *to = r->parts[SEGMENTATION_VERDICT], *head = r->parts[SEGMENTATION_HEADLINE];
    const struct pixel_figures *f = &e->figures[0];
    char detail[128];

    result_gap(to);
    add_demands(to, e);
    if (!e->pixels) {
        result_line(to, RESULT_PLAIN, "Verdict: %s. No pixel was judged: there is no IoU.", e->base.passed ? "passed" : "FAILED");
        return;
    }
    result_line(to, RESULT_PLAIN, "Verdict: %s. The %s has a mean IoU of %.3f %% and the right class for %.3f %% of the pixels",
                e->base.passed ? "passed" : "FAILED", e->base.sides[0].name, 100 * f->mean_iou, 100 * f->accuracy);
    if (e->base.n_sides > 1)
        result_more(to, ", the %s %.3f %% and %.3f %%", e->base.sides[1].name, 100 * e->figures[1].mean_iou,
                    100 * e->figures[1].accuracy);
    result_more(to, ".");
    if (interrupted())
        result_line(to, RESULT_NOTE, "Interrupted: the figures cover the pictures until then.");
    snprintf(detail, sizeof detail, "%u classes, %llu pictures", f->n_classes, (count)e->base.n_done);
    result_figure(head, "Mean IoU", detail, "%.3f %%", 100 * f->mean_iou);
    result_figure(head, "Pixel accuracy", "", "%.3f %%", 100 * f->accuracy);
    if (e->base.n_sides > 1) {
        snprintf(detail, sizeof detail, "pixels of the same class as on the %s", e->base.sides[1].name);
        result_figure(head, "Agreement", detail, "%.3f %%", 100 * pixel_share(e->same, e->pixels));
    }
}
