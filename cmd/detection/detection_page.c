/* SPDX-License-Identifier: Apache-2.0 */
/* detection_page.c - the most wrong pictures on the page: the boxes of the truth, and beside them those of each side. */
#include <stdlib.h>

#include "cmd/detection/detection_results.h"
#include "cmd/evaluation/eval_page.h"

static const struct detection_record *record_of(const struct eval_detection *e, const struct picture *p)
{
    for (uint32_t i = 0; i < e->n_records; i++)
        if (e->records[i].file == p->name)
            return &e->records[i];
    return NULL;
}

static const struct picture *picture_of(const struct eval_detection *e, const struct detection_record *r)
{
    for (uint32_t i = 0; i < e->base.pictures.n; i++)
        if (e->base.pictures.list[i].name == r->file)
            return &e->base.pictures.list[i];
    return NULL;
}

static const char *category_of(const struct eval_detection *e, uint32_t category)
{
    return category < e->data.set.n_categories ? e->data.categories[category].name : "?";
}

static bool is_found(const struct detection_side *side, size_t truth)
{
    for (size_t i = 0; i < side->n; i++)
        if (side->truth_of[i] == (int64_t)truth)
            return true;
    return false;
}

static struct html_box box_of(const struct coco_box *b, bool second)
{
    return (struct html_box){b->x, b->y, b->w, b->h, second, ""};
}

/* Those that the first side missed are of the second kind. */
static void show_truths(struct eval_shown *s, uint32_t i, const struct eval_detection *e, const struct detection_record *r)
{
    for (size_t k = 0; k < r->n_truths; k++) {
        const struct coco_truth *t = &r->truths[k];

        eval_show_box(s, i, box_of(&t->box, !t->crowd && !is_found(&r->sides[0], k)), "%.40s%s", category_of(e, t->category),
                      t->crowd ? " (crowd)" : "");
    }
    snprintf(s->captions[i], EVAL_CAPTION_SIZE, "truth: %zu boxes; dashed: %u missed by the %.40s", r->n_truths, r->sides[0].missed,
             e->base.sides[0].name);
}

/* Those that are false are of the second kind. */
static void show_side(struct eval_shown *s, uint32_t i, const struct eval_detection *e, const struct detection_record *r,
                      uint32_t side)
{
    const struct detection_side *of = &r->sides[side];

    for (size_t k = 0; k < of->n; k++)
        if (of->truth_of[k] != MATCH_SMALL)
            eval_show_box(s, i, box_of(&of->list[k].box, of->truth_of[k] == MATCH_NONE), "%.40s %.2f",
                          category_of(e, of->list[k].category), of->list[k].score);
    snprintf(s->captions[i], EVAL_CAPTION_SIZE, "%.40s: %u found, %u missed; dashed: %u false", e->base.sides[side].name, of->found,
             of->missed, of->wrong);
}

static enum status show(struct eval_shown *s, const struct evaluation *base, const struct picture *p, struct err *err)
{
    const struct eval_detection *e = (const struct eval_detection *)base;
    const struct detection_record *r = record_of(e, p);
    enum status st;
    uint32_t i = 0;

    if (!r || (st = eval_show_photo(s, base, p, &i, err)))
        return r ? st : err_set(err, ST_USAGE, "it was not run");
    if (r->width && r->height) { /* what boxes count in */
        s->list[i].width = r->width;
        s->list[i].height = r->height;
    }
    for (uint32_t k = 0; k < base->n_sides; k++)
        show_side(s, eval_show_again(s, i), e, r, k);
    show_truths(s, i, e, r);
    return ST_OK;
}

void detection_page_results(struct results *r, const struct eval_detection *e, const struct detection_record *const *worst,
                            uint32_t n)
{
    const uint32_t most = (uint32_t)e->base.flags.html_pictures;
    const struct picture **list = ARENA_ARRAY(&r->arena, n, const struct picture *);
    struct eval_gallery *g = ARENA_NEW(&r->arena, struct eval_gallery);

    if (!*e->base.flags.html || !most || !n)
        return;
    if (!list || !g) {
        r->failed = true;
        return;
    }
    for (uint32_t i = 0; i < n && i < most; i++)
        list[i] = picture_of(e, worst[i]);
    *g = (struct eval_gallery){&e->base, list, n, show};
    result_chart(r->parts[DETECTION_PICTURES], eval_draw, g);
}
