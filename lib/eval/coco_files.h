/* SPDX-License-Identifier: Apache-2.0 */
/* coco_files.h - ground truth and detections as COCO's files have them: instances_*.json with "images", "categories" and
 * "annotations", and a list of results {"image_id", "category_id", "bbox": [x, y, w, h], "score"}. The ground truth may be the
 * message ObjectDetectionGroundTruth of TFLite's evaluation_stages.proto, too: binary, or as the text that MLPerf's app reads.
 *
 * Source: cocodataset.org, "Data format" and "Results format". If the files contradict themselves, the same is done as
 * pycocotools does, and counted, so that a tool can tell. */
#pragma once

#include "lib/eval/coco_metrics.h"

enum { COCO_NAME = 64 }; /* bytes of a category's name; a longer one is cut */

struct coco_category {
    int64_t id;
    char name[COCO_NAME];
};

struct coco_image {
    int64_t id;
    const char *file;       /* path within the folder of the data set; NULL: unknown */
    uint32_t width, height; /* in pixels; 0: unknown */
};

struct coco_data {
    struct coco_image *images;        /* [set.n_images] by id, ascending */
    struct coco_category *categories; /* [set.n_categories] likewise */
    struct coco_set set;
    struct coco_truth *truths; /* [set.n_truths] those of the set, by image */
    struct arena arena;        /* owns all lists */
    bool normalized;           /* boxes are parts of the image's sides, until coco_place_truths */
    /* Numbers of elements that were passed over, or are not as they should be. */
    size_t truths_of_unknown_images, truths_of_unknown_categories, detections_of_unknown_categories;
    size_t truths_of_id_0;      /* never matched: coco_truth.never_counts */
    size_t truths_of_one_id;    /* annotations whose id another one has: the last of them stands in the place of each */
    size_t truths_without_area; /* the box has it instead; pycocotools fails */
};

/* Read the ground truth into a zeroed *out. ST_USAGE for a file that is no such document, with the byte; ST_IO, ST_NOMEM. Free with
 * coco_data_free, after failures too. Messages have no categories of their own: the ids of their objects are these, without names.
 */
enum status coco_read_truth(const char *path, struct coco_data *out, struct err *err);

/* Return the truths of an image, *n of them. */
struct coco_truth *coco_truths_of(const struct coco_data *data, uint32_t image, size_t *n);

/* Make pixels of the normalized boxes of an image, whose size is known now; does nothing unless data->normalized. Once per image.
 */
void coco_place_truths(struct coco_data *data, uint32_t image, uint32_t width, uint32_t height);

/* Read detections of images of the ground truth, which was read before; another image is ST_USAGE. */
enum status coco_read_detections(const char *path, struct coco_data *data, struct err *err);

void coco_data_free(struct coco_data *data);
