/* SPDX-License-Identifier: Apache-2.0 */
/* detector.h - the meaning of the outputs of an object detector, and the boxes that they hold.
 *
 *   head       outputs                                          boxes
 *   tflite     TFLite_Detection_PostProcess: boxes [1,N,4],     top, left, bottom, right
 *              classes [1,N], scores [1,N], count [1]
 *   yolo       [1,4+C,N] or [1,N,4+C]: YOLOv8 and later         center, size; a score for each class
 *   yolov5     [1,N,5+C]                                        center, size; score of an object, of each class
 *   yolox      [1,N,5+C], N cells of strides 8, 16 and 32       the same, relative to the cell
 *   nms_free   [1,N,6]: YOLOv10, YOLO26, exports with NMS       left, top, right, bottom; score, class
 *   detr       boxes [1,N,4], logits [1,N,C]                    center, size
 *
 * Which output is which says the graph: the slot of TFLite_Detection_PostProcess that a tensor comes from; else the names in the
 * model's metadata; else shapes after a run, and values for what shapes leave open. Names of tensors do not say it: converters
 * number them in opposite orders. Units of boxes are read off their values: parts of the input's sides do not exceed 2.
 *
 *   st = detector_find(&d, &model, &err);         after a run, again until d.known
 *   st = detector_decode(&d, outputs, &picture, &err);
 *   for (i = 0; i < d.n_found; i++) … d.found[i]
 *   detector_free(&d);
 *
 * Sources: tensorflow.org/lite/examples/object_detection; docs.ultralytics.com, "Non-maximum suppression"; Ge et al., "YOLOX",
 * 2021; Carion et al., "End-to-End Object Detection with Transformers", 2020. */
#pragma once

#include "lib/eval/coco_metrics.h"
#include "lib/eval/preprocess.h"
#include "lib/model/model.h"

/* In the order of the words of a flag. */
enum detector_head {
    DETECTOR_AUTO,
    DETECTOR_TFLITE,
    DETECTOR_YOLO,
    DETECTOR_YOLOV5,
    DETECTOR_YOLOX,
    DETECTOR_NMS_FREE,
    DETECTOR_DETR
};
enum detector_units { UNITS_AUTO, UNITS_NORMALIZED, UNITS_PIXELS };
enum detector_scores { SCORES_AUTO, SCORES_AS_THEY_ARE, SCORES_SIGMOID, SCORES_SOFTMAX };

/* The content of an output; a head of one output holds all, as DETECTOR_BOXES. */
enum detector_role { DETECTOR_BOXES, DETECTOR_CLASSES, DETECTOR_SCORES, DETECTOR_COUNT, DETECTOR_ROLES };

enum { DETECTOR_NONE = UINT32_MAX, DETECTOR_MOST_OUTPUTS = 16, DETECTOR_TEXT_SIZE = 512 };

/* A box in pixels of the picture. */
struct detector_found {
    struct coco_box box;
    double score;
    uint32_t class;
};

/* Wishes first, AUTO and negative numbers for none; detector_find fills in the rest. Zeroed to begin with. */
struct detector {
    enum detector_head head;
    enum detector_units units;
    enum detector_scores scores;
    double min_score;  /* scores below are no detections; below 0: that of the head */
    double nms_iou;    /* of two boxes of a class that overlap by more than this the one with the smaller score goes */
    uint32_t most;     /* detections of a picture, the ones with the largest scores */
    uint32_t n_wanted; /* categories of the ground truth: tells heads of one shape apart; 0: unknown */
    const char *by;    /* NULL: nothing is known of outputs; "a flag" if output[] was given; detector_find sets it */
    uint32_t output[DETECTOR_ROLES]; /* DETECTOR_NONE: there is none */
    bool known;                      /* all is */
    bool channels_first;             /* yolo: [1,4+C,N] */
    uint32_t n_boxes, n_classes;     /* classes: 0 for tflite, whose outputs do not say */
    struct detector_found *found;    /* [n_found] of the last picture, by score; owned */
    size_t n_found, room;
    uint64_t n_nan; /* scores and boxes that are no finite numbers, of all pictures */
};

/* A model that ran. */
struct detector_model {
    const struct model *model;
    uint32_t subgraph;
    const struct tensor *const *outputs; /* [n_outputs] with data */
    uint32_t n_outputs;
    struct preprocess_input input;
};

/* Return the head that outputs of that many and such shapes probably have, before any run: AUTO if the model's tensors do not tell.
 */
enum detector_head detector_head_of(const struct model *m, uint32_t subgraph);

/* Read which outputs hold what: "boxes,classes,scores,count", in the order of the outputs, "-" for one that holds none of these.
 * ST_USAGE. */
enum status detector_read_order(const char *text, struct detector *d, struct err *err);

/* Find out what the outputs mean. d->known stays false, with ST_OK, if the values of this run leave it open, as those of a picture
 * without an object may. ST_USAGE if they are none of a detector. */
enum status detector_find(struct detector *d, const struct detector_model *m, struct err *err);

/* The picture that ran. */
struct detector_picture {
    uint32_t width, height;
    struct preprocess_input input;
    struct preprocess_map map;
    bool clip; /* boxes to the picture */
};

/* Fill d->found from outputs[] that detector_find knows. ST_USAGE if they are shaped otherwise; ST_NOMEM. */
enum status detector_decode(struct detector *d, const struct tensor *const *outputs, const struct detector_picture *p,
                            struct err *err);

/* Describe the outputs: "tflite: boxes in output 0 'a', … by the operator …; top, left, bottom, right, normalized". Returns `out`.
 */
const char *detector_text(const struct detector *d, const struct tensor *const *outputs, char out[DETECTOR_TEXT_SIZE]);

void detector_free(struct detector *d);
