/* SPDX-License-Identifier: Apache-2.0 */
/* detectors.h - tiny detectors of colored blocks, one for each form of outputs that object detectors have.
 *
 * The input has 32 x 32 pixels in 16 cells. Each cell has a box, which its mean color moves and widens, and three classes: red,
 * green and blue, whose scores are that color's mean. */
#pragma once

#include "bench/models/builder.h"

void detector_ssd(struct builder *b);          /* TFLite_Detection_PostProcess: boxes, classes, scores, count */
void detector_ssd_reversed(struct builder *b); /* the same, as count, scores, classes, boxes, with names in the other order */
void detector_plain(struct builder *b);        /* scores, boxes, count, classes, of operators that say nothing of them */
void detector_yolo(struct builder *b);         /* [1,7,16], in pixels */
void detector_yolo_last(struct builder *b);    /* [1,16,7], normalized */
void detector_nms_free(struct builder *b);     /* [1,16,6] */
void detector_detr(struct builder *b);         /* boxes [1,16,4], logits [1,16,3] */
void detector_detr_none(struct builder *b);    /* logits [1,16,4], the last for none, and boxes [1,16,4] */
