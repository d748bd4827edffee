/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_report.c - the whole of an evaluation's results, rendered as text, JSON, Markdown, a page and CSV. */
#include <string.h>

#include "cmd/evaluation/eval_page.h"
#include "cmd/host/text_file.h"
#include "cmd/segmentation/segmentation_results.h"
#include "cmd/tool/report_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const int in_text[] = {SEGMENTATION_RUNS,  SEGMENTATION_FIGURES,   SEGMENTATION_CLASSES, SEGMENTATION_CONFUSIONS,
                              SEGMENTATION_WORST, SEGMENTATION_AGREEMENT, SEGMENTATION_VERDICT};

static const int on_page[] = {SEGMENTATION_HEADLINE,  SEGMENTATION_VERDICT, SEGMENTATION_DATA,       SEGMENTATION_FIGURES,
                              SEGMENTATION_AGREEMENT, SEGMENTATION_CLASSES, SEGMENTATION_CONFUSIONS, SEGMENTATION_WORST,
                              SEGMENTATION_WHERE,     SEGMENTATION_MODEL,   SEGMENTATION_ENVIRONMENT};

static void put_data(struct report *r, const struct segmentation *e)
{
    static const char *const kinds[] = {
        [LABEL_OUTPUT_SCORES] = "scores", [LABEL_OUTPUT_LABELS] = "labels", [LABEL_OUTPUT_PROBABILITY] = "probability"};
    static const char *const ways[] = {[MATCH_BILINEAR] = "bilinear", [MATCH_NEAREST] = "nearest", [MATCH_TRUTH] = "truth"};
    struct json *o = eval_put_pictures(r, &e->base);
    char text[SEGMENTATION_TEXT_SIZE];

    json_number(r, o, "without_map", e->without_map);
    eval_put_preprocessing(r, &e->base);
    o = json_object(r, report_root(r), "answer");
    json_string(r, o, "text", segmentation_text(e, text));
    report_tensor(r, o, "output", session_output(e->base.sides[0].session, e->output));
    json_string(r, o, "kind", kinds[e->place.kind]);
    json_string(r, o, "resize", ways[e->way]);
    JSON_NUMBERS(r, o, {"classes", e->labels.n}, {"named", e->labels.n_named});
}

static void add_data(struct result_section *to, const struct segmentation *e)
{
    char preprocessing[PREPROCESS_TEXT_SIZE], answer[SEGMENTATION_TEXT_SIZE];

    result_line(to, RESULT_NOTE, "%llu pictures of %s, maps of %s.", (unsigned long long)e->base.n_done, e->base.pictures.dir,
                e->flags.truth);
    result_line(to, RESULT_NOTE, "Preprocessing (%s): %s.", e->base.flags.preprocess,
                preprocess_text(&e->base.preprocess, session_input(e->base.sides[0].session, 0), preprocessing));
    result_line(to, RESULT_NOTE, "Answer: %s.", segmentation_text(e, answer));
}

static enum status build(struct results *r, const struct segmentation *e, struct err *err)
{
    static const char *const headings[SEGMENTATION_PARTS] = {[SEGMENTATION_DATA] = "Data",
                                                             [SEGMENTATION_FIGURES] = "Figures",
                                                             [SEGMENTATION_AGREEMENT] = "Agreement",
                                                             [SEGMENTATION_CLASSES] = "Classes",
                                                             [SEGMENTATION_CONFUSIONS] = "Confusions",
                                                             [SEGMENTATION_WORST] = "Pictures that went wrong",
                                                             [SEGMENTATION_WHERE] = "What ran where",
                                                             [SEGMENTATION_MODEL] = "Model",
                                                             [SEGMENTATION_ENVIRONMENT] = "Environment"};

    results_init(r, headings, SEGMENTATION_PARTS, *e->base.tool.json);
    if (r->report) {
        eval_put_head(r->report, &e->base);
        put_data(r->report, e);
    }
    segmentation_figures_results(r, e);
    segmentation_agreement_results(r, e);
    segmentation_classes_results(r, e);
    segmentation_worst_results(r, e);
    segmentation_page_results(r, e);
    segmentation_verdict_results(r, e);
    add_data(r->parts[SEGMENTATION_DATA], e);
    return eval_add_surroundings(r->parts[SEGMENTATION_WHERE], r->parts[SEGMENTATION_MODEL], r->parts[SEGMENTATION_ENVIRONMENT],
                                 &e->base, err);
}

static enum status write_csv(const struct results *r, const struct segmentation *e, struct err *err)
{
    struct text_file f;
    enum status st = text_file_begin(&f, err);

    if (st)
        return st;
    if ((st = results_csv(r->parts[SEGMENTATION_PICTURES], f.to, err))) {
        text_file_drop(&f);
        return st;
    }
    return text_file_end(&f, e->flags.csv, err);
}

enum status segmentation_report(const struct segmentation *e, struct err *err)
{
    const char *markdown = e->base.flags.markdown, *model = eval_model_path(&e->base.flags);
    const enum result_form form = strcmp(markdown, "-") ? RESULT_TEXT : RESULT_MARKDOWN;
    struct results r;
    enum status st = build(&r, e, err);

    for (size_t i = 0; i < COUNT(in_text) && !st; i++)
        st = results_say(r.parts[in_text[i]], form, err);
    if (!st && *e->base.tool.json)
        st = report_write(r.report, e->base.tool.json, err);
    if (!st && *markdown && form == RESULT_TEXT)
        st = results_write_markdown(&r, in_text, COUNT(in_text), markdown, err);
    if (!st && *e->base.flags.html)
        st = results_write_page(&r, on_page, COUNT(on_page), html_new_with("eval_segmentation", model, &html_with_pictures),
                                e->base.flags.html, err);
    if (!st && *e->flags.csv)
        st = write_csv(&r, e, err);
    results_fini(&r);
    return st;
}
