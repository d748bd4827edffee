/* SPDX-License-Identifier: Apache-2.0 */
/* metadata.h - what TFLITE_METADATA says of a model: names, normalization of inputs, label files of outputs.
 *
 * It is a flatbuffer of its own in the model (tensorflow.org/lite/convert/metadata); the files that it names lie in the archive
 * behind the model (zip.h). */
#pragma once

#include "lib/model/model.h"

/* One input or output, in the order of the subgraph's. */
struct metadata_tensor {
    const char *name, *description; /* never NULL */
    const float *mean, *std;        /* [n_mean], [n_std] of the first unit that normalizes; n 0: there is none */
    uint32_t n_mean, n_std;
    const char *labels; /* name of the file with a line for each class, in English if there are several; NULL: none */
};

struct metadata {
    const char *name, *version, *description, *author, *license; /* never NULL */
    struct metadata_tensor *inputs, *outputs;
    uint32_t n_inputs, n_outputs;
    bool there; /* false: the model has no metadata, and all else is empty */
};

/* Read the metadata about a subgraph; texts and numbers lie in the model or in `a`. Fails with ST_BAD_MODEL, beginning with
 * "metadata", if they are broken; with ST_NOMEM. */
enum status metadata_read(const struct model *m, uint32_t subgraph, struct arena *a, struct metadata *out, struct err *err);
