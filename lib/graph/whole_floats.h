/* SPDX-License-Identifier: Apache-2.0 */
/* whole_floats.h - tensors that stay float32 when other tensors are stored as 16-bit floats.
 *
 * QUANTIZE, FAKE_QUANT, FLOOR_DIV and FLOOR_MOD turn a rounding error of their input into a whole step: a float rounded to 11 bits
 * may fall into the next quantization step, or be no multiple of a divisor any more. So their float inputs stay float32, from the
 * node that computes them on, through nodes that only move elements. */
#ifndef DELEGAUGE_WHOLE_FLOATS_H
#define DELEGAUGE_WHOLE_FLOATS_H

#include "lib/graph/graph.h"

/* Whether the node is one of these four. */
bool whole_floats_needs(const struct node *n);

/* Whether the node is one of them, or only moves elements for one. */
bool whole_floats_reads(const struct node *n);

/* Sets stays_float32 of the inputs of these nodes. The nodes of g are in execution order. graph_infer calls it. */
void whole_floats_mark(struct graph *g);

#endif
