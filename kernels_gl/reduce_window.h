/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_window.h - the computations of one operator that STABLEHLO_REDUCE_WINDOW and STABLEHLO_SCATTER name as subgraphs. */
#ifndef DELEGAUGE_KERNELS_GL_REDUCE_WINDOW_H
#define DELEGAUGE_KERNELS_GL_REDUCE_WINDOW_H

#include "../lib/gl/kernel.h"

/* The most elements that one invocation takes one after the other: a device that watches may stop what takes longer. */
#define REDUCTION_MOST 65536

/* How a and the next element b become one, in shaders: of numbers, and of truth values, 0 or 1; NULL: not of these. What rounds has
 * `halves` for FLOAT16, which is rounded each time (round_half.comp). */
struct reduction {
    const char *numbers, *bools, *halves;
    bool compares;
};

extern const struct reduction reduce_replace;

/* What the only operator of that subgraph of the model computes; reduce_replace where it has none. NULL: none that is known. */
const struct reduction *reduction_of_subgraph(const struct graph *g, int64_t subgraph);

/* That of elements of the type, or NULL with a reason: integers of 32 bits compare as signed ones, and 64 bits are two words, which
 * can only be replaced. */
const char *reduction_of_type(const struct reduction *r, enum tensor_type type, struct reason *why);

/* False with a reason where one invocation would take more elements than REDUCTION_MOST. `what` they are: "windows". */
bool reduction_ends(uint64_t elements, const char *what, struct reason *why);

#endif
