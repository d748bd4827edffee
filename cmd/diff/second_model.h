/* SPDX-License-Identifier: Apache-2.0 */
/* second_model.h - a reference that runs another model: float against quantized, before against after a conversion. */
#pragma once

#include "lib/model/model_pairs.h"

/* The second model; zeros if both sides run the same one. Owns all that it points to, except the path. */
struct second_model {
    const char *path; /* as typed */
    struct model *model;
    void *data;        /* memory that holds it, unless it is a mapped file */
    uint32_t subgraph; /* subgraph of the signature */
    struct model_pairs pairs;
    struct arena arena;
};
