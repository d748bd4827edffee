/* SPDX-License-Identifier: Apache-2.0 */
/* category_map.h - which category of the ground truth a class of a detector means.
 *
 * COCO has 80 categories with ids from 1 to 90: detectors number them from 0 to 79, or leave the gaps in. */
#pragma once

#include "lib/eval/coco_files.h"
#include "lib/eval/label.h"

/* In the order of the words of a flag. COCO80: class k is the category with the k-th id of COCO's 80. IDS: the category with the
 * class as its id. ORDER: the k-th category. LABELS: the category with the name of the class. */
enum class_map { CLASSES_AUTO, CLASSES_IDS, CLASSES_COCO80, CLASSES_ORDER, CLASSES_LABELS };

enum { CLASS_OFFSET_AUTO = INT32_MIN, CATEGORY_NONE = UINT32_MAX, CATEGORY_MAP_TEXT = 128 };

/* Wishes, and what is known of the detector. */
struct category_map_wish {
    enum class_map kind;
    int32_t offset;                   /* added to a class before it is looked up; CLASS_OFFSET_AUTO */
    uint32_t n_classes;               /* 0: unknown */
    bool from_background;             /* class 0 is the first behind a background, as of TFLite_Detection_PostProcess */
    const struct label_lines *labels; /* a line for each class, or with one for the background before; NULL: there are none */
};

struct category_map {
    enum class_map kind; /* never AUTO */
    int32_t offset;
    uint32_t *category; /* [n] place in the ground truth's list of class i; CATEGORY_NONE: it is none of them */
    uint32_t n, n_known;
};

/* Fill *m, whose list belongs to `a`. Without names of its own the ground truth takes those of labels, by id. ST_USAGE, with the
 * numbers, if nothing says which class is which category; ST_NOMEM. */
enum status category_map_init(struct category_map *m, const struct category_map_wish *wish, struct coco_data *data, struct arena *a,
                              struct err *err);

/* Return the place of a class's category; CATEGORY_NONE for one that has none. */
uint32_t category_map_find(const struct category_map *m, uint32_t class);

/* Describe the map: "class + 1 is the category's id, 80 of 91 classes". Returns `out`. */
const char *category_map_text(const struct category_map *m, char out[CATEGORY_MAP_TEXT]);
