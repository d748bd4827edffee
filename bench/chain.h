/* SPDX-License-Identifier: Apache-2.0 */
/* chain.h - random networks of 2 to 20 operators whose values are read several times, for rewrites to get wrong. */
#ifndef DELEGAUGE_BENCH_CHAIN_H
#define DELEGAUGE_BENCH_CHAIN_H

#include "models/builder.h"

/* What a network may have at most. */
#define CHAIN_STEPS  20
#define CHAIN_VALUES 64

/* A float value of the network. */
struct chain_value {
    int32_t tensor, rank, dim[4];
    float bound; /* no element is larger, whatever the inputs within 1 */
    bool read;
};

struct chain {
    struct builder b;
    uint64_t seed;
    struct chain_value values[CHAIN_VALUES];
    uint32_t n_values, n_ops;
    char ops[512]; /* names of the operators, for messages */
};

/* Makes the network of that seed: the same every time. One or two inputs, and every value that nobody reads an output. End with
 * builder_fini(&c->b), whose status tells whether memory lasted. */
void chain_make(struct chain *c, uint64_t seed);

/* The largest bound of all values: what a tolerance is of. */
float chain_bound(const struct chain *c);

#endif
