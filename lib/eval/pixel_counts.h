/* SPDX-License-Identifier: Apache-2.0 */
/* pixel_counts.h - how often pixels of one class were taken for another, and the intersection over union that follows.
 *
 * Counts are whole numbers, so that those of parts of a data set add up to those of all. */
#pragma once

#include "lib/base/arena.h"
#include "lib/eval/label_map.h"

struct pixel_counts {
    uint32_t n;      /* classes */
    uint64_t *count; /* [n,n+1] of truth and answer; the last answer is none */
};

/* Make counts of zero for n classes, in `a`. ST_NOMEM. */
enum status pixel_counts_init(struct pixel_counts *c, uint32_t n, struct arena *a, struct err *err);

void pixel_counts_clear(struct pixel_counts *c);

/* Count the pixels of maps of one size, less those that the truth ignores. An answer that is no class counts as none; classes of
 * the truth are below n. */
void pixel_counts_add(struct pixel_counts *c, const struct label_map *truth, const struct label_map *answer);

/* Return the pixels of a truth that two maps give the same class, less those that the truth ignores. */
uint64_t pixel_counts_same(const struct label_map *truth, const struct label_map *a, const struct label_map *b);

/* Pixels of one class. */
struct pixel_class {
    uint64_t truth, answer, both; /* that are of the class; that are said to be; and are */
    double iou;                   /* both / (truth + answer - both); NaN: no pixel is either */
    double accuracy;              /* both / truth; NaN: no pixel is */
};

/* Return part / whole; NaN without a whole. */
double pixel_share(uint64_t part, uint64_t whole);

struct pixel_class pixel_class_of(const struct pixel_counts *c, uint32_t class);

/* Figures of all classes. Means are of classes that have one; all are NaN without pixels. */
struct pixel_figures {
    uint64_t pixels, right;
    double accuracy;      /* right / pixels */
    double mean_accuracy; /* of classes that the truth has */
    double mean_iou;      /* of classes that truth or answers have: one that is only answered counts as 0 */
    double weighted_iou;  /* by the pixels of the truth */
    uint32_t n_classes;   /* in mean_iou */
};

struct pixel_figures pixel_figures_of(const struct pixel_counts *c);
