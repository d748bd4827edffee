/* SPDX-License-Identifier: Apache-2.0 */
/* eval_detection.h - how well boxes were detected: an evaluation (cmd/evaluation/evaluation.h) that runs a detector on pictures, or
 * a file of detections; ground truth, metrics. */
#pragma once

#include "cmd/evaluation/evaluation.h"
#include "cmd/print/results.h"
#include "lib/eval/category_map.h"
#include "lib/eval/detection_match.h"
#include "lib/eval/detector.h"

/* Values that the rows of the table fill; texts point into argv, "" if not given. */
struct detection_flags {
    const char *truth, *truth_proto, *detections; /* files of the data set: the ground truth under either name; detections */
    const char *labels, *output_order;
    const char *output, *proto, *save; /* files that are written */
    enum detector_head head;
    enum detector_units units;
    enum detector_scores scores;
    enum class_map class_map;
    const char *class_offset;
    double min_score, nms_iou, shown_score;
    int32_t max_detections, show_wrong;
    bool debug_mode;
    double min_ap; /* below 0: any will do */
};

extern const struct flag detection_flag_table[]; /* for struct detection_flags */
extern const struct cli_help detection_help;     /* the short --help */

/* The ground truth and the answers of a picture. */
struct detected {
    uint32_t image; /* place in data.images */
    uint32_t width, height;
    struct {
        struct coco_detection *list; /* [n] by score */
        size_t n;
    } sides[MAX_SIDES];
};

/* Both sides on the same pictures. Detections count from --shown_score on. */
struct detection_agreement {
    uint64_t pairs, detections[MAX_SIDES];           /* of one category, overlapping by half; of each side */
    uint64_t same_pictures;                          /* pictures in which every detection is in a pair */
    double largest;                                  /* difference of a coordinate in a pair, in pixels */
    uint64_t both, only_first, only_second, neither; /* truths that were found */
    double p;                                        /* wilson_mcnemar */
};

/* Zeroed to begin with. */
struct eval_detection {
    struct evaluation base;
    struct detection_flags flags;
    struct coco_data data;
    struct detector detector;
    struct category_map map; /* n is 0 if nothing was run */
    struct label_lines labels;
    int32_t class_offset;
    struct detected *detected; /* [names] of picture.number, from 1 on */
    uint32_t unlisted;         /* pictures that the ground truth does not list */
    uint32_t missing;          /* images of the ground truth that the folder has not */
    uint64_t resized;          /* pictures of another size than the ground truth has */
    struct coco_metrics metrics[MAX_SIDES];
    size_t n_truths, n_detections[MAX_SIDES]; /* that the metrics are of */
    struct detection_record *records;         /* [n_records] pictures that ran */
    uint32_t n_records;
    struct detection_agreement agreement;
};

/* Return the record of a picture. */
static inline struct detected *detected_of(const struct eval_detection *e, const struct picture *p)
{
    return &e->detected[p->number - 1];
}

extern const struct eval_task detection_task;

/* Store the outputs of a side; returns `out`. */
const struct tensor *const *detection_outputs(const struct eval_detection *e, uint32_t side,
                                              const struct tensor *out[DETECTOR_MOST_OUTPUTS]);

/* Read the ground truth, and list the pictures of the folder that it has, less denylist and --num_images. ST_USAGE, with the
 * numbers, if they do not match; ST_IO. */
enum status detection_list(struct eval_detection *e, struct err *err);

/* Run pictures that wait, the first first, until they say what the outputs mean; then make the map of classes. ST_USAGE if they do
 * not say it; else fails as a run does. */
enum status detection_probe(struct eval_detection *e, struct err *err);

/* Compute metrics, records and agreement of all pictures that ran, and base.passed; or the metrics of --detections. Fails only with
 * ST_NOMEM. */
enum status detection_count(struct eval_detection *e, struct err *err);
enum status detection_count_file(struct eval_detection *e, struct err *err);

/* Return the part of the detections that is common to both sides: twice the pairs, of all. */
double detection_agreement_of(const struct detection_agreement *g);

/* Print the figures; write --json, --markdown and --html; of a run also --save_detections and TFLite's messages. */
enum status detection_say(const struct eval_detection *e, struct err *err);
enum status detection_report(const struct eval_detection *e, struct err *err);
enum status detection_save(const struct eval_detection *e, struct err *err);
enum status detection_write_protos(const struct eval_detection *e, struct err *err);
