/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_window.h - the one-operator subgraphs by which STABLEHLO_REDUCE_WINDOW and STABLEHLO_SCATTER combine elements. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Most elements that one dispatch combines in order, few enough for a device's watchdog; and most elements that several dispatches
 * combine. */
#define REDUCTION_TURN 4096
#define REDUCTION_MOST (512 * REDUCTION_TURN)

/* GLSL expressions that combine a and the next element b, for numbers and for bools (0 or 1); NULL: none for these. `halves`, if
 * not NULL, is for FLOAT16 and rounds each result (round_half.comp). */
struct reduction {
    const char *numbers, *bools, *halves;
    const char *without_sign;              /* for UINT32; NULL: `numbers` */
    const char *wide, *int64_without_sign; /* for 64 bits (int64_value.h), and for UINT64; NULL: `wide` */
};

extern const struct reduction reduce_replace;

/* Return the reduction of the model's subgraph with one operator; reduce_replace if it has none, NULL if it has several or an
 * unknown one. */
const struct reduction *reduction_of_subgraph(const struct graph *g, int64_t subgraph);

/* Return the expression of r for elements of the type, or NULL with *why: FLOAT64 can only be replaced. */
const char *reduction_of_type(const struct reduction *r, enum tensor_type type, struct reason *why);

/* Return true if at most REDUCTION_MOST elements are combined, else false with *why. `what` names them: "elements of a window". */
bool reduction_ends(uint64_t elements, const char *what, struct reason *why);
