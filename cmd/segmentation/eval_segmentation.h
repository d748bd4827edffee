/* SPDX-License-Identifier: Apache-2.0 */
/* eval_segmentation.h - one evaluation of a segmentation model: an evaluation (cmd/evaluation/evaluation.h), label maps, counts of
 * pixels.
 *
 * A picture of the folder has a map of labels of the same name in another: indices of a palette, gray, or colors that a palette
 * file names. Labels become classes of the model by a class map. Counts of all pictures are sums of whole numbers, and only they
 * are kept: memory does not grow with the pictures' sizes. */
#pragma once

#include "cmd/evaluation/eval_report.h"
#include "cmd/input/image_encode.h"
#include "lib/eval/label_colors.h"
#include "lib/eval/pixel_counts.h"

enum segmentation_match { MATCH_AUTO, MATCH_BILINEAR, MATCH_NEAREST, MATCH_TRUTH };

/* Values that the rows of the table fill; texts point into argv, "" if not given. */
struct segmentation_flags {
    const char *truth, *suffix, *labels, *palette, *class_map; /* files and folders of the data set */
    const char *save, *csv;                                    /* files that are written */
    int32_t ignore_label, num_classes, model_labels_offset, show_worst;
    enum segmentation_match resize;
    enum label_output output;
    enum preprocess_layout output_layout;
    double threshold;
    double min_miou; /* below 0: any will do */
};

extern const struct flag segmentation_flag_table[]; /* for struct segmentation_flags */
extern const struct cli_help segmentation_help;     /* the short --help */

/* Answers that the page may show, in a size for that. */
struct kept_answer {
    const struct picture *picture;
    double miou;
    struct label_map *answers[MAX_SIDES]; /* owned */
};

/* The map and the counts of a picture. */
struct segmented {
    const char *truth; /* name of its map; NULL: it has none */
    uint64_t pixels;   /* of the truth, less ignored ones */
    uint64_t same;     /* of these, pixels of which both sides have the same class */
    uint64_t right[MAX_SIDES];
    double miou[MAX_SIDES]; /* of the classes in the picture */
};

/* Zeroed to begin with. */
struct segmentation {
    struct evaluation base;
    struct segmentation_flags flags;
    struct label_space labels;
    const char *labels_from;     /* file of the names; NULL: they have none */
    struct label_colors palette; /* of --palette */
    struct label_meaning meaning;
    uint32_t output; /* that has the map */
    struct label_place place;
    struct label_rule rule;                                 /* but for the size */
    enum segmentation_match way;                            /* not AUTO */
    struct segmented *segmented;                            /* [files] of picture.number, from 1 on */
    uint32_t without_map;                                   /* pictures */
    struct pixel_counts counts[MAX_SIDES], last[MAX_SIDES]; /* of all pictures; of the last one */
    struct label_map *first;                                /* answer of the first side, until the second has its own */
    uint64_t same, pixels;                                  /* of all pictures */
    struct pixel_figures figures[MAX_SIDES];
    struct kept_answer *kept; /* [n_kept] maps of the worst pictures so far, for --html */
    uint32_t n_kept;
    const struct picture **worst; /* [n_worst] pictures by the first side's mean IoU, the least first */
    uint32_t n_worst;
};

/* Return the record of a picture. */
static inline struct segmented *segmented_of(const struct segmentation *e, const struct picture *p)
{
    return &e->segmented[p->number - 1];
}

extern const struct eval_task segmentation_task;

/* List the pictures, and find the map of each, once a side is prepared: the classes and their names; palette and class map.
 * ST_USAGE, ST_IO, ST_NOMEM. */
enum status segmentation_list(struct segmentation *e, struct err *err);

/* Read a map of labels as classes. ST_USAGE, ST_IO and ST_UNSUPPORTED, naming the file and the first pixel that is wrong; ST_NOMEM.
 * Any thread may call it. */
enum status segmentation_read_truth(const struct segmentation *e, const char *path, struct label_map **out, struct err *err);

/* Keep the answers of both sides (NULL: there is none) if the picture is among the worst --html_pictures so far. ST_NOMEM. */
enum status segmentation_keep(struct segmentation *e, const struct picture *p, const struct label_map *first,
                              const struct label_map *second, struct err *err);
void segmentation_drop_kept(struct segmentation *e);

/* Store the colors of classes: the palette's, or PASCAL VOC's. */
void segmentation_colors(const struct segmentation *e, uint8_t rgb[256][3]);

/* Encode a map as PNG, with the colors of the palette; a pixel without a class is 255. ST_NOMEM, ST_UNSUPPORTED. */
enum status segmentation_png(const struct segmentation *e, const struct label_map *map, struct encoded *out, struct err *err);

/* Write a map of the first side to --save_labels, as a PNG with a palette. ST_IO, ST_FAILED, ST_NOMEM, ST_UNSUPPORTED. */
enum status segmentation_save(const struct segmentation *e, const struct picture *p, const struct label_map *map, struct err *err);

/* Describe the output, its meaning, and how sizes are made equal. Returns `out`. */
enum { SEGMENTATION_TEXT_SIZE = 320 };
const char *segmentation_text(const struct segmentation *e, char out[SEGMENTATION_TEXT_SIZE]);

/* Compute the figures of all pictures that ran, and base.passed. Fails only with ST_NOMEM. */
enum status segmentation_count(struct segmentation *e, struct err *err);

/* Print the figures; write --json, --html, --markdown and --results_csv. */
enum status segmentation_report(const struct segmentation *e, struct err *err);
