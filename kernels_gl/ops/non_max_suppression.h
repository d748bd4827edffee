/* SPDX-License-Identifier: Apache-2.0 */
/* non_max_suppression.h - boxes by falling score, without the boxes that overlap one already chosen, for NON_MAX_SUPPRESSION_V4, V5
 * and TFLite_Detection_PostProcess. */
#ifndef DELEGAUGE_KERNELS_GL_NON_MAX_SUPPRESSION_H
#define DELEGAUGE_KERNELS_GL_NON_MAX_SUPPRESSION_H

#include "kernels_gl/common/kinds.h"

enum suppression_number { IOU_THRESHOLD, SCORE_THRESHOLD, SIGMA, NUMBERS };

/* For each of `classes` columns of scores, from number `offset` on, up to `most` boxes. */
struct suppression {
    int32_t classes, offset, most;
    float number[NUMBERS]; /* SIGMA is that of soft suppression, 0: none */
    bool made[NUMBERS];    /* at run time */
    bool again;      /* corners are in any order, scores are above the threshold and overlaps below theirs, and a chosen box may be
                        chosen again: as V4 and V5 have it. Else scores may reach the threshold, and overlaps theirs */
    int32_t nothing; /* stands for no box; its score is 0 if that is 0, else -infinity */
};

/* boxes: [1, 1, n, 4], with the corners [y, x, y, x]; scores: [1, 1, n, columns]; numbers: the values of the numbers that are made
 * at run time, of one element each. *chosen: [1, classes, most + 1, 1], boxes and at last their number; *scores_of: [1, classes,
 * most, 1]. Of equal scores that of the first box comes first or, with `again`, that which does on the CPU. False: out of
 * memory. */
bool ir_suppress(struct ir *ir, struct ir_value *boxes, struct ir_value *scores, struct ir_value *const numbers[NUMBERS],
                 const struct suppression *s, struct ir_value **chosen, struct ir_value **scores_of);

/* Check that so many boxes can be told apart. False with a reason. */
bool suppression_fits(int32_t boxes, struct reason *why);

#endif
