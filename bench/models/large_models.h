/* SPDX-License-Identifier: Apache-2.0 */
/* large_models.h - networks of many tiny operators, to test that work grows linearly with their number. */
#pragma once

#include "bench/models/builder.h"

enum { LARGE_MODEL_NODES = 20000, LARGE_MODEL_FEWER_NODES = 2000 }; /* the large size, and a smaller one for comparison */

struct large_model {
    const char *name;
    void (*build)(struct builder *b, int nodes);
};

/* Ends with a NULL name. */
extern const struct large_model large_models[];
