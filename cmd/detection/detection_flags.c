/* SPDX-License-Identifier: Apache-2.0 */
/* detection_flags.c - the flags of eval_detection. */
#include "cmd/detection/eval_detection.h"
#include "cmd/tool/help.h"

#define ROW(of_group, flag_name, takes, field, def, echo, text)                                                                    \
    {                                                                                                                              \
        .name = flag_name, .group = GROUP_##of_group, takes, .offset = offsetof(struct detection_flags, field), .value = def,      \
        .label = echo, .help = text                                                                                                \
    }

const struct flag detection_flag_table[] = {
    ROW(INPUT, "ground_truth", FLAG_TAKES_TEXT, ground_truth, "", "Ground truth",
        "Read images, categories and annotations from this file, in the form of COCO's instances_*.json."),
    ROW(INPUT, "detections", FLAG_TAKES_TEXT, detections, "", "Detections",
        "Judge the boxes of this file, a list of {\"image_id\", \"category_id\", \"bbox\": [x, y, width, height], \"score\"}."),
    {.name = "markdown",
     .group = GROUP_OUTPUT,
     FLAG_WRITES_REPORT,
     .bare = "-",
     .offset = offsetof(struct detection_flags, markdown),
     .value = "",
     .label = "Markdown",
     .help = "Write the figures to this file as Markdown; without a file, or -: print tables in Markdown."},
    {0},
};

static const struct cli_help_line examples[] = {
    {"--ground_truth=instances.json --detections=results.json", "COCO's figures"},
    {0},
};

static const struct cli_help_line most_used[] = {
    {"ground_truth=FILE", "the boxes that are there, as COCO's instances_*.json"},
    {"detections=FILE", "the boxes that were found, as COCO's results"},
    {"markdown=FILE", "write the figures as Markdown"},
    {"json=FILE", "write the figures as JSON"},
    {0},
};

const struct cli_help detection_help = {examples, most_used};
