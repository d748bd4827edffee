/* SPDX-License-Identifier: Apache-2.0 */
/* detection_results.c - metrics as the twelve lines of pycocotools, a table of categories, and JSON. */
#include <math.h>
#include <string.h>

#include "cmd/detection/eval_detection.h"
#include "cmd/print/results.h"
#include "cmd/tool/report_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* -1 stands for "no such truth": null in JSON. */
static double known(double value)
{
    return value < 0 ? NAN : value;
}

/* A line of the summary, and its member in JSON. */
struct summary {
    const char *key;
    bool recall;
    const char *ious, *area;
    int most;
    double value;
};

static void add_summary(struct results *r, const struct coco_metrics *m)
{
    const struct summary lines[] = {
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
    struct json *o = json_object(r->report, report_root(r->report), "metrics");

    for (size_t i = 0; i < COUNT(lines); i++) {
        const struct summary *s = &lines[i];

        result_line(r->parts[0], RESULT_PLAIN, " %-18s %s @[ IoU=%-9s | area=%6s | maxDets=%3d ] = %0.3f",
                    s->recall ? "Average Recall" : "Average Precision", s->recall ? "(AR)" : "(AP)", s->ious, s->area, s->most,
                    s->value);
        json_number(r->report, o, s->key, known(s->value));
    }
}

static void add_categories(struct results *r, const struct coco_data *d, const struct coco_metrics *m)
{
    static const struct result_column columns[] = {
        {.key = "id", .title = "id", .right = true},
        {.key = "name", .title = "category"},
        {.key = "truths", .title = "boxes", .right = true},
        {.key = "ap", .title = "AP", .number = "%.3f", .right = true},
    };
    struct result_table *t = results_table(r->parts[1], columns, COUNT(columns),
                                           json_array(r->report, report_root(r->report), "categories"));

    for (uint32_t k = 0; k < d->set.n_categories; k++) {
        result_number(t, (double)d->categories[k].id);
        result_text(t, "%s", d->categories[k].name);
        result_number(t, m->category_truths[k]);
        if (m->category_ap[k] < 0)
            result_none(t);
        else
            result_number(t, m->category_ap[k]);
    }
}

/* What files say that contradicts them, and what was made of it. */
static void add_doubts(struct results *r, const struct coco_data *d)
{
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
        if (doubts[i].n)
            result_line(r->parts[2], RESULT_ALERT, "%s: %zu", doubts[i].what, doubts[i].n);
        json_number(r->report, o, doubts[i].key, (double)doubts[i].n);
    }
}

enum status detection_say(const struct eval_detection *e, struct err *err)
{
    static const int order[] = {2, 0, 1};
    const struct coco_set *s = &e->data.set;
    const char *json = e->tool.json, *markdown = e->flags.markdown;
    const bool in_text = !strcmp(markdown, "-");
    struct results r;
    enum status st = ST_OK;

    results_init(&r, NULL, COUNT(order), *json != '\0');
    if (r.report) {
        struct json *root = report_root(r.report);

        report_tool(r.report, &e->tool, e->tool.cli.tool);
        report_parameters(r.report, root, &e->tool.cli);
        JSON_NUMBERS(r.report, root, {"images", s->n_images}, {"annotations", (double)s->n_truths},
                     {"detections", (double)s->n_detections});
    }
    result_line(r.parts[0], RESULT_PLAIN, "%u images, %zu boxes of %u categories, %zu detections", s->n_images, s->n_truths,
                s->n_categories, s->n_detections);
    result_gap(r.parts[0]);
    add_summary(&r, &e->metrics);
    result_gap(r.parts[0]);
    add_categories(&r, &e->data, &e->metrics);
    add_doubts(&r, &e->data);
    for (size_t i = 0; i < COUNT(order) && !st; i++)
        st = results_say(r.parts[order[i]], in_text ? RESULT_MARKDOWN : RESULT_TEXT, err);
    if (!st && *markdown && !in_text)
        st = results_write_markdown(&r, order, COUNT(order), markdown, err);
    if (!st && r.report)
        st = report_write(r.report, json, err);
    results_fini(&r);
    return st;
}
