/* SPDX-License-Identifier: Apache-2.0 */
/* random_graph_values.h - the values and constants of random networks (random_graph.h), as floats or with steps.
 *
 * Elementwise operators, convolutions and joins draw steps of their own for their results; operators that only move elements keep
 * the steps of their input, and functions with a fixed range have the steps that TensorFlow Lite demands. All draw from c->seed. */
#ifndef DELEGAUGE_BENCH_RANDOM_GRAPH_VALUES_H
#define DELEGAUGE_BENCH_RANDOM_GRAPH_VALUES_H

#include "bench/models/builder.h"

/* The limits of a network. */
#define RANDOM_STEPS  20
#define RANDOM_VALUES 64
#define RANDOM_ELEMS  3000 /* of any value or constant */

/* A value of the network. */
struct random_value {
    int32_t tensor, rank, dim[4];
    float bound; /* no element is larger, whatever the inputs within 1 */
    bool read;
    float scale; /* of a quantized network; 0: not drawn yet */
    int32_t zero;
};

struct random_graph {
    struct builder b;
    enum tensor_type type; /* of every value */
    uint64_t seed;
    struct random_value values[RANDOM_VALUES];
    uint32_t n_values, n_ops;
    char ops[512]; /* names of the operators, for messages */
};

/* A number below n. */
uint32_t random_draw(struct random_graph *c, uint32_t n);

size_t random_elems(const struct random_value *v);

/* A new value of x's rank, bound and steps, and the same without steps: random_add draws them. Dimensions are the caller's to
 * change. */
struct random_value random_like(const struct random_value *x);
struct random_value random_computed(const struct random_value *x);

/* The steps of a function whose results lie within 1, from 0 on or, `negative`, from -1. */
void random_known_steps(const struct random_graph *c, struct random_value *y, bool negative);

/* The tensor of a value, which is the network's from here on. */
struct random_value *random_add(struct random_graph *c, struct random_value v);

/* Constants; each returns the tensor. Integers from lo to hi; an operand of v's shape: floats within `most`, or any integers with
 * v's steps or some for `most`; one for each channel of x. */
int32_t random_integers(struct random_graph *c, enum tensor_type type, const int32_t *dim, int32_t rank, int32_t lo, int32_t hi);
int32_t random_constant(struct random_graph *c, struct random_value v, float most);
int32_t random_channels(struct random_graph *c, const struct random_value *x, float most);

/* The weights of a convolution, within `most`, and its n biases, within a half. Of quantized networks INT8 with one scale for each
 * channel (UINT8: for all), and biases that are whole multiples of the unit of the products. */
int32_t random_weights(struct random_graph *c, const int32_t dim[4], int32_t channel_dim, float most);
int32_t random_biases(struct random_graph *c, const struct random_value *x, int32_t filter, int32_t n);

#endif
