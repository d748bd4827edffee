/* SPDX-License-Identifier: Apache-2.0 */
/* classification_report.c - the whole of an evaluation's results, rendered as text, JSON, Markdown, a page and CSV. */
#include <math.h>
#include <string.h>

#include "cmd/classification/classification_results.h"
#include "cmd/evaluation/eval_page.h"
#include "cmd/host/say.h"
#include "cmd/host/text_file.h"
#include "cmd/tool/report_parts.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static const int in_text[] = {CLASSIFICATION_RUNS,  CLASSIFICATION_ACCURACY,  CLASSIFICATION_CLASSES, CLASSIFICATION_CONFUSIONS,
                              CLASSIFICATION_WRONG, CLASSIFICATION_AGREEMENT, CLASSIFICATION_VERDICT};

static const int on_page[] = {CLASSIFICATION_HEADLINE,  CLASSIFICATION_VERDICT, CLASSIFICATION_DATA,       CLASSIFICATION_ACCURACY,
                              CLASSIFICATION_AGREEMENT, CLASSIFICATION_CLASSES, CLASSIFICATION_CONFUSIONS, CLASSIFICATION_WRONG,
                              CLASSIFICATION_WHERE,     CLASSIFICATION_MODEL,   CLASSIFICATION_ENVIRONMENT};

static void put_data(struct report *r, const struct classification *e)
{
    static const char *const formats[] = {[LABELS_AUTO] = NULL, [LABELS_TEXT] = "text", [LABELS_INDEX] = "index"};
    struct json *o = eval_put_pictures(r, &e->base);

    JSON_NUMBERS(r, o, {"unlabelled", e->unlabelled}, {"unknown_labels", e->unknown});
    eval_put_preprocessing(r, &e->base);
    o = json_object(r, report_root(r), "labels");
    JSON_NUMBERS(r, o, {"classes", e->labels.n}, {"named", e->labels.n_named});
    json_string(r, o, "format", formats[e->format]);
    json_string(r, o, "by", e->by_folder ? "folder" : e->by_name ? "name" : "order");
}

static void add_data(struct result_section *to, const struct classification *e)
{
    char text[PREPROCESS_TEXT_SIZE];

    result_line(to, RESULT_NOTE, "%llu pictures of %s, %u classes.", (unsigned long long)e->base.n_done, e->base.pictures.dir,
                e->labels.n);
    result_line(to, RESULT_NOTE, "Preprocessing (%s): %s.", e->base.flags.preprocess,
                preprocess_text(&e->base.preprocess, session_input(e->base.sides[0].session, 0), text));
}

static enum status build(struct results *r, const struct classification *e, struct err *err)
{
    static const char *const headings[CLASSIFICATION_PARTS] = {[CLASSIFICATION_DATA] = "Data",
                                                               [CLASSIFICATION_ACCURACY] = "Accuracy",
                                                               [CLASSIFICATION_AGREEMENT] = "Agreement",
                                                               [CLASSIFICATION_CLASSES] = "Classes",
                                                               [CLASSIFICATION_CONFUSIONS] = "Confusions",
                                                               [CLASSIFICATION_WRONG] = "Pictures that went wrong",
                                                               [CLASSIFICATION_WHERE] = "What ran where",
                                                               [CLASSIFICATION_MODEL] = "Model",
                                                               [CLASSIFICATION_ENVIRONMENT] = "Environment"};

    results_init(r, headings, CLASSIFICATION_PARTS, *e->base.tool.json);
    if (r->report) {
        eval_put_head(r->report, &e->base);
        put_data(r->report, e);
    }
    classification_accuracy_results(r, e);
    classification_agreement_results(r, e);
    classification_classes_results(r, e);
    classification_pictures_results(r, e);
    classification_verdict_results(r, e);
    add_data(r->parts[CLASSIFICATION_DATA], e);
    return eval_add_surroundings(r->parts[CLASSIFICATION_WHERE], r->parts[CLASSIFICATION_MODEL],
                                 r->parts[CLASSIFICATION_ENVIRONMENT], &e->base, err);
}

static enum status say(const struct results *r, const struct classification *e, struct err *err)
{
    const enum result_form form = strcmp(e->base.flags.markdown, "-") ? RESULT_TEXT : RESULT_MARKDOWN;
    enum status st = ST_OK;

    for (size_t i = 0; i < COUNT(in_text) && !st; i++)
        st = results_say(r->parts[in_text[i]], form, err);
    return st;
}

/* ---- CSV: RFC 4180 ---- */

static void put_quoted(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', to);
        fputc(*text, to);
    }
    fputc('"', to);
}

static enum status write_csv(const struct classification *e, struct err *err)
{
    struct text_file f;
    enum status st = text_file_begin(&f, err);
    char name[LABEL_NAME_SIZE];

    if (st)
        return st;
    fprintf(f.to, "number,file,truth");
    for (uint32_t s = 0; s < e->base.n_sides; s++)
        fprintf(f.to, s ? ",second_answer,second_rank,second_score" : ",answer,rank,score");
    fputc('\n', f.to);
    for (uint32_t i = 0; i < e->base.pictures.n; i++) {
        const struct picture *p = &e->base.pictures.list[i];

        if (p->state != PICTURE_DONE)
            continue;
        fprintf(f.to, "%u,", p->number);
        put_quoted(f.to, p->name);
        fputc(',', f.to);
        put_quoted(f.to, labelled_of(e, p)->label);
        for (uint32_t s = 0; s < e->base.n_sides; s++) {
            const struct answer *a = &labelled_of(e, p)->answers[s];

            fputc(',', f.to);
            put_quoted(f.to, a->top == NO_CLASS ? "" : label_name(&e->labels, a->top, name));
            fprintf(f.to, ",%u,%.9g", a->rank, (double)a->score);
        }
        fputc('\n', f.to);
    }
    return text_file_end(&f, e->flags.csv, err);
}

enum status classification_report(const struct classification *e, struct err *err)
{
    struct results r;
    enum status st;

    if (!(st = build(&r, e, err)) && !(st = say(&r, e, err)) && *e->base.tool.json)
        st = report_write(r.report, e->base.tool.json, err);
    if (!st && *e->base.flags.markdown && strcmp(e->base.flags.markdown, "-") != 0)
        st = results_write_markdown(&r, in_text, COUNT(in_text), e->base.flags.markdown, err);
    if (!st && *e->base.flags.html)
        st = results_write_page(&r, on_page, COUNT(on_page),
                                html_new_with("eval_classification", eval_model_path(&e->base.flags), &html_with_pictures),
                                e->base.flags.html, err);
    results_fini(&r);
    return st || !*e->flags.csv ? st : write_csv(e, err);
}

/* ---- one picture ---- */

static void put_one(struct report *r, const struct classification *e)
{
    struct json *sides = json_array(r, report_root(r), "sides");
    char name[LABEL_NAME_SIZE];

    for (uint32_t s = 0; s < e->base.n_sides; s++) {
        const struct topk *top = &e->one[s];
        struct json *o = json_object(r, sides, NULL), *list;

        json_string(r, o, "name", e->base.sides[s].name);
        list = json_array(r, o, "answers");
        for (uint32_t i = 0; i < top->n; i++) {
            struct json *one = json_object(r, list, NULL);

            json_number(r, one, "class", top->index[i]);
            json_string(r, one, "name", label_name(&e->labels, top->index[i], name));
            json_number(r, one, "score", top->score[i]);
        }
    }
}

enum status classification_report_one(const struct classification *e, struct err *err)
{
    const struct result_column columns[] = {{.title = e->base.sides[0].name, .heading = e->base.sides[0].name},
                                            {.title = "score", .number = "%.6g", .heading = "score", .right = true},
                                            {.title = e->base.sides[1].name, .heading = e->base.sides[1].name},
                                            {.title = "score", .number = "%.6g", .heading = "score", .right = true}};
    struct results r;
    struct result_table *t;
    enum status st;
    char name[LABEL_NAME_SIZE];

    results_init(&r, NULL, 1, *e->base.tool.json);
    if (r.report) {
        report_origin(r.report, &e->base.tool, "eval_classification_image");
        json_string(r.report, report_root(r.report), "image", e->flags.image);
        eval_put_preprocessing(r.report, &e->base);
        put_one(r.report, e);
    }
    result_line(r.parts[0], RESULT_PLAIN, "%s:", e->flags.image);
    result_gap(r.parts[0]);
    t = results_table(r.parts[0], columns, 2 * (size_t)e->base.n_sides, NULL);
    for (uint32_t i = 0; i < e->one[0].n; i++)
        for (uint32_t s = 0; s < e->base.n_sides; s++) {
            const struct topk *top = &e->one[s];

            if (i < top->n) {
                result_text(t, "%s", label_name(&e->labels, top->index[i], name));
                result_number(t, top->score[i]);
            } else {
                result_none(t);
                result_none(t);
            }
        }
    for (uint32_t s = 0; s < e->base.n_sides; s++)
        if (e->one[s].n_nan)
            result_line(r.parts[0], RESULT_WARNING, "the %s gave %u scores that are NaN", e->base.sides[s].name, e->one[s].n_nan);
    st = results_say(r.parts[0], RESULT_TEXT, err);
    if (!st && *e->base.tool.json)
        st = report_write(r.report, e->base.tool.json, err);
    results_fini(&r);
    return st;
}
