/* SPDX-License-Identifier: Apache-2.0 */
/* whole_floats.h - tensors that stay float32 while other tensors are stored as 16-bit floats.
 *
 * QUANTIZE, FAKE_QUANT, FLOOR_DIV and FLOOR_MOD turn a rounding error of their input into a whole step: a float rounded to 11 bits
 * may fall into the next quantization step, or no longer be a multiple of a divisor. So their float inputs stay float32, from the
 * node that computes them through all nodes that only move elements. */
#pragma once

#include "lib/graph/graph.h"

/* Return true if the node is one of these four operators. */
bool whole_floats_needs(const struct node *n);

/* Return true if the node is one of these, or moves elements of a tensor that stays float32. */
bool whole_floats_reads(const struct node *n);

/* Set stays_float32 of the inputs of these nodes; graph_infer calls it. The nodes of g are in execution order. */
void whole_floats_mark(struct graph *g);
