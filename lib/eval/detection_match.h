/* SPDX-License-Identifier: Apache-2.0 */
/* detection_match.h - which detection found which box of one picture, for reports and pages; COCO's metrics hide it in a mean. */
#pragma once

#include "lib/eval/coco_metrics.h"

enum { MATCH_NONE = -1, MATCH_CROWD = -2, MATCH_SMALL = -3, MATCH_SIDES = 2 };

/* The detections of a side in a picture. */
struct detection_side {
    const struct coco_detection *list; /* [n] by score */
    size_t n;
    int32_t *truth_of; /* [n] the truth that it found; MATCH_NONE: a false one; MATCH_CROWD: part of a crowd, neither right nor
                          wrong; MATCH_SMALL: its score is too small to count here */
    uint32_t found, missed, wrong; /* truths, crowds aside; detections of no truth */
};

/* A picture, its truth and the detections of its sides: a page of pictures needs no more. */
struct detection_record {
    const char *file;                /* path within the folder of the data set */
    uint32_t width, height;          /* in pixels: boxes count in these */
    const struct coco_truth *truths; /* [n_truths] */
    size_t n_truths;
    struct detection_side sides[MATCH_SIDES]; /* a second one only beside a delegate */
};

/* Match detections of side->list with truths of their category, the largest score first, each with the truth that overlaps
 * most of those that are left, if by `iou` or more; scores below min_score do not count. Fills truth_of and the numbers.
 * taken[n_truths] tells which truths were found. */
void detection_match(struct detection_side *side, const struct coco_truth *truths, size_t n_truths, double iou, double min_score,
                     bool *taken);

/* Count the pairs of detections of two sides with one category that overlap by `iou` or more, each in one pair, those of the
 * largest scores first; scores below min_score do not count. used[b->n] is scratch. *largest is set to the largest difference of a
 * coordinate in a pair, if that is larger. */
size_t detection_pairs(const struct detection_side *a, const struct detection_side *b, double iou, double min_score, bool *used,
                       double *largest);
