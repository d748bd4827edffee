/* SPDX-License-Identifier: Apache-2.0 */
/* random_graph.h - random networks of 2 to 20 operators whose values are read several times, for rewrites to get wrong. */
#ifndef DELEGAUGE_BENCH_RANDOM_GRAPH_H
#define DELEGAUGE_BENCH_RANDOM_GRAPH_H

#include "bench/fuzz/random_graph_values.h"

/* Makes the network of that seed: the same every time. One or two inputs, and every value that nobody reads an output. `type`:
 * FLOAT32, or INT8, UINT8 or INT16 for a quantized network, as TensorFlow Lite's converter would quantize it, whose values are not
 * all within the range of their steps. End with builder_fini(&c->b), whose status tells whether memory lasted. */
void random_make(struct random_graph *c, enum tensor_type type, uint64_t seed);

/* Return the largest bound of all values: the measure of tolerances. */
float random_bound(const struct random_graph *c);

#endif
