/* SPDX-License-Identifier: Apache-2.0 */
/* detection_flags.c - the flags of eval_detection. */
#include "cmd/detection/eval_detection.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct detection_flags, field), .value = def, .label = echo, .help = text     \
    }

const struct flag detection_flag_table[] = {
    ROW("ground_truth", FLAG_TAKES_TEXT, ground_truth, "", "Ground truth",
        "Read images, categories and annotations from this file, in the form of COCO's instances_*.json."),
    ROW("detections", FLAG_TAKES_TEXT, detections, "", "Detections",
        "Judge the boxes of this file, a list of {\"image_id\", \"category_id\", \"bbox\": [x, y, width, height], \"score\"}."),
    ROW("markdown", FLAG_TAKES_BOOL, markdown, "false", "Markdown", "Print tables in Markdown."),
    {0},
};
