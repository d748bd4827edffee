/* SPDX-License-Identifier: Apache-2.0 */
/* coco_files_impl.h - what coco_files.c makes a ground truth of, and coco_message.c fills likewise. */
#pragma once

#include "lib/eval/coco_files.h"

/* A list that grows by doubling; free .v. */
struct coco_list {
    void *v;
    size_t n, room, size; /* elements, and bytes of one */
};

/* Return a zeroed element at the end; NULL if memory ran out. */
void *coco_list_add(struct coco_list *l);

/* An annotation or a detection as its file has it. */
struct coco_boxed {
    int64_t id, image, category;
    struct coco_box box;
    double area, score;
    bool crowd, has_id, has_image, has_category, has_box, has_area, has_score;
};

struct coco_lists {
    struct coco_list images, categories, boxed; /* of struct coco_image, coco_category, coco_boxed */
};

/* Sort the lists, and make places of ids. Fails only with ST_NOMEM. */
enum status coco_make_lists(struct coco_lists *lists, struct coco_data *out, struct err *err);

/* Return true if the file begins as text of the message does, or is one in binary form. */
bool coco_is_message(const char *path);

/* Read ObjectDetectionGroundTruth of TFLite's evaluation_stages.proto; names of images belong to `a`. ST_USAGE with the byte;
 * ST_IO, ST_NOMEM. */
enum status coco_read_message(const char *path, struct coco_lists *to, struct arena *a, struct err *err);
