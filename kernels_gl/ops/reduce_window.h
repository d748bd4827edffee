/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_window.h - the computations of one operator that STABLEHLO_REDUCE_WINDOW and STABLEHLO_SCATTER name as subgraphs. */
#ifndef DELEGAUGE_KERNELS_GL_REDUCE_WINDOW_H
#define DELEGAUGE_KERNELS_GL_REDUCE_WINDOW_H

#include "lib/gl/ir/kernel.h"

/* So many elements one after the other are quick enough not to be noticed by a device that watches: more are taken in turns, a
 * dispatch each, up to the most. */
#define REDUCTION_TURN 4096
#define REDUCTION_MOST (512 * REDUCTION_TURN)

/* How a and the next element b become one, in shaders: of numbers, and of truth values, 0 or 1; NULL: not of these. Functions that
 * round have `halves` for FLOAT16, which is rounded each time (round_half.comp). */
struct reduction {
    const char *numbers, *bools, *halves;
    const char *without_sign;              /* of UINT32; NULL: as `numbers` */
    const char *wide, *int64_without_sign; /* of 64 bits (int64_value.h); the latter, of UINT64, NULL: as `wide` */
};

extern const struct reduction reduce_replace;

/* Return the reduction of the only operator of that subgraph of the model; reduce_replace if it has none. NULL: none that is
 * known. */
const struct reduction *reduction_of_subgraph(const struct graph *g, int64_t subgraph);

/* Return the text of r for elements of the type, or NULL with a reason: FLOAT64 can only be replaced. */
const char *reduction_of_type(const struct reduction *r, enum tensor_type type, struct reason *why);

/* Return false with a reason if there are more elements than REDUCTION_MOST. `what` names them: "elements of a window". */
bool reduction_ends(uint64_t elements, const char *what, struct reason *why);

#endif
