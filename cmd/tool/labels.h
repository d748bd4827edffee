/* SPDX-License-Identifier: Apache-2.0 */
/* labels.h - names of classes: a text file with a line for each, or such a file in the ZIP behind a model (TFLite's metadata).
 *
 * A number before a name that is the line's own ("0 background", "0: background") is left out. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"
#include "lib/model/model.h"

struct labels {
    const char **list; /* [n], in the arena */
    uint32_t n;
    const char *from; /* the file, or the name within the model */
};

/* Read the lines of a file. Fails with ST_USAGE if it has none, and as file_read_all does. */
enum status labels_read(const char *path, struct arena *a, struct labels *out, struct err *err);

/* Find the text file behind the model's bytes that has as many lines as there are classes, or one less (then class 0 is the
 * background): `named`, which the metadata names (NULL: none), else one in English if there are several; out->n is 0 if there is
 * none. Only stored files are read, as TFLite's metadata writer makes them. Fails with ST_NOMEM. */
enum status labels_of_model(const void *file, size_t bytes, const char *named, uint32_t classes, struct arena *a,
                            struct labels *out, struct err *err);

/* Return the label file that the metadata of output `output` names, in `a`; NULL: none. */
const char *labels_named(const struct model *m, uint32_t subgraph, uint32_t output, struct arena *a);

/* Return the name of class `i` of `classes`: with a label less than classes, class 0 is "background"; "-" if there is none. */
const char *labels_name(const struct labels *l, uint32_t classes, uint32_t i);
