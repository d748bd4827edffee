/* SPDX-License-Identifier: Apache-2.0 */
/* detection_match.c - greedy matching at one overlap. */
#include "lib/eval/detection_match.h"

#include <math.h>
#include <string.h>

/* The truth that overlaps most, of those that are left; a crowd only if there is no other. */
static int32_t best_truth(const struct coco_detection *d, const struct coco_truth *truths, size_t n, double iou, const bool *taken)
{
    int32_t best = MATCH_NONE;
    bool crowd = false;

    for (size_t i = 0; i < n; i++) {
        const struct coco_truth *t = &truths[i];
        double shared;

        if (t->category != d->category || (taken[i] && !t->crowd))
            continue;
        shared = coco_iou(&d->box, &t->box, t->crowd);
        if (shared >= iou && t->crowd)
            crowd = true;
        if (shared < iou || t->crowd)
            continue;
        iou = shared;
        best = (int32_t)i;
    }
    return best == MATCH_NONE && crowd ? MATCH_CROWD : best;
}

void detection_match(struct detection_side *side, const struct coco_truth *truths, size_t n_truths, double iou, double min_score,
                     bool *taken)
{
    side->found = side->missed = side->wrong = 0;
    if (n_truths)
        memset(taken, 0, n_truths * sizeof *taken);
    for (size_t i = 0; i < side->n; i++) {
        const struct coco_detection *d = &side->list[i];

        side->truth_of[i] = d->score >= min_score ? best_truth(d, truths, n_truths, iou, taken) : MATCH_SMALL;
        side->wrong += side->truth_of[i] == MATCH_NONE;
        if (side->truth_of[i] < 0)
            continue;
        taken[side->truth_of[i]] = true;
        side->found++;
    }
    for (size_t i = 0; i < n_truths; i++)
        side->missed += !truths[i].crowd && !taken[i];
}

static double difference(const struct coco_box *a, const struct coco_box *b)
{
    const double left = fabs(a->x - b->x), top = fabs(a->y - b->y);
    const double right = fabs(a->x + a->w - b->x - b->w), bottom = fabs(a->y + a->h - b->y - b->h);

    return fmax(fmax(left, top), fmax(right, bottom));
}

size_t detection_pairs(const struct detection_side *a, const struct detection_side *b, double iou, double min_score, bool *used,
                       double *largest)
{
    size_t pairs = 0;

    if (b->n)
        memset(used, 0, b->n * sizeof *used);
    for (size_t i = 0; i < a->n; i++) {
        const struct coco_detection *d = &a->list[i];
        double best = iou;
        size_t at = b->n;

        for (size_t k = 0; k < b->n && d->score >= min_score; k++) {
            const struct coco_detection *other = &b->list[k];
            const double shared = other->category == d->category ? coco_iou(&d->box, &other->box, false) : 0;

            if (used[k] || other->score < min_score || shared < best || (at < b->n && shared == best))
                continue;
            best = shared;
            at = k;
        }
        if (at == b->n)
            continue;
        used[at] = true;
        *largest = fmax(*largest, difference(&d->box, &b->list[at].box));
        pairs++;
    }
    return pairs;
}
