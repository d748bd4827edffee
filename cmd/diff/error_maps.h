/* SPDX-License-Identifier: Apache-2.0 */
/* error_maps.h - where in which tensors the errors of a comparison lie, kept for --html; diff_maps.c fills and chooses. */
#ifndef DELEGAUGE_CMD_ERROR_MAPS_H
#define DELEGAUGE_CMD_ERROR_MAPS_H

#include "lib/compare/diff.h"
#include "lib/graph/graph.h"

enum { ERROR_MAPS_SHOWN = 2 };

/* One that is worth looking at. */
struct shown_map {
    const struct error_map *map;
    const struct tensor *tensor;
    const struct node *node; /* whose own error it is, or drift where none ran alone; NULL: an output of the model */
    uint32_t output;         /* which one */
};

/* Zeros without --html. */
struct error_maps {
    struct error_map *outputs, *nodes; /* [outputs], [nodes' outputs]: owned, of test.diff.outputs and of test.ops */
    struct shown_map shown[ERROR_MAPS_SHOWN];
    uint32_t n_shown; /* after diff_maps_choose */
};

#endif
