/* SPDX-License-Identifier: Apache-2.0 */
/* detection_postprocess.c - cases of TFLite_Detection_PostProcess. */
#include "bench/opcheck/opcheck.h"

#define BOXES "num_classes=3 x_scale=10.0 y_scale=10.0 h_scale=5.0 w_scale=5.0 nms_score_threshold=0.2 "

static const char fast[] = BOXES "max_detections=4 max_classes_per_detection=1 nms_iou_threshold=0.4";
static const char two_classes[] = BOXES "max_detections=3 max_classes_per_detection=2 nms_iou_threshold=0.4";
static const char regular[] =
    BOXES "max_detections=4 max_classes_per_detection=1 nms_iou_threshold=0.4 detections_per_class=2 use_regular_nms=true";
static const char fast_many[] = BOXES "max_detections=30 max_classes_per_detection=1 nms_iou_threshold=0.2";
static const char regular_many[] =
    BOXES "max_detections=30 max_classes_per_detection=1 nms_iou_threshold=0.1 detections_per_class=12 use_regular_nms=true";
static const char no_overlap_allowed[] = BOXES "max_detections=4 max_classes_per_detection=1 nms_iou_threshold=0.0";
static const char huge[] = BOXES "max_detections=1073741824 max_classes_per_detection=8 nms_iou_threshold=0.4";

#define OPTIONS(text) .flex = text
#define OUT(n) { F32(1, n, 4), F32(1, n), F32(1, n), F32(1) }

/* ymin, xmin, height and width of 6 boxes, some of which overlap. */
#define ANCHORS_GIVEN {TYPE_FLOAT32, CASE_DIMS(6, 4), .fill = FILL_GIVEN, .constant = true, .data = (const float[]){ \
    0.5f, 0.5f, 1, 1, 0.5f, 0.52f, 1, 1, 0.5f, 10.5f, 1, 1, 0.5f, 10.6f, 1, 1.1f, 0.5f, 20.5f, 1, 1, 3, 3, 2, 2 }}

#define MANY_ANCHORS {TYPE_FLOAT32, CASE_DIMS(300, 4), .lo = 0.1, .hi = 2, .constant = true}

/* Equal scores. Scores of 8 bits with a scale of 1/4 are mostly that. */
#define TIES "x_scale=10.0 y_scale=10.0 h_scale=5.0 w_scale=5.0 nms_score_threshold=0.2 nms_iou_threshold="
static const char fast_ties[] = TIES "1.0 num_classes=3 max_detections=20 max_classes_per_detection=1";
static const char two_of_three[] = TIES "1.0 num_classes=3 max_detections=20 max_classes_per_detection=2";
static const char five_of_nine[] = TIES "1.0 num_classes=9 max_detections=20 max_classes_per_detection=5";
static const char nine_of_nine[] = TIES "1.0 num_classes=9 max_detections=20 max_classes_per_detection=9";
static const char seventeen_of_thirty[] = TIES "0.4 num_classes=30 max_detections=3 max_classes_per_detection=17";
static const char most_ranked[] = TIES "0.4 num_classes=300 max_detections=2 max_classes_per_detection=256";
static const char too_many_ranked[] = TIES "0.4 num_classes=300 max_detections=2 max_classes_per_detection=257";
static const char regular_ties[] = TIES "0.4 num_classes=5 max_detections=9 max_classes_per_detection=1 detections_per_class=6 "
    "use_regular_nms=true";
static const char regular_two[] = TIES "0.4 num_classes=5 max_detections=9 max_classes_per_detection=2 detections_per_class=6 "
    "use_regular_nms=true";
#define TIED(columns, levels) \
    .in = { QUANT(UINT8, 0.01f, 128, 1, 20, 4), {TYPE_UINT8, CASE_DIMS(1, 20, columns), .lo = 4 - levels, .hi = 3, .scale = .25f}, \
            {TYPE_UINT8, CASE_DIMS(20, 4), .lo = 10, .hi = 250, .scale = 0.1f, .constant = true} }

const struct op_case detection_postprocess_cases[] = {
    /* TFLite does not count the anchors. */
    { "fast", .skip_golden = "0.1+1.1 empty", OPTIONS(fast), .in = { F32(1, 6, 4), F32_IN(0.2, 1, 1, 6, 4), ANCHORS_GIVEN }, .out = OUT(4) },
    { "without a background class", OPTIONS(fast), .in = { F32(1, 6, 4), F32_IN(0.2, 1, 1, 6, 3), ANCHORS_GIVEN }, .out = OUT(4) },
    { "key points after the box", OPTIONS(fast), .in = { F32(1, 6, 7), F32_IN(0.2, 1, 1, 6, 4), ANCHORS_GIVEN }, .out = OUT(4) },
    { "two classes per detection", OPTIONS(two_classes), .in = { F32(1, 6, 4), F32_IN(0.2, 1, 1, 6, 4), ANCHORS_GIVEN }, .out = OUT(6) },
    { "regular", OPTIONS(regular), .in = { F32(1, 6, 4), F32_IN(0.2, 1, 1, 6, 4), ANCHORS_GIVEN }, .out = OUT(4) },
    { "regular, few above the threshold", OPTIONS(regular), .in = { F32(1, 6, 4), F32_IN(0, 0.23, 1, 6, 4), ANCHORS_GIVEN },
      .out = OUT(4) },
    { "UINT8", OPTIONS(fast), .in = { QUANT(UINT8, 0.01f, 128, 1, 6, 4), {TYPE_UINT8, CASE_DIMS(1, 6, 4), .lo = 60, .hi = 255,
      .scale = 1.0f / 256}, {TYPE_UINT8, CASE_DIMS(6, 4), .lo = 10, .hi = 250, .scale = 0.1f, .constant = true} }, .out = OUT(4) },
    { "equal scores", OPTIONS(fast_ties), TIED(4, 1), .out = OUT(20) },
    { "equal scores, two of three classes", OPTIONS(two_of_three), TIED(3, 1), .out = OUT(40) },
    { "equal scores, five of nine classes", OPTIONS(five_of_nine), TIED(9, 1), .out = OUT(100) },
    { "scores in groups, five of nine classes", OPTIONS(five_of_nine), TIED(10, 3), .out = OUT(100) },
    { "scores in groups, nine of nine classes", OPTIONS(nine_of_nine), TIED(9, 3), .out = OUT(180) },
    { "equal scores, nine of nine classes", OPTIONS(nine_of_nine), TIED(9, 1), .out = OUT(180) },
    { "scores in groups, seventeen of thirty classes", OPTIONS(seventeen_of_thirty), TIED(31, 3), .out = OUT(51) },
    { "256 of 300 classes", OPTIONS(most_ranked), TIED(301, 3), .out = OUT(512) },
    { "257 of 300 classes", OPTIONS(too_many_ranked), TIED(301, 3), .out = OUT(514) },
    { "regular, equal scores", OPTIONS(regular_ties), TIED(6, 1), .out = OUT(9) },
    { "regular, scores in groups", OPTIONS(regular_ties), TIED(5, 3), .out = OUT(9) },
    { "regular, rows for two classes (TFLite leaves some as they are)", .no_golden = true, OPTIONS(regular_two), TIED(5, 3),
      .out = OUT(18) },
    { "300 anchors", OPTIONS(fast_many), .in = { F32(1, 300, 4), F32_IN(0, 1, 1, 300, 4), MANY_ANCHORS }, .out = OUT(30) },
    { "regular, 300 anchors", OPTIONS(regular_many), .in = { F32(1, 300, 4), F32_IN(0, 1, 1, 300, 4), MANY_ANCHORS },
      .out = OUT(30) },
    { "a negative size", OPTIONS(fast), .in = { F32(1, 6, 4), F32_IN(0.2, 1, 1, 6, 4),
      {TYPE_FLOAT32, CASE_DIMS(6, 4), .lo = -2, .hi = -1, .constant = true} }, .out = OUT(4), .fails = "negative size" },
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
