/* SPDX-License-Identifier: Apache-2.0 */
/* detection_report.c - the whole of a run's results, rendered as text, JSON, Markdown and a page; detections as COCO's results. */
#include <math.h>
#include <string.h>

#include "cmd/detection/detection_results.h"
#include "cmd/evaluation/eval_page.h"
#include "cmd/evaluation/eval_report.h"
#include "cmd/host/text_file.h"
#include "cmd/tool/report_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const int in_text[] = {DETECTION_DOUBTS,     DETECTION_RUNS,     DETECTION_SUMMARY,   DETECTION_SIDES,
                              DETECTION_CATEGORIES, DETECTION_PICTURES, DETECTION_AGREEMENT, DETECTION_VERDICT};

static const int on_page[] = {DETECTION_HEADLINE,   DETECTION_VERDICT,  DETECTION_DATA,  DETECTION_SIDES, DETECTION_AGREEMENT,
                              DETECTION_CATEGORIES, DETECTION_PICTURES, DETECTION_WHERE, DETECTION_MODEL, DETECTION_ENVIRONMENT};

static void put_data(struct report *r, const struct eval_detection *e)
{
    const struct tensor *outputs[DETECTOR_MOST_OUTPUTS];
    char text[DETECTOR_TEXT_SIZE], map[CATEGORY_MAP_TEXT];
    struct json *o = eval_put_pictures(r, &e->base);

    JSON_NUMBERS(r, o, {"unlisted", e->unlisted}, {"missing", e->missing}, {"resized", (double)e->resized});
    JSON_NUMBERS(r, report_root(r), {"images", (double)e->base.n_done}, {"annotations", (double)e->n_truths},
                 {"detections", (double)e->n_detections[0]});
    eval_put_preprocessing(r, &e->base);
    if (!json_given(r, report_root(r), "detector", e->map.n))
        return;
    o = json_object(r, report_root(r), "detector");
    json_string(r, o, "outputs", detector_text(&e->detector, detection_outputs(e, 0, outputs), text));
    json_string(r, o, "classes", category_map_text(&e->map, map));
    JSON_NUMBERS(r, o, {"min_score", e->detector.min_score}, {"not_finite", (double)e->detector.n_nan});
}

/* As TFLite's tool prints them. */
static void add_runs(struct results *r, const struct eval_detection *e)
{
    struct result_section *to = r->parts[DETECTION_RUNS];
    struct json *sides = json_array(r->report, report_root(r->report), "sides");

    eval_add_runs(to, &e->base);
    for (int i = 0; i < COCO_IOUS && e->base.n_done; i++)
        result_line(to, RESULT_LOG, "Average Precision [IOU Threshold=%g]: %g", 0.5 + 0.05 * i, fmax(e->metrics[0].ap_iou[i], 0));
    if (e->base.n_done)
        result_line(to, RESULT_LOG, "Overall mAP: %g", fmax(e->metrics[0].ap, 0));
    eval_add_cut(to, &e->base);
    result_gap(r->parts[DETECTION_SUMMARY]);
    for (uint32_t s = 0; s < e->base.n_sides; s++)
        eval_put_side(r->report, json_object(r->report, sides, NULL), &e->base, s);
    report_stats(r->report, report_root(r->report), "preprocessing_us", &e->base.decode_figures, e->base.decode.us);
}

static void add_data(struct result_section *to, const struct eval_detection *e)
{
    const struct tensor *outputs[DETECTOR_MOST_OUTPUTS];
    char text[DETECTOR_TEXT_SIZE], preprocessing[PREPROCESS_TEXT_SIZE], map[CATEGORY_MAP_TEXT];

    result_line(to, RESULT_NOTE, "%llu pictures of %s, %zu boxes of %u categories.", (unsigned long long)e->base.n_done,
                e->base.pictures.dir, e->n_truths, e->data.set.n_categories);
    result_line(to, RESULT_NOTE, "Preprocessing (%s): %s.", e->base.flags.preprocess,
                preprocess_text(&e->base.preprocess, session_input(e->base.sides[0].session, 0), preprocessing));
    if (!e->map.n)
        return;
    result_line(to, RESULT_NOTE, "Outputs: %s.", detector_text(&e->detector, detection_outputs(e, 0, outputs), text));
    result_line(to, RESULT_NOTE, "Classes: %s.", category_map_text(&e->map, map));
}

static enum status build(struct results *r, const struct eval_detection *e, struct err *err)
{
    static const char *const headings[DETECTION_PARTS] = {[DETECTION_DATA] = "Data",
                                                          [DETECTION_SIDES] = "Average precision and recall",
                                                          [DETECTION_AGREEMENT] = "Agreement",
                                                          [DETECTION_CATEGORIES] = "Categories",
                                                          [DETECTION_PICTURES] = "Pictures that went wrong",
                                                          [DETECTION_WHERE] = "What ran where",
                                                          [DETECTION_MODEL] = "Model",
                                                          [DETECTION_ENVIRONMENT] = "Environment"};

    results_init(r, headings, DETECTION_PARTS, *e->base.tool.json);
    if (r->report) {
        eval_put_head(r->report, &e->base);
        put_data(r->report, e);
    }
    add_runs(r, e);
    detection_summary_results(r, e);
    result_gap(r->parts[e->base.n_sides > 1 ? DETECTION_SIDES : DETECTION_SUMMARY]);
    detection_categories_results(r, e);
    detection_doubts_results(r, e);
    detection_pictures_results(r, e);
    detection_agreement_results(r, e);
    detection_verdict_results(r, e);
    add_data(r->parts[DETECTION_DATA], e);
    return eval_add_surroundings(r->parts[DETECTION_WHERE], r->parts[DETECTION_MODEL], r->parts[DETECTION_ENVIRONMENT], &e->base,
                                 err);
}

/* One side has its figures as lines, and as a table on pages alone. */
static bool is_said(const struct eval_detection *e, int part)
{
    return part != DETECTION_SIDES || e->base.n_sides > 1;
}

enum status detection_report(const struct eval_detection *e, struct err *err)
{
    const char *markdown = e->base.flags.markdown;
    const bool in_markdown = !strcmp(markdown, "-");
    struct results r;
    enum status st = build(&r, e, err);

    for (size_t i = 0; i < COUNT(in_text) && !st; i++)
        if (is_said(e, in_text[i]))
            st = results_say(r.parts[in_text[i]], in_markdown ? RESULT_MARKDOWN : RESULT_TEXT, err);
    if (!st && *e->base.tool.json)
        st = report_write(r.report, e->base.tool.json, err);
    if (!st && *markdown && !in_markdown)
        st = results_write_markdown(&r, in_text, COUNT(in_text), markdown, err);
    if (!st && *e->base.flags.html)
        st = results_write_page(&r, on_page, COUNT(on_page),
                                html_new_with("eval_detection", eval_model_path(&e->base.flags), &html_with_pictures),
                                e->base.flags.html, err);
    results_fini(&r);
    return st;
}

/* ---- detections ---- */

enum status detection_save(const struct eval_detection *e, struct err *err)
{
    struct text_file f;
    const char *before = "[";
    enum status st;

    if (!*e->flags.save)
        return ST_OK;
    if ((st = text_file_begin(&f, err)))
        return st;
    for (uint32_t i = 0; i < e->n_records; i++)
        for (size_t k = 0; k < e->records[i].sides[0].n; k++, before = ",") {
            const struct coco_detection *d = &e->records[i].sides[0].list[k];

            fprintf(f.to,
                    "%s\n{\"image_id\": %lld, \"category_id\": %lld, \"bbox\": [%.17g, %.17g, %.17g, %.17g], \"score\": %.17g}",
                    before, (long long)e->data.images[d->image].id, (long long)e->data.categories[d->category].id, d->box.x,
                    d->box.y, d->box.w, d->box.h, d->score);
        }
    fprintf(f.to, "%s\n]\n", *before == '[' ? before : "");
    return text_file_end(&f, e->flags.save, err);
}
