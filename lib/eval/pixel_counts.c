/* SPDX-License-Identifier: Apache-2.0 */
/* pixel_counts.c - a matrix of counts, and its figures. */
#include "lib/eval/pixel_counts.h"

#include <math.h>
#include <string.h>

enum status pixel_counts_init(struct pixel_counts *c, uint32_t n, struct arena *a, struct err *err)
{
    *c = (struct pixel_counts){n, ARENA_ARRAY(a, n * ((size_t)n + 1), uint64_t)};
    return c->count ? ST_OK : err_set(err, ST_NOMEM, "out of memory for the confusions of %u classes", n);
}

void pixel_counts_clear(struct pixel_counts *c)
{
    memset(c->count, 0, c->n * ((size_t)c->n + 1) * sizeof *c->count);
}

void pixel_counts_add(struct pixel_counts *c, const struct label_map *truth, const struct label_map *answer)
{
    const size_t pixels = (size_t)truth->width * truth->height, columns = (size_t)c->n + 1;

    for (size_t i = 0; i < pixels; i++) {
        const uint32_t said = answer->at[i] < c->n ? answer->at[i] : c->n;

        if (truth->at[i] < c->n)
            c->count[truth->at[i] * columns + said]++;
    }
}

uint64_t pixel_counts_same(const struct label_map *truth, const struct label_map *a, const struct label_map *b)
{
    const size_t pixels = (size_t)truth->width * truth->height;
    uint64_t same = 0;

    for (size_t i = 0; i < pixels; i++)
        same += truth->at[i] != LABEL_NONE && a->at[i] == b->at[i];
    return same;
}

double pixel_share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : NAN;
}

struct pixel_class pixel_class_of(const struct pixel_counts *c, uint32_t class)
{
    const size_t columns = (size_t)c->n + 1;
    struct pixel_class out = {.both = c->count[class * columns + class]};

    for (size_t i = 0; i < columns; i++)
        out.truth += c->count[class * columns + i];
    for (size_t i = 0; i < c->n; i++)
        out.answer += c->count[i * columns + class];
    out.iou = pixel_share(out.both, out.truth + out.answer - out.both);
    out.accuracy = pixel_share(out.both, out.truth);
    return out;
}

struct pixel_figures pixel_figures_of(const struct pixel_counts *c)
{
    struct pixel_figures f = {0};
    double ious = 0, accuracies = 0, weighted = 0;
    uint32_t with_truth = 0;

    for (uint32_t k = 0; k < c->n; k++) {
        const struct pixel_class one = pixel_class_of(c, k);

        f.pixels += one.truth;
        f.right += one.both;
        if (!isnan(one.iou)) {
            f.n_classes++;
            ious += one.iou;
            weighted += (double)one.truth * one.iou;
        }
        if (one.truth) {
            with_truth++;
            accuracies += one.accuracy;
        }
    }
    f.accuracy = pixel_share(f.right, f.pixels);
    f.mean_accuracy = with_truth ? accuracies / with_truth : NAN;
    f.mean_iou = f.pixels ? ious / f.n_classes : NAN;
    f.weighted_iou = f.pixels ? weighted / (double)f.pixels : NAN;
    return f;
}
