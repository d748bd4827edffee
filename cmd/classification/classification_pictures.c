/* SPDX-License-Identifier: Apache-2.0 */
/* classification_pictures.c - classes, confusions, and the pictures that went wrong, by name. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/classification/classification_results.h"
#include "cmd/evaluation/eval_page.h"
#include "lib/eval/wilson.h"

enum { SHOWN_CLASSES = 20, SHOWN_CONFUSIONS = 10, SHOWN_NAME = 40 };

static const char *name_of(const struct classification *e, uint32_t class, char out[LABEL_NAME_SIZE])
{
    if (class == NO_CLASS)
        return "none (NaN)";
    return label_name(&e->labels, class, out);
}

static double accuracy_of(const struct class_figures *c, uint32_t side)
{
    return (double)c->right[side] / c->n;
}

/* Labels of ImageNet are lists of words: cut them where a table would be too wide. Within a character no byte begins with 10. */
static void add_text(struct result_table *t, const char *text)
{
    size_t cut = SHOWN_NAME;

    if (strlen(text) <= SHOWN_NAME) {
        result_text(t, "%s", text);
        return;
    }
    while (cut && ((unsigned char)text[cut] & 0xc0) == 0x80)
        cut--;
    result_text(t, "%.*s…", (int)cut, text);
}

static void add_name(struct result_table *t, const struct classification *e, uint32_t class)
{
    char number[LABEL_NAME_SIZE];

    add_text(t, name_of(e, class, number));
}

/* The least accurate first, then by number. */
static int by_accuracy(const void *a, const void *b)
{
    const struct class_figures *x = a, *y = b;
    const uint64_t left = (uint64_t)x->right[0] * y->n, right = (uint64_t)y->right[0] * x->n;

    return left != right ? (left < right ? -1 : 1) : x->index < y->index ? -1 : x->index > y->index;
}

static void add_class(struct result_table *t, const struct classification *e, const struct class_figures *c)
{
    const struct interval range = wilson_interval(c->right[0], c->n);

    add_name(t, e, c->index);
    result_number(t, c->n);
    result_number(t, 100 * accuracy_of(c, 0));
    result_text(t, "%.1f to %.1f", 100 * range.low, 100 * range.high);
    if (e->base.n_sides > 1)
        result_number(t, 100 * accuracy_of(c, 1));
    if (c->taken_for_count)
        add_name(t, e, c->taken_for);
    else
        result_none(t);
    if (c->taken_for_count)
        result_number(t, c->taken_for_count);
    else
        result_none(t);
}

static void add_classes(struct result_section *to, const struct classification *e)
{
    const struct result_column all[] = {
        {.title = "class", .heading = "class"},
        {.title = "pictures", .heading = "pictures", .right = true},
        {.title = e->base.sides[0].name, .number = "%.1f", .heading = e->base.sides[0].name, .right = true},
        {.title = "95 % interval", .heading = "95 % interval", .right = true},
        {.title = e->base.sides[1].name, .number = "%.1f", .heading = e->base.sides[1].name, .right = true},
        {.title = "taken for", .heading = "taken for"},
        {.title = "times", .heading = "times", .right = true}};
    struct result_column columns[7];
    size_t n = 0;
    const uint32_t shown = e->base.tool.verbose || e->n_classes < SHOWN_CLASSES ? e->n_classes : SHOWN_CLASSES;
    struct class_figures *sorted = malloc((e->n_classes + 1) * sizeof *sorted);
    struct result_table *t;

    if (!sorted || !e->n_classes) {
        free(sorted);
        return;
    }
    for (size_t i = 0; i < 7; i++)
        if (i != 4 || e->base.n_sides > 1)
            columns[n++] = all[i];
    memcpy(sorted, e->classes, e->n_classes * sizeof *sorted);
    if (shown < e->n_classes)
        qsort(sorted, e->n_classes, sizeof *sorted, by_accuracy);
    result_gap(to);
    if (shown < e->n_classes)
        result_line(to, RESULT_PLAIN, "The %u worst of %u classes (--verbose lists all):", shown, e->n_classes);
    else
        result_line(to, RESULT_PLAIN, "Classes:");
    result_gap(to);
    t = results_table(to, columns, n, NULL);
    for (uint32_t i = 0; i < shown; i++)
        add_class(t, e, &sorted[i]);
    free(sorted);
}

static void put_classes(struct report *r, const struct classification *e)
{
    struct json *list = json_array(r, report_root(r), "classes");
    char name[LABEL_NAME_SIZE];

    for (uint32_t i = 0; i < e->n_classes; i++) {
        const struct class_figures *c = &e->classes[i];
        const struct interval range = wilson_interval(c->right[0], c->n);
        struct json *o = json_object(r, list, NULL), *right;

        json_number(r, o, "class", c->index);
        json_string(r, o, "name", name_of(e, c->index, name));
        json_number(r, o, "pictures", c->n);
        right = json_array(r, o, "right");
        for (uint32_t s = 0; s < e->base.n_sides; s++)
            json_number(r, right, NULL, c->right[s]);
        JSON_NUMBERS(r, o, {"accuracy", accuracy_of(c, 0)}, {"low", range.low}, {"high", range.high});
    }
}

static void confusion_results(struct results *r, const struct classification *e)
{
    static const struct result_column columns[] = {{.title = "is", .heading = "is"},
                                                   {.title = "taken for", .heading = "taken for"},
                                                   {.title = "pictures", .heading = "pictures", .right = true}};
    struct result_section *to = r->parts[CLASSIFICATION_CONFUSIONS];
    struct json *list = json_array(r->report, report_root(r->report), "confusions");
    const uint32_t shown = e->n_confusions < SHOWN_CONFUSIONS ? e->n_confusions : SHOWN_CONFUSIONS;
    char name[LABEL_NAME_SIZE];
    struct result_table *t;

    for (uint32_t i = 0; i < e->n_confusions; i++) {
        struct json *o = json_object(r->report, list, NULL);

        json_string(r->report, o, "truth", name_of(e, e->confusions[i].truth, name));
        json_string(r->report, o, "answer", name_of(e, e->confusions[i].answer, name));
        json_number(r->report, o, "pictures", e->confusions[i].count);
    }
    if (!shown || (e->n_confusions > shown && e->confusions[0].count < 2))
        return; /* each happened once */
    result_gap(to);
    result_line(to, RESULT_PLAIN, "Confusions of the %s%s:", e->base.sides[0].name,
                shown < e->n_confusions ? ", the most frequent" : "");
    result_gap(to);
    t = results_table(to, columns, 3, NULL);
    for (uint32_t i = 0; i < shown; i++) {
        add_name(t, e, e->confusions[i].truth);
        add_name(t, e, e->confusions[i].answer);
        result_number(t, e->confusions[i].count);
    }
}

void classification_classes_results(struct results *r, const struct classification *e)
{
    add_classes(r->parts[CLASSIFICATION_CLASSES], e);
    put_classes(r->report, e);
    confusion_results(r, e);
}

/* ---- pictures ---- */

static bool is_wrong(const struct classification *e, const struct picture *p)
{
    return p->state == PICTURE_DONE &&
           (labelled_of(e, p)->answers[0].rank != 1 || (e->base.n_sides > 1 && labelled_of(e, p)->answers[1].rank != 1));
}

static void put_answers(struct report *r, struct json *o, const struct classification *e, const struct picture *p)
{
    struct json *list = json_array(r, o, "answers");
    char name[LABEL_NAME_SIZE];

    for (uint32_t s = 0; s < e->base.n_sides; s++) {
        struct json *one = json_object(r, list, NULL);

        json_string(r, one, "answer",
                    labelled_of(e, p)->answers[s].top == NO_CLASS ? NULL : name_of(e, labelled_of(e, p)->answers[s].top, name));
        json_number(r, one, "rank", labelled_of(e, p)->answers[s].rank ? (double)labelled_of(e, p)->answers[s].rank : NAN);
        json_number(r, one, "score", (double)labelled_of(e, p)->answers[s].score);
    }
}

static void put_pictures(struct report *r, const struct classification *e)
{
    struct json *wrong = json_array(r, report_root(r), "misclassified");

    for (uint32_t i = 0; i < e->base.pictures.n; i++) {
        const struct picture *p = &e->base.pictures.list[i];
        struct json *o;

        if (!is_wrong(e, p))
            continue;
        o = json_object(r, wrong, NULL);
        json_string(r, o, "file", p->name);
        json_number(r, o, "number", p->number);
        json_string(r, o, "truth", labelled_of(e, p)->label);
        put_answers(r, o, e, p);
    }
}

static void add_rank(struct result_table *t, uint32_t rank)
{
    if (rank)
        result_number(t, rank);
    else
        result_none(t);
}

static void add_wrong(struct result_section *to, const struct classification *e)
{
    const struct result_column columns[] = {
        {.title = "picture", .heading = "picture", .markdown = RESULT_CODE}, {.title = "is", .heading = "is"},
        {.title = e->base.sides[0].name, .heading = e->base.sides[0].name},  {.title = "rank", .heading = "rank", .right = true},
        {.title = e->base.sides[1].name, .heading = e->base.sides[1].name},  {.title = "rank", .heading = "rank", .right = true}};
    struct result_table *t = NULL;
    uint32_t all = 0, shown = 0;

    for (uint32_t i = 0; i < e->base.pictures.n; i++)
        all += is_wrong(e, &e->base.pictures.list[i]);
    if (!all || !e->flags.show_misclassified)
        return;
    result_gap(to);
    result_line(to, RESULT_PLAIN, "Pictures that went wrong%s: %u", e->base.n_sides > 1 ? " on either side" : "", all);
    if (all > (uint32_t)e->flags.show_misclassified)
        result_more(to, ", of which the first %d follow (--show_misclassified=%u, or --json)", e->flags.show_misclassified, all);
    result_more(to, ".");
    result_gap(to);
    t = results_table(to, columns, 2 + 2 * (size_t)e->base.n_sides, NULL);
    for (uint32_t i = 0; i < e->base.pictures.n && shown < (uint32_t)e->flags.show_misclassified; i++) {
        const struct picture *p = &e->base.pictures.list[i];

        if (!is_wrong(e, p))
            continue;
        shown++;
        result_text(t, "%s", p->name);
        add_text(t, labelled_of(e, p)->label);
        for (uint32_t s = 0; s < e->base.n_sides; s++) {
            add_name(t, e, labelled_of(e, p)->answers[s].top);
            add_rank(t, labelled_of(e, p)->answers[s].rank);
        }
    }
}

/* ---- on the page ---- */

static enum status show(struct eval_shown *s, const struct evaluation *base, const struct picture *p, struct err *err)
{
    const struct classification *e = (const struct classification *)base;
    const struct labelled *of = labelled_of(e, p);
    char name[LABEL_NAME_SIZE], *caption;
    enum status st;
    uint32_t i;

    if ((st = eval_show_photo(s, base, p, &i, err)))
        return st;
    caption = s->captions[i];
    snprintf(caption, EVAL_CAPTION_SIZE, "is %.60s", of->label);
    for (uint32_t k = 0; k < base->n_sides; k++) {
        const size_t used = strlen(caption);

        snprintf(caption + used, EVAL_CAPTION_SIZE - used, "; %.20s: %.60s", base->sides[k].name,
                 name_of(e, of->answers[k].top, name));
    }
    return ST_OK;
}

static void draw_wrong(struct results *r, struct result_section *to, const struct classification *e)
{
    const struct picture **list = ARENA_ARRAY(&r->arena, e->base.pictures.n, const struct picture *);
    struct eval_gallery *g = ARENA_NEW(&r->arena, struct eval_gallery);
    uint32_t n = 0;

    for (uint32_t i = 0; list && i < e->base.pictures.n; i++)
        if (is_wrong(e, &e->base.pictures.list[i]))
            list[n++] = &e->base.pictures.list[i];
    if (!list || !g)
        r->failed = true;
    else if (n && *e->base.flags.html) {
        *g = (struct eval_gallery){&e->base, list, n, show};
        result_chart(to, eval_draw, g);
    }
}

void classification_pictures_results(struct results *r, const struct classification *e)
{
    add_wrong(r->parts[CLASSIFICATION_WRONG], e);
    draw_wrong(r, r->parts[CLASSIFICATION_WRONG], e);
    eval_add_bad(r->parts[CLASSIFICATION_WRONG], &e->base);
    eval_put_bad(r->report, &e->base);
    put_pictures(r->report, e);
}
