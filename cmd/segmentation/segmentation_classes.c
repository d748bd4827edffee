/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_classes.c - classes, what they were taken for, and the pictures that went worst. */
#include <math.h>
#include <stdlib.h>

#include "cmd/segmentation/segmentation_results.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

enum { SHOWN_CONFUSIONS = 10 };

static const char *name_of(const struct segmentation *e, uint32_t class, char out[LABEL_NAME_SIZE])
{
    return class < e->labels.n ? label_name(&e->labels, class, out) : "none";
}

static void add_figure(struct result_table *t, double value)
{
    if (isnan(value))
        result_none(t);
    else
        result_number(t, 100 * value);
}

/* ---- classes ---- */

#define PERCENT_COLUMN(of)                                                                                                         \
    {                                                                                                                              \
        .title = (of), .number = "%.2f", .shown = "%.2f", .heading = (of), .right = true                                           \
    }

static void put_class(struct report *r, struct json *list, const struct segmentation *e, uint32_t class,
                      const struct pixel_class of[MAX_SIDES])
{
    struct json *o = json_object(r, list, NULL), *ious, *accuracies, *answers;
    char name[LABEL_NAME_SIZE];

    json_number(r, o, "class", class);
    json_string(r, o, "name", name_of(e, class, name));
    json_number(r, o, "pixels", (double)of[0].truth);
    answers = json_array(r, o, "answered");
    ious = json_array(r, o, "iou");
    accuracies = json_array(r, o, "accuracy");
    for (uint32_t s = 0; s < e->base.n_sides; s++) {
        json_number(r, answers, NULL, (double)of[s].answer);
        json_number(r, ious, NULL, of[s].iou);
        json_number(r, accuracies, NULL, of[s].accuracy);
    }
}

static void add_classes(struct results *r, const struct segmentation *e)
{
    const char *first = e->base.sides[0].name, *second = e->base.sides[1].name;
    const struct result_column columns[] = {{.title = "class", .heading = "class"},
                                            {.title = "pixels", .heading = "pixels", .right = true},
                                            PERCENT_COLUMN("accuracy"),
                                            {.title = "IoU", .number = "%.2f", .shown = "%.2f", .heading = first, .right = true},
                                            PERCENT_COLUMN(second)};
    struct json *list = json_array(r->report, report_root(r->report), "classes");
    struct result_section *to = r->parts[SEGMENTATION_CLASSES];
    struct result_table *t;
    char name[LABEL_NAME_SIZE];

    result_gap(to);
    result_line(to, RESULT_PLAIN, "Classes, with the accuracy and the IoU of the %s%s%s:", first,
                e->base.n_sides > 1 ? ", and the IoU of the " : "", e->base.n_sides > 1 ? second : "");
    result_gap(to);
    t = results_table(to, columns, 3 + (size_t)e->base.n_sides, NULL);
    for (uint32_t i = 0; i < e->labels.n; i++) {
        struct pixel_class of[MAX_SIDES] = {{0}};
        bool any = false;

        for (uint32_t s = 0; s < e->base.n_sides; s++) {
            of[s] = pixel_class_of(&e->counts[s], i);
            any |= of[s].truth || of[s].answer;
        }
        if (!any)
            continue;
        result_text(t, "%s", name_of(e, i, name));
        result_number(t, (double)of[0].truth);
        add_figure(t, of[0].accuracy);
        for (uint32_t s = 0; s < e->base.n_sides; s++)
            add_figure(t, of[s].iou);
        put_class(r->report, list, e, i, of);
    }
}

/* ---- confusions ---- */

struct confused {
    uint32_t truth, answer;
    uint64_t pixels;
};

/* Insert among the most frequent; equal ones stay in the order of classes. */
static void insert(struct confused *most, uint32_t *n, struct confused one)
{
    uint32_t at = *n;

    if (at == SHOWN_CONFUSIONS && one.pixels <= most[at - 1].pixels)
        return;
    at -= at == SHOWN_CONFUSIONS;
    for (; at > 0 && one.pixels > most[at - 1].pixels; at--)
        most[at] = most[at - 1];
    most[at] = one;
    *n += *n < SHOWN_CONFUSIONS;
}

static void add_confusions(struct result_section *to, const struct segmentation *e)
{
    static const struct result_column columns[] = {
        {.title = "is", .heading = "is"},
        {.title = "taken for", .heading = "taken for"},
        {.title = "pixels", .heading = "pixels", .right = true},
        {.title = "% of it", .number = "%.2f", .shown = "%.2f", .heading = "% of it", .right = true}};
    const struct pixel_counts *c = &e->counts[0];
    struct confused most[SHOWN_CONFUSIONS];
    struct result_table *t;
    char name[LABEL_NAME_SIZE];
    uint32_t n = 0;

    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t k = 0; k <= c->n; k++)
            if (k != i && c->count[i * ((size_t)c->n + 1) + k])
                insert(most, &n, (struct confused){i, k, c->count[i * ((size_t)c->n + 1) + k]});
    if (!n)
        return;
    result_gap(to);
    result_line(to, RESULT_PLAIN, "Most frequent confusions of the %s:", e->base.sides[0].name);
    result_gap(to);
    t = results_table(to, columns, 4, NULL);
    for (uint32_t i = 0; i < n; i++) {
        result_text(t, "%s", name_of(e, most[i].truth, name));
        result_text(t, "%s", name_of(e, most[i].answer, name));
        result_number(t, (double)most[i].pixels);
        add_figure(t, pixel_share(most[i].pixels, pixel_class_of(c, most[i].truth).truth));
    }
}

void segmentation_classes_results(struct results *r, const struct segmentation *e)
{
    add_classes(r, e);
    add_confusions(r->parts[SEGMENTATION_CONFUSIONS], e);
}

/* ---- pictures ---- */

static void add_picture(struct result_table *t, const struct segmentation *e, const struct picture *p)
{
    const struct segmented *of = segmented_of(e, p);

    result_text(t, "%s", p->name);
    result_number(t, (double)of->pixels);
    for (uint32_t s = 0; s < MAX_SIDES; s++) {
        result_number(t, s < e->base.n_sides ? of->miou[s] : NAN);
        result_number(t, s < e->base.n_sides ? pixel_share(of->right[s], of->pixels) : NAN);
    }
    result_number(t, e->base.n_sides > 1 ? pixel_share(of->same, of->pixels) : NAN);
}

/* With one side the columns of the other are in JSON alone. */
#define PICTURE_COLUMN(name, of)                                                                                                   \
    {                                                                                                                              \
        .key = (name), .title = (of), .number = "%.2f", .shown = "%.2f", .heading = (of), .scale = 100, .right = true              \
    }

void segmentation_worst_results(struct results *r, const struct segmentation *e)
{
    const bool two = e->base.n_sides > 1;
    const struct result_column columns[] = {{.key = "file", .title = "picture", .heading = "picture", .markdown = RESULT_CODE},
                                            {.key = "pixels", .title = "pixels", .heading = "pixels", .right = true},
                                            PICTURE_COLUMN("mean_iou", "mean IoU %"),
                                            PICTURE_COLUMN("accuracy", "right %"),
                                            PICTURE_COLUMN("second_mean_iou", two ? "CPU: IoU %" : NULL),
                                            PICTURE_COLUMN("second_accuracy", two ? "right %" : NULL),
                                            PICTURE_COLUMN("agreement", two ? "same %" : NULL)};
    struct result_section *to = r->parts[SEGMENTATION_WORST];
    const uint32_t shown = e->n_worst < (uint32_t)e->flags.show_worst ? e->n_worst : (uint32_t)e->flags.show_worst;
    struct json *list = json_array(r->report, report_root(r->report), "worst");
    struct result_table *t;

    if (shown) {
        result_gap(to);
        result_line(to, RESULT_PLAIN,
                    "Pictures with the least mean IoU of their classes%s:", shown < e->n_worst ? " (--results_csv has all)" : "");
        result_gap(to);
        t = results_table(to, columns, COUNT(columns), list);
        for (uint32_t i = 0; i < shown; i++)
            add_picture(t, e, e->worst[i]);
    }
    t = results_table(r->parts[SEGMENTATION_PICTURES], columns, COUNT(columns), NULL);
    for (uint32_t i = 0; *e->flags.csv && i < e->base.pictures.n; i++)
        if (e->base.pictures.list[i].state == PICTURE_DONE)
            add_picture(t, e, &e->base.pictures.list[i]);
    eval_add_bad(to, &e->base);
    eval_put_bad(r->report, &e->base);
}
