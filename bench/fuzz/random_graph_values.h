/* SPDX-License-Identifier: Apache-2.0 */
/* random_graph_values.h - values and constants of random networks (random_graph.h), float or quantized.
 *
 * Results of elementwise operators, convolutions and joins get random scales; operators that only move elements keep the scale of
 * their input; functions with a fixed range have the scale that TensorFlow Lite demands. All random numbers come from c->seed. */
#pragma once

#include "bench/models/builder.h"

/* Limits of a network: operators, values, elements of any value or constant. */
#define RANDOM_STEPS  20
#define RANDOM_VALUES 64
#define RANDOM_ELEMS  3000 /* of any value or constant */

/* A value of the network. */
struct random_value {
    int32_t tensor, rank, dim[4];
    float bound; /* no |element| exceeds it while the inputs are within 1 */
    bool read;
    float scale; /* of a quantized network; 0: to be drawn by random_add */
    int32_t zero;
};

struct random_graph {
    struct builder b;
    enum tensor_type type; /* type of every value */
    uint64_t seed;
    struct random_value values[RANDOM_VALUES];
    uint32_t n_values, n_ops;
    char ops[512]; /* names of the operators, for messages */
};

/* Return a random number below n. */
uint32_t random_draw(struct random_graph *c, uint32_t n);

size_t random_elems(const struct random_value *v);

/* Return a new value with x's shape, bound and scale; random_computed: without a scale, which random_add draws. The caller may
 * change dimensions. */
struct random_value random_like(const struct random_value *x);
struct random_value random_computed(const struct random_value *x);

/* Set the scale of a function with results from 0 to 1 or, if `negative`, from -1 to 1. */
void random_known_steps(const struct random_graph *c, struct random_value *y, bool negative);

/* Add a value with its tensor to the network. */
struct random_value *random_add(struct random_graph *c, struct random_value v);

/* Add a constant and return its tensor: integers from lo to hi; an operand of v's shape, floats within `most`, or integers with v's
 * scale or, without one, a scale for `most`; one value for each channel of x. */
int32_t random_integers(struct random_graph *c, enum tensor_type type, const int32_t *dim, int32_t rank, int32_t lo, int32_t hi);
int32_t random_constant(struct random_graph *c, struct random_value v, float most);
int32_t random_channels(struct random_graph *c, const struct random_value *x, float most);

/* Add the weights of a convolution, within `most`, or its n biases, within 0.5. In quantized networks weights are INT8 with one
 * scale for each channel (UINT8: one for all), and biases are multiples of input scale * weight scale. */
int32_t random_weights(struct random_graph *c, const int32_t dim[4], int32_t channel_dim, float most);
int32_t random_biases(struct random_graph *c, const struct random_value *x, int32_t filter, int32_t n);
