/* SPDX-License-Identifier: Apache-2.0 */
/* detection_results.c - metrics as the twelve lines of pycocotools, a table of categories, and what the files say against
 * themselves. */
#include "cmd/detection/detection_results.h"

#include <math.h>
#include <string.h>

#include "cmd/tool/report_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The twelve figures of COCO. */
enum { DETECTION_FIGURES = 12 };
struct detection_figure {
    const char *key; /* in JSON */
    bool recall;
    const char *ious, *area;
    int most;
    double value; /* below 0: there is no such truth */
};

/* -1 stands for "no such truth": null in JSON. */
static double known(double value)
{
    return value < 0 ? NAN : value;
}

static void list_figures(const struct coco_metrics *m, struct detection_figure out[DETECTION_FIGURES])
{
    const struct detection_figure figures[DETECTION_FIGURES] = {
        {"ap", false, "0.50:0.95", "all", 100, m->ap},
        {"ap50", false, "0.50", "all", 100, m->ap50},
        {"ap75", false, "0.75", "all", 100, m->ap75},
        {"ap_small", false, "0.50:0.95", "small", 100, m->ap_area[COCO_SMALL]},
        {"ap_medium", false, "0.50:0.95", "medium", 100, m->ap_area[COCO_MEDIUM]},
        {"ap_large", false, "0.50:0.95", "large", 100, m->ap_area[COCO_LARGE]},
        {"ar_1", true, "0.50:0.95", "all", 1, m->ar_1},
        {"ar_10", true, "0.50:0.95", "all", 10, m->ar_10},
        {"ar_100", true, "0.50:0.95", "all", 100, m->ar_100},
        {"ar_small", true, "0.50:0.95", "small", 100, m->ar_area[COCO_SMALL]},
        {"ar_medium", true, "0.50:0.95", "medium", 100, m->ar_area[COCO_MEDIUM]},
        {"ar_large", true, "0.50:0.95", "large", 100, m->ar_area[COCO_LARGE]},
    };

    memcpy(out, figures, sizeof figures);
}

static void put_figures(struct report *r, struct json *o, const struct coco_metrics *m)
{
    struct detection_figure figures[DETECTION_FIGURES];

    list_figures(m, figures);
    for (int i = 0; i < DETECTION_FIGURES; i++)
        json_number(r, o, figures[i].key, known(figures[i].value));
}

static void add_value(struct result_table *t, double value)
{
    if (value < 0)
        result_none(t);
    else
        result_number(t, value);
}

/* Figures of both sides beside each other; of one side they are lines. */
static void add_sides(struct result_section *to, const struct eval_detection *e, enum result_line kind)
{
    const struct result_column columns[] = {
        {.title = "metric", .heading = "metric"},
        {.title = e->base.sides[0].name, .number = "%.4f", .heading = e->base.sides[0].name, .right = true},
        {.title = e->base.sides[1].name, .number = "%.4f", .heading = e->base.sides[1].name, .right = true}};
    struct detection_figure figures[MAX_SIDES][DETECTION_FIGURES];
    struct result_table *t;

    for (uint32_t s = 0; s < e->base.n_sides; s++)
        list_figures(&e->metrics[s], figures[s]);
    result_gap(to);
    if (kind)
        result_line(to, kind, "Both sides:");
    result_gap(to);
    t = results_table(to, columns, 1 + (size_t)e->base.n_sides, NULL);
    for (int i = 0; i < DETECTION_FIGURES; i++) {
        result_text(t, "%s", figures[0][i].key);
        for (uint32_t s = 0; s < e->base.n_sides; s++)
            add_value(t, figures[s][i].value);
    }
}

void detection_summary_results(struct results *r, const struct eval_detection *e)
{
    struct detection_figure lines[DETECTION_FIGURES];

    list_figures(&e->metrics[0], lines);
    for (int i = 0; i < DETECTION_FIGURES; i++) {
        const struct detection_figure *s = &lines[i];

        result_line(r->parts[DETECTION_SUMMARY], *e->flags.detections ? RESULT_PLAIN : RESULT_TITLE,
                    " %-18s %s @[ IoU=%-9s | area=%6s | maxDets=%3d ] = %0.3f", s->recall ? "Average Recall" : "Average Precision",
                    s->recall ? "(AR)" : "(AP)", s->ious, s->area, s->most, s->value);
    }
    put_figures(r->report, json_object(r->report, report_root(r->report), "metrics"), &e->metrics[0]);
    if (e->base.n_sides > 1)
        put_figures(r->report, json_object(r->report, report_root(r->report), "second_metrics"), &e->metrics[1]);
    else if (!*e->flags.detections)
        json_null(r->report, report_root(r->report), "second_metrics");
    if (!*e->flags.detections)
        add_sides(r->parts[DETECTION_SIDES], e, e->base.n_sides > 1 ? RESULT_TITLE : 0);
}

void detection_categories_results(struct results *r, const struct eval_detection *e)
{
    const bool two = e->base.n_sides > 1;
    const struct result_column columns[] = {
        {.key = "id", .title = "id", .heading = "id", .right = true},
        {.key = "name", .title = "category", .heading = "category"},
        {.key = "truths", .title = "boxes", .heading = "boxes", .right = true},
        {.key = "ap",
         .title = two ? e->base.sides[0].name : "AP",
         .number = "%.3f",
         .heading = two ? e->base.sides[0].name : "AP",
         .right = true},
        {.key = "second_ap", .title = e->base.sides[1].name, .number = "%.3f", .heading = e->base.sides[1].name, .right = true}};
    struct result_table *t;

    if (two) {
        result_line(r->parts[DETECTION_CATEGORIES], RESULT_TITLE, "AP of each category:");
        result_gap(r->parts[DETECTION_CATEGORIES]);
    }
    t = results_table(r->parts[DETECTION_CATEGORIES], columns, two ? 5 : 4,
                      json_array(r->report, report_root(r->report), "categories"));
    for (uint32_t k = 0; k < e->data.set.n_categories; k++) {
        result_number(t, (double)e->data.categories[k].id);
        result_text(t, "%s", e->data.categories[k].name);
        result_number(t, e->metrics[0].category_truths[k]);
        if (!two && !*e->flags.detections)
            json_null(r->report, result_row(t), "second_ap");
        for (uint32_t s = 0; s < e->base.n_sides; s++)
            add_value(t, e->metrics[s].category_ap[k]);
    }
}

/* What files say that contradicts them, and what was made of it. */
void detection_doubts_results(struct results *r, const struct eval_detection *e)
{
    const struct coco_data *d = &e->data;
    const struct {
        const char *key;
        size_t n;
        const char *what;
    } doubts[] = {
        {"annotations_of_unknown_images", d->truths_of_unknown_images, "annotations of images that are not listed, left out"},
        {"annotations_of_unknown_categories", d->truths_of_unknown_categories,
         "annotations of categories that are not listed, left out"},
        {"detections_of_unknown_categories", d->detections_of_unknown_categories,
         "detections of categories that are not listed, left out"},
        {"annotations_of_id_0", d->truths_of_id_0,
         "annotations with the id 0, so that finding them counts as an error, as in pycocotools"},
        {"annotations_of_one_id", d->truths_of_one_id,
         "annotations with the id of another one; the last stands in the place of each, as in pycocotools"},
        {"annotations_without_area", d->truths_without_area, "annotations without \"area\", for which width times height is taken"},
    };
    struct json *o = json_object(r->report, report_root(r->report), "doubts");

    for (size_t i = 0; i < COUNT(doubts); i++) {
        if (doubts[i].n && !(d->normalized && i + 1 == COUNT(doubts)))
            result_line(r->parts[DETECTION_DOUBTS], RESULT_ALERT, "%s: %zu", doubts[i].what, doubts[i].n);
        json_number(r->report, o, doubts[i].key, (double)doubts[i].n);
    }
    if (e->resized)
        result_line(r->parts[DETECTION_DOUBTS], RESULT_ALERT,
                    "pictures of another size than the ground truth gives, whose boxes are scaled: %llu",
                    (unsigned long long)e->resized);
    if (e->detector.n_nan)
        result_line(r->parts[DETECTION_DOUBTS], RESULT_ALERT, "scores and boxes that are no finite numbers, left out: %llu",
                    (unsigned long long)e->detector.n_nan);
}

/* ---- of a file ---- */

enum status detection_say(const struct eval_detection *e, struct err *err)
{
    static const int order[] = {DETECTION_DOUBTS, DETECTION_SUMMARY, DETECTION_CATEGORIES};
    const struct coco_set *s = &e->data.set;
    const char *json = e->base.tool.json, *markdown = e->base.flags.markdown;
    const bool in_text = !strcmp(markdown, "-");
    struct results r;
    enum status st = ST_OK;

    results_init(&r, NULL, DETECTION_PARTS, *json != '\0');
    if (r.report) {
        struct json *root = report_root(r.report);

        report_tool(r.report, &e->base.tool, "eval_detection_file");
        report_parameters(r.report, root, &e->base.tool.cli);
        JSON_NUMBERS(r.report, root, {"images", s->n_images}, {"annotations", (double)s->n_truths},
                     {"detections", (double)s->n_detections});
    }
    result_line(r.parts[DETECTION_SUMMARY], RESULT_PLAIN, "%u images, %zu boxes of %u categories, %zu detections", s->n_images,
                s->n_truths, s->n_categories, s->n_detections);
    result_gap(r.parts[DETECTION_SUMMARY]);
    detection_summary_results(&r, e);
    result_gap(r.parts[DETECTION_SUMMARY]);
    detection_categories_results(&r, e);
    detection_doubts_results(&r, e);
    for (size_t i = 0; i < COUNT(order) && !st; i++)
        st = results_say(r.parts[order[i]], in_text ? RESULT_MARKDOWN : RESULT_TEXT, err);
    if (!st && *markdown && !in_text)
        st = results_write_markdown(&r, order, COUNT(order), markdown, err);
    if (!st && r.report)
        st = report_write(r.report, json, err);
    results_fini(&r);
    return st;
}
