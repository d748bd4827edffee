/* SPDX-License-Identifier: Apache-2.0 */
/* coco_metrics.c - category by category: match the detections of each image, then walk down all of them by score. */
#include "lib/eval/coco_metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { RECALLS = 101, LIMITS = 3 };

static const struct {
    double least, most;
} areas[COCO_AREAS] = {{0, 1e10}, {0, 1024}, {1024, 9216}, {9216, 1e10}};

/* ---- numbers as numpy has them ---- */

/* numpy.linspace(0.5, 0.95, 10)[i]. */
static double overlap(size_t i)
{
    return i == COCO_IOUS - 1 ? 0.95 : (double)i * ((0.95 - 0.5) / (COCO_IOUS - 1)) + 0.5;
}

/* numpy.linspace(0, 1, 101)[i]. */
static double recall_point(size_t i)
{
    return i == RECALLS - 1 ? 1 : (double)i * (1.0 / (RECALLS - 1));
}

/* numpy.sum of contiguous doubles: eight sums side by side in blocks of at most 128, halves of longer lists. */
static double pairwise_sum(const double *v, size_t n)
{
    double sums[8], sum = 0;
    size_t i = 0, half = n / 2 - n / 2 % 8;

    if (n > 128)
        return pairwise_sum(v, half) + pairwise_sum(v + half, n - half);
    if (n >= 8) {
        memcpy(sums, v, sizeof sums);
        for (i = 8; i < n - n % 8; i++)
            sums[i % 8] += v[i];
        sum = ((sums[0] + sums[1]) + (sums[2] + sums[3])) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
    }
    for (; i < n; i++)
        sum += v[i];
    return sum;
}

/* The mean of all values that are not -1, which are moved to the front; -1 if there are none. */
static double mean_of_known(double *v, size_t n)
{
    size_t known = 0;

    for (size_t i = 0; i < n; i++)
        if (v[i] > -1)
            v[known++] = v[i];
    return known ? pairwise_sum(v, known) / (double)known : -1;
}

double coco_iou(const struct coco_box *d, const struct coco_box *t, bool crowd)
{
    double w = fmin(d->w + d->x, t->w + t->x) - fmax(d->x, t->x), h = fmin(d->h + d->y, t->h + t->y) - fmax(d->y, t->y);
    double shared = w * h, area = d->w * d->h;

    if (w <= 0 || h <= 0)
        return 0;
    return shared / (crowd ? area : area + t->w * t->h - shared);
}

/* ---- lists by category and image ---- */

/* The category or image of an element of either list: both begin a struct. */
struct place {
    uint32_t image, category;
};

static const struct place *place_of(const void *list, size_t stride, uint32_t i)
{
    return (const struct place *)(const void *)((const char *)list + stride * i);
}

/* Sorts the indices 0 to n - 1 of a list by category, then by image, equal ones in their order: counted twice. counts has room for
 * more of them than there are images or categories. */
static void sort_by_place(const void *list, size_t stride, uint32_t n, const struct coco_set *s, uint32_t *out, uint32_t *scratch,
                          uint32_t *counts)
{
    for (int pass = 0; pass < 2; pass++) {
        const uint32_t keys = pass ? s->n_categories : s->n_images, *from = scratch;
        uint32_t *to = pass ? out : scratch, sum = 0;

        memset(counts, 0, ((size_t)keys + 1) * sizeof *counts);
        for (uint32_t i = 0; i < n; i++) {
            const struct place *p = place_of(list, stride, i);

            counts[(pass ? p->category : p->image) + 1]++;
        }
        for (uint32_t k = 0; k <= keys; k++)
            counts[k] = sum += counts[k];
        for (uint32_t i = 0; i < n; i++) {
            const uint32_t at = pass ? from[i] : i;
            const struct place *p = place_of(list, stride, at);

            to[counts[pass ? p->category : p->image]++] = at;
        }
    }
}

/* ---- matches ---- */

/* A detection of the present category; bit i of the sets is of overlap i. */
struct judged {
    double score;
    uint32_t rank; /* by score among those of its image and category */
    uint16_t matched[COCO_AREAS], ignored[COCO_AREAS];
};

struct evaluation {
    const struct coco_set *set;
    uint32_t *truths, *detections;   /* sorted by category and image */
    struct judged *judged, *scratch; /* of a category */
    uint32_t n_judged, counted[COCO_AREAS];
    bool any;                      /* an image has a truth or a detection of the category */
    double *ious;                  /* [COCO_MOST_DETECTIONS][truths of an image and category] */
    uint32_t *order;               /* truths of an image and category: what counts, then what is ignored */
    bool *ignored, *taken;         /* of each of these */
    double *precision[COCO_AREAS]; /* [COCO_IOUS][RECALLS][n_categories] */
    double *recall[COCO_AREAS];    /* [COCO_IOUS][n_categories] */
    double *recall_few[2];         /* likewise of all areas, with 1 and 10 detections */
    double *tp, *fp;               /* running sums down the scores */
};

static int by_score(const void *a, const void *b)
{
    const struct judged *x = a, *y = b;

    if (x->score != y->score)
        return x->score < y->score ? 1 : -1;
    return (x->rank > y->rank) - (x->rank < y->rank);
}

/* The truth that detection d takes at one overlap, as a place in e->order; n_truths if there is none. Ignored truths come last, and
 * none is taken once another one fits. */
static uint32_t best_match(const struct evaluation *e, const uint32_t *truths, uint32_t n_truths, uint32_t d, double least)
{
    uint32_t best = n_truths;
    double iou = fmin(least, 1 - 1e-10);

    for (uint32_t i = 0; i < n_truths; i++) {
        const uint32_t t = e->order[i];
        const double own = e->ious[(size_t)d * n_truths + t];

        if (e->taken[t] && !e->set->truths[truths[t]].crowd)
            continue;
        if (best < n_truths && !e->ignored[e->order[best]] && e->ignored[t])
            break;
        if (own < iou)
            continue;
        iou = own;
        best = i;
    }
    return best;
}

/* Detections of an image and category, sorted by score, against its truths. */
static void match(struct evaluation *e, const uint32_t *truths, uint32_t n_truths, struct judged *found, const double *found_areas,
                  uint32_t n_found, enum coco_area area)
{
    const double least = areas[area].least, most = areas[area].most;
    uint32_t n = 0;

    for (int pass = 0; pass < 2; pass++)
        for (uint32_t t = 0; t < n_truths; t++) {
            const struct coco_truth *truth = &e->set->truths[truths[t]];

            e->ignored[t] = truth->crowd || truth->area < least || truth->area > most;
            if (e->ignored[t] == (pass == 1))
                e->order[n++] = t;
        }
    for (uint32_t t = 0; t < n_truths; t++)
        e->counted[area] += !e->ignored[t];
    for (size_t i = 0; i < COCO_IOUS; i++) {
        memset(e->taken, 0, n_truths * sizeof *e->taken);
        for (uint32_t d = 0; d < n_found; d++) {
            const uint32_t best = best_match(e, truths, n_truths, d, overlap(i));
            const uint32_t t = best < n_truths ? e->order[best] : 0;
            bool ignored = best < n_truths && e->ignored[t], matched = best < n_truths && !e->set->truths[truths[t]].never_counts;

            if (best < n_truths)
                e->taken[t] = true;
            if (!matched)
                ignored |= found_areas[d] < least || found_areas[d] > most;
            found[d].matched[area] |= (uint16_t)(matched << i);
            found[d].ignored[area] |= (uint16_t)(ignored << i);
        }
    }
}

static void judge_image(struct evaluation *e, const uint32_t *truths, uint32_t n_truths, const uint32_t *detections,
                        uint32_t n_detections)
{
    struct judged *found = e->judged + e->n_judged;
    double found_areas[COCO_MOST_DETECTIONS];

    e->any |= n_truths || n_detections;
    for (uint32_t d = 0; d < n_detections; d++)
        found[d] = (struct judged){.score = e->set->detections[detections[d]].score, .rank = d};
    qsort(found, n_detections, sizeof *found, by_score);
    n_detections = n_detections < COCO_MOST_DETECTIONS ? n_detections : COCO_MOST_DETECTIONS;
    for (uint32_t d = 0; d < n_detections; d++) {
        const struct coco_box *box = &e->set->detections[detections[found[d].rank]].box;

        found_areas[d] = box->w * box->h;
        for (uint32_t t = 0; t < n_truths; t++) {
            const struct coco_truth *truth = &e->set->truths[truths[t]];

            e->ious[(size_t)d * n_truths + t] = coco_iou(box, &truth->box, truth->crowd);
        }
        found[d].rank = d;
    }
    for (int area = 0; area < COCO_AREAS; area++)
        match(e, truths, n_truths, found, found_areas, n_detections, (enum coco_area)area);
    e->n_judged += n_detections;
}

/* ---- curves ---- */

/* Merges two sorted runs of v into `to`, equal scores in their order. */
static void merge(const struct judged *v, size_t half, size_t n, struct judged *to)
{
    for (size_t i = 0, k = half; i + k - half < n;)
        if (k == n || (i < half && v[i].score >= v[k].score))
            to[i + k - half] = v[i], i++;
        else
            to[i + k - half] = v[k], k++;
}

static void sort_judged(struct judged *v, size_t n, struct judged *scratch)
{
    if (n < 2)
        return;
    sort_judged(v, n / 2, scratch);
    sort_judged(v + n / 2, n - n / 2, scratch);
    merge(v, n / 2, n, scratch);
    memcpy(v, scratch, n * sizeof *v);
}

/* The largest recall at one overlap, of at most `most` detections an image. Leaves running sums in tp and fp, of *n detections. */
static double walk(struct evaluation *e, enum coco_area area, size_t iou, uint32_t most, size_t *n)
{
    double tp = 0, fp = 0;

    *n = 0;
    for (uint32_t i = 0; i < e->n_judged; i++) {
        const struct judged *d = &e->judged[i];
        const bool matched = d->matched[area] >> iou & 1, ignored = d->ignored[area] >> iou & 1;

        if (d->rank >= most)
            continue;
        tp += matched && !ignored;
        fp += !matched && !ignored;
        e->tp[*n] = tp;
        e->fp[(*n)++] = fp;
    }
    return *n ? tp / e->counted[area] : 0;
}

/* Precision at 101 recalls: the largest at this recall or a higher one. Uses what walk left; precisions replace tp. */
static void put_precision(struct evaluation *e, enum coco_area area, size_t iou, uint32_t category, size_t n)
{
    double *out = e->precision[area] + iou * RECALLS * e->set->n_categories + category;
    size_t at = 0;

    for (size_t i = 0; i < n; i++) {
        const double tp = e->tp[i];

        e->tp[i] = tp / (e->fp[i] + tp + 2.220446049250313e-16);
        e->fp[i] = tp / e->counted[area]; /* from here on recalls */
    }
    for (size_t i = n; i-- > 1;)
        if (e->tp[i] > e->tp[i - 1])
            e->tp[i - 1] = e->tp[i];
    for (size_t r = 0; r < RECALLS; r++) {
        while (at < n && e->fp[at] < recall_point(r))
            at++;
        out[r * e->set->n_categories] = at < n ? e->tp[at] : 0;
    }
}

static void finish_category(struct evaluation *e, uint32_t category)
{
    static const uint32_t few[] = {1, 10};
    size_t n;

    sort_judged(e->judged, e->n_judged, e->scratch);
    for (int area = 0; area < COCO_AREAS && e->any; area++)
        for (size_t i = 0; i < COCO_IOUS && e->counted[area]; i++) {
            const size_t at = i * e->set->n_categories + category;

            for (int k = 0; k < 2 && area == COCO_ALL; k++)
                e->recall_few[k][at] = walk(e, COCO_ALL, i, few[k], &n);
            e->recall[area][at] = walk(e, (enum coco_area)area, i, COCO_MOST_DETECTIONS, &n);
            put_precision(e, (enum coco_area)area, i, category, n);
        }
}

/* ---- all of it ---- */

/* How many elements of the sorted list, from *at on, are of this category and at most this image. */
static uint32_t count_at(const void *list, size_t stride, const uint32_t *sorted, uint32_t n, uint32_t at, uint32_t category,
                         uint32_t image)
{
    uint32_t count = 0;

    while (at + count < n) {
        const struct place *p = place_of(list, stride, sorted[at + count]);

        if (p->category != category || p->image != image)
            break;
        count++;
    }
    return count;
}

static void evaluate_categories(struct evaluation *e, struct coco_metrics *out)
{
    const struct coco_set *s = e->set;
    const uint32_t n_truths = (uint32_t)s->n_truths, n_detections = (uint32_t)s->n_detections;
    uint32_t t = 0, d = 0;

    for (uint32_t category = 0; category < s->n_categories; category++) {
        e->n_judged = 0;
        e->any = false;
        memset(e->counted, 0, sizeof e->counted);
        for (;;) {
            const struct coco_truth *truth = t < n_truths ? &s->truths[e->truths[t]] : NULL;
            const struct coco_detection *found = d < n_detections ? &s->detections[e->detections[d]] : NULL;
            uint32_t image = UINT32_MAX, nt, nd;

            if (truth && truth->category == category)
                image = truth->image;
            if (found && found->category == category && found->image < image)
                image = found->image;
            if (image == UINT32_MAX)
                break;
            nt = count_at(s->truths, sizeof *s->truths, e->truths, n_truths, t, category, image);
            nd = count_at(s->detections, sizeof *s->detections, e->detections, n_detections, d, category, image);
            judge_image(e, e->truths + t, nt, e->detections + d, nd);
            t += nt;
            d += nd;
        }
        finish_category(e, category);
        out->category_truths[category] = e->counted[COCO_ALL];
    }
}

/* The most truths of one image and category. */
static uint32_t most_truths(const struct coco_set *s, const uint32_t *sorted)
{
    uint32_t most = 0;

    for (uint32_t t = 0, n; t < s->n_truths; t += n) {
        const struct coco_truth *first = &s->truths[sorted[t]];

        n = count_at(s->truths, sizeof *s->truths, sorted, (uint32_t)s->n_truths, t, first->category, first->image);
        most = n > most ? n : most;
    }
    return most;
}

static double *filled(struct arena *a, size_t n, bool *full)
{
    double *v = arena_alloc(a, n, sizeof *v);

    for (size_t i = 0; v && i < n; i++)
        v[i] = -1;
    *full |= !v;
    return v;
}

static void summarize(struct evaluation *e, double *scratch, struct coco_metrics *out)
{
    const size_t k = e->set->n_categories, plane = RECALLS * k;

    for (size_t c = 0; c < k; c++) {
        for (size_t i = 0; i < COCO_IOUS * RECALLS; i++)
            scratch[i] = e->precision[COCO_ALL][i * k + c];
        out->category_ap[c] = mean_of_known(scratch, COCO_IOUS * RECALLS);
    }
    for (size_t i = 0; i < COCO_IOUS; i++)
        out->ap_iou[i] = mean_of_known(memcpy(scratch, e->precision[COCO_ALL] + i * plane, plane * sizeof *scratch), plane);
    out->ap50 = out->ap_iou[0];
    out->ap75 = out->ap_iou[5];
    for (int area = 0; area < COCO_AREAS; area++) {
        out->ap_area[area] = mean_of_known(e->precision[area], COCO_IOUS * plane);
        out->ar_area[area] = mean_of_known(e->recall[area], COCO_IOUS * k);
    }
    out->ap = out->ap_area[COCO_ALL];
    out->ar_100 = out->ar_area[COCO_ALL];
    out->ar_1 = mean_of_known(e->recall_few[0], COCO_IOUS * k);
    out->ar_10 = mean_of_known(e->recall_few[1], COCO_IOUS * k);
}

enum status coco_evaluate(const struct coco_set *s, struct arena *a, struct coco_metrics *out, struct err *err)
{
    const size_t k = s->n_categories, n = s->n_detections, plane = COCO_IOUS * RECALLS * k;
    const size_t keys = (s->n_images > s->n_categories ? s->n_images : s->n_categories) + (size_t)1;
    const size_t longest = n > s->n_truths ? n : s->n_truths;
    struct arena own = {0};
    struct evaluation e = {.set = s};
    uint32_t *scratch, *counts;
    double *numbers;
    bool full = n >= UINT32_MAX || s->n_truths >= UINT32_MAX;

    *out = (struct coco_metrics){.category_ap = filled(a, k, &full), .category_truths = arena_alloc(a, k, sizeof(uint32_t))};
    for (int area = 0; area < COCO_AREAS; area++) {
        e.precision[area] = filled(&own, plane, &full);
        e.recall[area] = filled(&own, COCO_IOUS * k, &full);
    }
    for (int i = 0; i < 2; i++)
        e.recall_few[i] = filled(&own, COCO_IOUS * k, &full);
    numbers = arena_alloc(&own, plane + COCO_IOUS * RECALLS, sizeof *numbers);
    e.truths = arena_alloc(&own, s->n_truths, sizeof *e.truths);
    e.detections = arena_alloc(&own, n, sizeof *e.detections);
    scratch = arena_alloc(&own, longest, sizeof *scratch);
    counts = arena_alloc(&own, keys + 1, sizeof *counts);
    e.judged = arena_alloc(&own, n, sizeof *e.judged);
    e.scratch = arena_alloc(&own, n, sizeof *e.scratch);
    e.tp = arena_alloc(&own, n, sizeof *e.tp);
    e.fp = arena_alloc(&own, n, sizeof *e.fp);
    full |= !out->category_truths || !numbers || !e.truths || !e.detections || !scratch || !counts || !e.judged || !e.scratch ||
            !e.tp || !e.fp;
    if (!full) {
        uint32_t most;

        sort_by_place(s->truths, sizeof *s->truths, (uint32_t)s->n_truths, s, e.truths, scratch, counts);
        sort_by_place(s->detections, sizeof *s->detections, (uint32_t)n, s, e.detections, scratch, counts);
        most = most_truths(s, e.truths);
        e.ious = arena_alloc(&own, (size_t)most * COCO_MOST_DETECTIONS, sizeof *e.ious);
        e.order = arena_alloc(&own, most, sizeof *e.order);
        e.ignored = arena_alloc(&own, most, sizeof *e.ignored);
        e.taken = arena_alloc(&own, most, sizeof *e.taken);
        full = !e.ious || !e.order || !e.ignored || !e.taken;
    }
    if (!full) {
        evaluate_categories(&e, out);
        summarize(&e, numbers, out);
    }
    arena_free(&own);
    return full ? err_set(err, ST_NOMEM, "out of memory for %zu detections and %zu boxes of the ground truth", n, s->n_truths)
                : ST_OK;
}
