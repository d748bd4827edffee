/* SPDX-License-Identifier: Apache-2.0 */
/* graph_numbers.h - the inputs of a graph whose content, if it were known, would tell shapes that are not known yet. */
#ifndef DELEGAUGE_GRAPH_NUMBERS_H
#define DELEGAUGE_GRAPH_NUMBERS_H

#include "lib/graph/graph.h"

enum { GRAPH_NUMBERS = 32 }; /* elements that a tensor of numbers for shapes has at most */

/* True if t, whose shape is known, may hold sizes, axes and the like: a few integers. */
bool tensor_is_number(const struct tensor *t);

/* g is inferred. can_know[tensors], overwritten: the content follows from constants and from inputs that are numbers.
 * wanted[tensors], overwritten: of these, the tensors that nodes with unknown shapes read, and all tensors that these are computed
 * from, inputs among them. Takes time that grows with the number of operands. */
void graph_numbers_wanted(const struct graph *g, bool *can_know, bool *wanted);

#endif
