/* SPDX-License-Identifier: Apache-2.0 */
/* random_graph.h - random networks of 2 to 20 operators, whose values are read several times, to test rewrites of graphs. */
#pragma once

#include "bench/fuzz/random_graph_values.h"

/* Build the network of a seed, the same each time, with one or two inputs; every value that nothing reads is an output. `type` is
 * FLOAT32, or INT8, UINT8 or INT16 for a network quantized as TensorFlow Lite's converter does, in which some values saturate. End
 * with builder_fini(&c->b); c->b.st tells if memory ran out. */
void random_make(struct random_graph *c, enum tensor_type type, uint64_t seed);

/* Return the largest bound of all values, the unit of tolerances. */
float random_bound(const struct random_graph *c);
