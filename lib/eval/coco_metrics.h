/* SPDX-License-Identifier: Apache-2.0 */
/* coco_metrics.h - average precision and recall of detected boxes, as COCO defines them: the same bits as pycocotools' COCOeval for
 * boxes (iouType "bbox") with its default parameters.
 *
 * Sources: cocodataset.org, "Detection Evaluation"; Lin et al., "Microsoft COCO: Common Objects in Context", 2014; the order of
 * sums is that of numpy (pairwise). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"

struct coco_box {
    double x, y, w, h; /* left, top, width and height in pixels */
};

/* A box that is in the picture. */
struct coco_truth {
    uint32_t image, category; /* places in the sorted lists of ids */
    struct coco_box box;
    double area;       /* in pixels, as annotated: of the object, not of its box */
    bool crowd;        /* stands for many objects: matched repeatedly, and missing it costs nothing */
    bool never_counts; /* its id is 0, which pycocotools takes for unmatched: a detection that meets it is a false positive */
};

/* A box that a model found. */
struct coco_detection {
    uint32_t image, category;
    struct coco_box box;
    double score; /* finite */
};

struct coco_set {
    uint32_t n_images, n_categories;
    const struct coco_truth *truths;         /* [n_truths] in the order of their file */
    const struct coco_detection *detections; /* [n_detections] likewise; of equal scores the first comes first */
    size_t n_truths, n_detections;
};

enum coco_area { COCO_ALL, COCO_SMALL, COCO_MEDIUM, COCO_LARGE, COCO_AREAS }; /* up to 32², to 96², above */

enum { COCO_MOST_DETECTIONS = 100, COCO_IOUS = 10 }; /* of an image and category; from 0.5 to 0.95 */

/* All values lie between 0 and 1, -1 if no image has such a truth. */
struct coco_metrics {
    double ap;                  /* mean over overlaps of 0.5 to 0.95, categories and 101 recalls */
    double ap50, ap75;          /* at one overlap */
    double ap_iou[COCO_IOUS];   /* at each: [0] is ap50, [5] ap75 */
    double ap_area[COCO_AREAS]; /* ap_area[COCO_ALL] is ap */
    double ar_1, ar_10, ar_100; /* largest recall with so many detections an image and category */
    double ar_area[COCO_AREAS]; /* with 100 */
    double *category_ap;        /* [n_categories] */
    uint32_t *category_truths;  /* [n_categories] that are no crowds */
};

/* Compute all metrics; the lists of *out belong to `a`. Indices lie below n_images and n_categories. Fails only with ST_NOMEM. */
enum status coco_evaluate(const struct coco_set *set, struct arena *a, struct coco_metrics *out, struct err *err);

/* Intersection over union; over the detection's area alone if the truth is a crowd. 0 if they do not meet. */
double coco_iou(const struct coco_box *detection, const struct coco_box *truth, bool crowd);
