/* SPDX-License-Identifier: Apache-2.0 */
/* second_model.h - a reference that runs another model: float against quantized, before against after a conversion. */
#ifndef DELEGAUGE_CMD_SECOND_MODEL_H
#define DELEGAUGE_CMD_SECOND_MODEL_H

#include "lib/compare/name_diff.h"
#include "lib/model/model_pairs.h"

/* Zeros where both sides run the same model. Owns what it points to, but for the path. */
struct second_model {
    const char *path; /* as typed */
    struct model *model;
    void *data;        /* what it lies in, where that is no mapped file */
    uint32_t subgraph; /* of the signature */
    struct model_pairs pairs;
    struct name_diffs names; /* with --per_op */
    struct arena arena;
};

#endif
