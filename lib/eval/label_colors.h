/* SPDX-License-Identifier: Apache-2.0 */
/* label_colors.h - the labels of a ground truth: colors that stand for them, and classes of a model that they mean. */
#pragma once

#include "lib/eval/label.h"
#include "lib/eval/label_map.h"

/* A line for each label, from 0 on: "128 64 128 road". */
struct label_colors {
    uint32_t n;
    const uint8_t (*rgb)[3];  /* [n] */
    const char **name;        /* [n] "" without one */
    const uint32_t *by_color; /* [n] labels in the order of their colors */
};

/* Read the lines of a palette. ST_USAGE, beginning with `what` and naming the line, for lines of another form, for a color that is
 * there twice, and for more than LABEL_MAX_CLASSES; ST_NOMEM. */
enum status label_colors_read(const struct label_lines *lines, const char *what, struct arena *a, struct label_colors *out,
                              struct err *err);

/* Return the label of a color; false if none has it. */
bool label_colors_find(const struct label_colors *c, const uint8_t rgb[3], uint32_t *label);

/* Store the color that PASCAL VOC gives a label: its bits, three at a time, from the highest bit of red, green and blue down. */
void label_color_usual(uint32_t label, uint8_t rgb[3]);

/* The classes of labels of the ground truth. */
enum { LABEL_UNKNOWN = UINT16_MAX - 1 };
struct label_meaning {
    uint16_t class[LABEL_MAX_CLASSES]; /* of each label; LABEL_NONE: ignored; LABEL_UNKNOWN: none */
};

/* Labels are the classes below n_classes; `ignored` (-1: none) is none of them. */
void label_meaning_init(struct label_meaning *m, uint32_t n_classes, int32_t ignored);

/* Read the lines of a class map instead: "7 0" for label 7, which is class 0; "255 -" for one that is ignored; "* -" for all that
 * have no line. ST_USAGE, beginning with `what` and naming the line, for others. */
enum status label_meaning_read(struct label_meaning *m, const struct label_lines *lines, uint32_t n_classes, const char *what,
                               struct err *err);
