/* SPDX-License-Identifier: Apache-2.0 */
/* graph_numbers.h - inputs of a graph whose content determines shapes that are still unknown. */
#pragma once

#include "lib/graph/graph.h"

enum { GRAPH_NUMBERS = 32 }; /* most elements of a tensor of sizes or axes */

/* Return true if t, whose shape is known, may hold sizes or axes: at most GRAPH_NUMBERS integers. */
bool tensor_is_number(const struct tensor *t);

/* Find the tensors whose content would resolve unknown shapes of an inferred graph. Overwrites can_know[tensors]: the content
 * follows from constants and from inputs for which tensor_is_number holds. Overwrites wanted[tensors]: of these, tensors that nodes
 * with unknown shapes read, and all tensors from which these are computed, inputs included. Linear in the number of operands. */
void graph_numbers_wanted(const struct graph *g, bool *can_know, bool *wanted);
