/* SPDX-License-Identifier: Apache-2.0 */
/* error_maps.h - maps of the errors within the tensors of a comparison, kept for --html; diff_maps.c fills and chooses them. */
#pragma once

#include "lib/graph/graph.h"

enum { ERROR_MAPS_SHOWN = 2 };

/* A map that is worth looking at. */
struct shown_map {
    const struct error_map *map;
    const struct tensor *tensor;
    const struct node *node; /* node whose own error it is, or its drift if no node ran alone; NULL: an output of the model */
    uint32_t output;         /* number of that output */
};

/* The maps; zeros without --html. */
struct error_maps {
    struct error_map *outputs, *nodes; /* [outputs], [nodes' outputs]: owned, of test.diff.outputs and of test.ops */
    struct shown_map shown[ERROR_MAPS_SHOWN];
    uint32_t n_shown; /* after diff_maps_choose */
};
