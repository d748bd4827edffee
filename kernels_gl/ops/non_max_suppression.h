/* SPDX-License-Identifier: Apache-2.0 */
/* non_max_suppression.h - boxes in descending order of score, without boxes that overlap a chosen one: NON_MAX_SUPPRESSION_V4, V5
 * and TFLite_Detection_PostProcess. */
#pragma once

#include "kernels_gl/common/kinds.h"

enum suppression_number { IOU_THRESHOLD, SCORE_THRESHOLD, SIGMA, NUMBERS };

/* Parameters: choose up to `most` boxes for each of `classes` columns of scores, from column `offset` on. */
struct suppression {
    int32_t classes, offset, most;
    float number[NUMBERS]; /* SIGMA is soft suppression's, 0: none */
    bool made[NUMBERS];    /* made at run time: number[] is not read */
    bool again; /* V4's and V5's rules: box corners in any order, scores above the threshold, overlaps below theirs, and a chosen
                   box may be chosen again. Else scores and overlaps may reach the thresholds */
    int32_t nothing; /* index that stands for no box; its score is 0 if this is 0, else -infinity */
};

/* Append the choice of boxes. boxes: [1, 1, n, 4], corners [y, x, y, x]; scores: [1, 1, n, columns]; numbers: a value of one
 * element for each number made at run time. *chosen: [1, classes, most + 1, 1], indices of boxes, then their number; *scores_of:
 * [1, classes, most, 1]. Of equal scores the first box comes first, or with `again` the one that comes first on the CPU. False if
 * memory runs out. */
bool ir_suppress(struct ir *ir, struct ir_value *boxes, struct ir_value *scores, struct ir_value *const numbers[NUMBERS],
                 const struct suppression *s, struct ir_value **chosen, struct ir_value **scores_of);

/* Check that a workgroup can handle that many boxes. False: *why. */
bool suppression_fits(int32_t boxes, struct reason *why);
