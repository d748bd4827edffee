/* SPDX-License-Identifier: Apache-2.0 */
/* whole_floats.h - which tensors stay float32 where others are stored as 16-bit floats.
 *
 * Rounded to 11 bits, a float lies in another step of a QUANTIZE or FAKE_QUANT, and a multiple of a divisor (FLOOR_DIV, FLOOR_MOD)
 * is none any more: such an error is a whole step, and infinity leaves no rest at all. So what these read stays as it is, from
 * whoever makes it on, also through nodes that only move it. */
#ifndef DELEGAUGE_WHOLE_FLOATS_H
#define DELEGAUGE_WHOLE_FLOATS_H

#include "graph.h"

/* The node makes such a thing of what it reads. */
bool whole_floats_needs(const struct node *n);

/* It does, or it moves what such a node reads. */
bool whole_floats_reads(const struct node *n);

/* Sets stays_float32 of what such nodes of the graph read, whose nodes are in the order in which they run. graph_infer does it. */
void whole_floats_mark(struct graph *g);

#endif
