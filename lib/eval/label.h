/* SPDX-License-Identifier: Apache-2.0 */
/* label.h - names of classes, and the class that a label of the ground truth means.
 *
 * A label file has a line for each class. Classes of one name ("crane" is twice in ImageNet's) count as one, as TFLite's tool
 * compares names. A label of the ground truth is a name, or the number of a class less an offset: sets of 1000 labels go with
 * models of 1001 classes, whose class 0 is the background. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"

/* The lines of a text file. */
struct label_lines {
    const char **line; /* [n] without blanks at either end */
    uint32_t n;
};

/* Split text[bytes] into lines, in `a`: a byte order mark, carriage returns and empty lines at the end are dropped; with `dense`
 * all empty lines. Fails with ST_USAGE, beginning with `what`, for text with a NUL and for 2^24 lines or more; with ST_NOMEM. */
enum status label_split(const char *text, size_t bytes, bool dense, const char *what, struct arena *a, struct label_lines *out,
                        struct err *err);

/* The classes of a model. */
struct label_space {
    uint32_t n;             /* classes */
    const char **name;      /* [n]; NULL: a class without a name */
    const uint32_t *same;   /* [n] the first class of the same name, mostly the class itself */
    const uint32_t *sorted; /* [n_named] classes that have a name, by name, then by number */
    uint32_t n_named;
};

/* Give n classes the names in lines (NULL: they have none): class i that of line i - offset. Fails with ST_USAGE, beginning with
 * `what` and giving both numbers, if lines less or more than n - offset are there; with ST_NOMEM. */
enum status label_space_init(struct label_space *s, uint32_t n, const struct label_lines *lines, int32_t offset, const char *what,
                             struct arena *a, struct err *err);

/* Return the first class of that name; false if there is none. */
bool label_find(const struct label_space *s, const char *name, uint32_t *out);

/* Return the class of a number of the ground truth, plus `offset`; false if it is no number or no class. */
bool label_number(const struct label_space *s, const char *text, int32_t offset, uint32_t *out);

/* Return the name of a class; if it has none its number, as text in `out`. */
#define LABEL_NAME_SIZE 16
const char *label_name(const struct label_space *s, uint32_t i, char out[LABEL_NAME_SIZE]);
