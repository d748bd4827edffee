/* SPDX-License-Identifier: Apache-2.0 */
/* detection_postprocess.c - cases of TFLite_Detection_PostProcess. */
#include "../opcheck.h"

#define BOXES "num_classes=3 x_scale=10.0 y_scale=10.0 h_scale=5.0 w_scale=5.0 nms_score_threshold=0.2 "

static const char fast[] = BOXES "max_detections=4 max_classes_per_detection=1 nms_iou_threshold=0.4";
static const char two_classes[] = BOXES "max_detections=3 max_classes_per_detection=2 nms_iou_threshold=0.4";
static const char regular[] =
    BOXES "max_detections=4 max_classes_per_detection=1 nms_iou_threshold=0.4 detections_per_class=2 use_regular_nms=true";
static const char no_overlap_allowed[] = BOXES "max_detections=4 max_classes_per_detection=1 nms_iou_threshold=0.0";
static const char huge[] = BOXES "max_detections=1073741824 max_classes_per_detection=8 nms_iou_threshold=0.4";

#define OPTIONS(text) .flex = text
#define OUT(n) { F32(1, n, 4), F32(1, n), F32(1, n), F32(1) }

/* ymin, xmin, height and width of 6 boxes, some of which overlap. */
#define ANCHORS_GIVEN {TYPE_FLOAT32, CASE_DIMS(6, 4), .fill = FILL_GIVEN, .constant = true, .data = (const float[]){ \
    0.5f, 0.5f, 1, 1, 0.5f, 0.52f, 1, 1, 0.5f, 10.5f, 1, 1, 0.5f, 10.6f, 1, 1.1f, 0.5f, 20.5f, 1, 1, 3, 3, 2, 2 }}

const struct op_case detection_postprocess_cases[] = {
    /* TFLite does not count the anchors. */
    { "fast", .apart = "0.1+1.1 empty", OPTIONS(fast), .in = { F32(1, 6, 4), F32_IN(0.2, 1, 1, 6, 4), ANCHORS_GIVEN }, .out = OUT(4) },
    { "without a background class", OPTIONS(fast), .in = { F32(1, 6, 4), F32_IN(0.2, 1, 1, 6, 3), ANCHORS_GIVEN }, .out = OUT(4) },
    { "key points after the box", OPTIONS(fast), .in = { F32(1, 6, 7), F32_IN(0.2, 1, 1, 6, 4), ANCHORS_GIVEN }, .out = OUT(4) },
    { "two classes per detection", OPTIONS(two_classes), .in = { F32(1, 6, 4), F32_IN(0.2, 1, 1, 6, 4), ANCHORS_GIVEN }, .out = OUT(6) },
    { "regular", OPTIONS(regular), .in = { F32(1, 6, 4), F32_IN(0.2, 1, 1, 6, 4), ANCHORS_GIVEN }, .out = OUT(4) },
    { "regular, few above the threshold", OPTIONS(regular), .in = { F32(1, 6, 4), F32_IN(0, 0.23, 1, 6, 4), ANCHORS_GIVEN },
      .out = OUT(4) },
    { "UINT8", OPTIONS(fast), .in = { QUANT(UINT8, 0.01f, 128, 1, 6, 4), {TYPE_UINT8, CASE_DIMS(1, 6, 4), .lo = 60, .hi = 255,
      .scale = 1.0f / 256}, {TYPE_UINT8, CASE_DIMS(6, 4), .lo = 10, .hi = 250, .scale = 0.1f, .constant = true} }, .out = OUT(4) },
    { "anchors of another count", OPTIONS(fast), .fails = "expected [6,4]", .in = { F32(1, 6, 4), F32(1, 6, 4), F32(5, 4) },
      .out = OUT(4) },
    { "too few scores", OPTIONS(fast), .fails = "or one more for the background", .in = { F32(1, 6, 4), F32(1, 6, 2), F32(6, 4) },
      .out = OUT(4) },
    { "an overlap of 0", OPTIONS(no_overlap_allowed), .fails = "nms_iou_threshold is 0", .in = { F32(1, 6, 4), F32(1, 6, 4),
      F32(6, 4) }, .out = OUT(4) },
    { "more detections than there are numbers", OPTIONS(huge), .fails = "out of range", .in = { F32(1, 6, 4), F32(1, 6, 4),
      F32(6, 4) }, .out = OUT(4) },
    { "no options", .fails = "no FlexBuffer", .in = { F32(1, 6, 4), F32(1, 6, 4), F32(6, 4) }, .out = OUT(4) },
    { 0 }
};
