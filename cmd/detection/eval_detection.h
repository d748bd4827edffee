/* SPDX-License-Identifier: Apache-2.0 */
/* eval_detection.h - how well boxes were detected: ground truth, detections, metrics. eval_detection.c reads and computes,
 * detection_results.c prints. */
#pragma once

#include "cmd/tool/tool.h"
#include "lib/eval/coco_files.h"

struct detection_flags {
    const char *ground_truth, *detections;
    const char *markdown; /* "-": tables of standard output in Markdown; else a file; "": neither */
};

extern const struct flag detection_flag_table[]; /* for struct detection_flags */
extern const struct cli_help detection_help;     /* the short --help */

/* Zeroed to begin with. */
struct eval_detection {
    struct tool tool;
    struct detection_flags flags;
    struct coco_data data;
    struct coco_metrics metrics;
    struct arena arena; /* owns the lists of the metrics */
};

/* Print the metrics, as text or Markdown to standard output, and as a JSON document to --json. */
enum status detection_say(const struct eval_detection *e, struct err *err);
