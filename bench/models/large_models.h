/* SPDX-License-Identifier: Apache-2.0 */
/* large_models.h - networks of many tiny operators, to see that work grows with their number and not with its square. */
#ifndef DELEGAUGE_BENCH_MODELS_LARGE_MODELS_H
#define DELEGAUGE_BENCH_MODELS_LARGE_MODELS_H

#include "bench/models/builder.h"

enum { LARGE_MODEL_NODES = 20000, LARGE_MODEL_FEWER_NODES = 2000 }; /* the most, and ones to hold these against */

struct large_model {
    const char *name;
    void (*build)(struct builder *b, int nodes);
};

/* Ends with a row without a name. */
extern const struct large_model large_models[];

#endif
