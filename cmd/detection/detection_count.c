/* SPDX-License-Identifier: Apache-2.0 */
/* detection_count.c - COCO's metrics of each side, records of pictures, agreement of two sides. */
#include <string.h>

#include "cmd/detection/eval_detection.h"
#include "lib/eval/wilson.h"

#define SHOWN_IOU 0.5

static enum status no_memory(const struct eval_detection *e, struct err *err)
{
    return err_set(err, ST_NOMEM, "out of memory for the detections of %llu pictures", (unsigned long long)e->base.n_done);
}

/* ---- metrics ---- */

/* Truths and detections of the pictures that ran, image by image. */
static enum status judge_side(struct eval_detection *e, uint32_t side, struct err *err)
{
    const struct pictures *p = &e->base.pictures;
    struct coco_set set = e->data.set;
    struct coco_truth *truths = ARENA_ARRAY(&e->base.arena, e->data.set.n_truths, struct coco_truth);
    struct coco_detection *all;
    size_t n = 0;

    for (uint32_t i = 0; i < p->n; i++)
        n += detected_of(e, &p->list[i])->sides[side].n;
    all = ARENA_ARRAY(&e->base.arena, n, struct coco_detection);
    if (!truths || !all)
        return no_memory(e, err);
    set.truths = truths;
    set.detections = all;
    set.n_truths = set.n_detections = 0;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct detected *of = detected_of(e, &p->list[i]);
        size_t n_truths;
        const struct coco_truth *own = coco_truths_of(&e->data, of->image, &n_truths);

        if (p->list[i].state != PICTURE_DONE)
            continue;
        if (n_truths)
            memcpy(truths + set.n_truths, own, n_truths * sizeof *own);
        if (of->sides[side].n)
            memcpy(all + set.n_detections, of->sides[side].list, of->sides[side].n * sizeof *all);
        set.n_truths += n_truths;
        set.n_detections += of->sides[side].n;
    }
    e->n_truths = set.n_truths;
    e->n_detections[side] = set.n_detections;
    return coco_evaluate(&set, &e->base.arena, &e->metrics[side], err);
}

enum status detection_count_file(struct eval_detection *e, struct err *err)
{
    e->n_truths = e->data.set.n_truths;
    e->n_detections[0] = e->data.set.n_detections;
    e->base.n_sides = 1;
    return coco_evaluate(&e->data.set, &e->base.arena, &e->metrics[0], err);
}

/* ---- pictures ---- */

static enum status make_record(struct eval_detection *e, const struct picture *p, struct detection_record *r, bool *const taken[],
                               struct err *err)
{
    const struct detected *of = detected_of(e, p);
    const struct coco_image *image = &e->data.images[of->image];

    *r = (struct detection_record){
        .file = p->name, .width = image->width ? image->width : of->width, .height = image->height ? image->height : of->height};
    r->truths = coco_truths_of(&e->data, of->image, &r->n_truths);
    for (uint32_t s = 0; s < e->base.n_sides; s++) {
        struct detection_side *side = &r->sides[s];

        side->list = of->sides[s].list;
        side->n = of->sides[s].n;
        if (!(side->truth_of = ARENA_ARRAY(&e->base.arena, side->n, int32_t)))
            return no_memory(e, err);
        detection_match(side, r->truths, r->n_truths, SHOWN_IOU, e->flags.shown_score, taken[s]);
    }
    return ST_OK;
}

static size_t shown(const struct eval_detection *e, const struct detection_side *side)
{
    size_t n = 0;

    while (n < side->n && side->list[n].score >= e->flags.shown_score)
        n++;
    return n;
}

static void count_agreement(struct eval_detection *e, const struct detection_record *r, bool *const taken[], bool *used)
{
    struct detection_agreement *g = &e->agreement;
    const size_t a = shown(e, &r->sides[0]), b = shown(e, &r->sides[1]);
    const size_t pairs = detection_pairs(&r->sides[0], &r->sides[1], SHOWN_IOU, e->flags.shown_score, used, &g->largest);

    g->pairs += pairs;
    g->detections[0] += a;
    g->detections[1] += b;
    g->same_pictures += pairs == a && pairs == b;
    for (size_t i = 0; i < r->n_truths; i++) {
        if (r->truths[i].crowd)
            continue;
        g->both += taken[0][i] && taken[1][i];
        g->only_first += taken[0][i] && !taken[1][i];
        g->only_second += !taken[0][i] && taken[1][i];
        g->neither += !taken[0][i] && !taken[1][i];
    }
}

static enum status count_pictures(struct eval_detection *e, struct err *err)
{
    const struct pictures *p = &e->base.pictures;
    size_t most = 1;
    bool *taken[MAX_SIDES], *used;
    enum status st = ST_OK;

    for (uint32_t i = 0; i < p->n; i++) {
        const struct detected *of = detected_of(e, &p->list[i]);
        size_t n;

        coco_truths_of(&e->data, of->image, &n);
        most = n > most ? n : most;
        most = of->sides[1].n > most ? of->sides[1].n : most;
    }
    taken[0] = ARENA_ARRAY(&e->base.arena, most, bool);
    taken[1] = ARENA_ARRAY(&e->base.arena, most, bool);
    used = ARENA_ARRAY(&e->base.arena, most, bool);
    e->records = ARENA_ARRAY(&e->base.arena, p->n, struct detection_record);
    if (!taken[0] || !taken[1] || !used || !e->records)
        return no_memory(e, err);
    for (uint32_t i = 0; i < p->n && !st; i++) {
        if (p->list[i].state != PICTURE_DONE)
            continue;
        st = make_record(e, &p->list[i], &e->records[e->n_records++], taken, err);
        if (!st && e->base.n_sides > 1)
            count_agreement(e, &e->records[e->n_records - 1], taken, used);
    }
    e->agreement.p = wilson_mcnemar(e->agreement.only_first, e->agreement.only_second);
    return st;
}

/* ---- all ---- */

double detection_agreement_of(const struct detection_agreement *g)
{
    const uint64_t all = g->detections[0] + g->detections[1];

    return all ? 2 * (double)g->pairs / (double)all : 1;
}

static bool has_passed(const struct eval_detection *e)
{
    return eval_delegated(&e->base) && e->metrics[0].ap >= e->flags.min_ap &&
           eval_agrees(&e->base, detection_agreement_of(&e->agreement));
}

enum status detection_count(struct eval_detection *e, struct err *err)
{
    enum status st = eval_count(&e->base, err);

    for (uint32_t s = 0; s < e->base.n_sides && !st; s++)
        st = judge_side(e, s, err);
    if (!st)
        st = count_pictures(e, err);
    e->base.passed = has_passed(e);
    return st;
}
