/* SPDX-License-Identifier: Apache-2.0 */
/* label_map.h - a class for each pixel: from the output of a segmentation model, in the size of the ground truth.
 *
 * Outputs are scores of classes ([1,H,W,C] or [1,C,H,W], whose largest one is the class), classes themselves ([1,H,W]), or the
 * probability of one class against all else ([1,H,W,1]). Pixels have their centers at half numbers when a map gets another size:
 * pixel x of `to` lies at (x + 0.5) * from / to. */
#pragma once

#include "lib/eval/preprocess.h"

enum { LABEL_NONE = UINT16_MAX, LABEL_MAX_CLASSES = 1024 };

/* The caller frees it with free(). */
struct label_map {
    uint32_t width, height;
    uint16_t at[]; /* [height,width] classes; LABEL_NONE: ignored by the truth, or an answer that is no class */
};

/* Return a map with all pixels LABEL_NONE; NULL if memory runs out. Sides are from 1 to PREPROCESS_MAX_SIDE. */
struct label_map *label_map_new(uint32_t width, uint32_t height);

/* Return a map in another size, by the nearest pixel; NULL if memory runs out. */
struct label_map *label_map_resize(const struct label_map *from, uint32_t width, uint32_t height);

enum label_output { LABEL_OUTPUT_AUTO, LABEL_OUTPUT_SCORES, LABEL_OUTPUT_LABELS, LABEL_OUTPUT_PROBABILITY };

/* The meaning of an output. */
struct label_place {
    enum label_output kind; /* not AUTO */
    uint32_t width, height;
    uint32_t classes; /* 2 for a probability; 0 for labels: the shape does not say */
    bool channels_first;
    size_t row, column, class; /* strides in elements */
};

/* Find out what output `t` of a model with an input of in_width x in_height means. `kind` AUTO: scores if there are several
 * channels; with one channel, or none, labels if the elements are whole numbers (in [1,H,W], quantized or not), else a
 * probability. `layout` AUTO: the channels are where the other two sides have the aspect of the input; last if both or neither
 * have. ST_USAGE, naming the tensor, for other shapes and types, and for more than LABEL_MAX_CLASSES classes. */
enum status label_place(const struct tensor *t, enum label_output kind, enum preprocess_layout layout, uint32_t in_width,
                        uint32_t in_height, struct label_place *out, struct err *err);

/* Make the map of an output, which has data. In another size scores and probabilities are resized bilinearly, if `bilinear`; else
 * the class of the nearest pixel is taken. Of equal scores the first is the class; a pixel whose scores are all NaN has none; a
 * probability above `threshold` is class 1; a label that is no whole number below n_classes is none. ST_NOMEM. */
struct label_rule {
    uint32_t width, height;
    uint32_t n_classes;
    bool bilinear;
    double threshold;
};
enum status label_map_of(const struct tensor *t, const struct label_place *p, const struct label_rule *rule, struct label_map **out,
                         struct err *err);
