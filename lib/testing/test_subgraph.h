/* SPDX-License-Identifier: Apache-2.0 */
/* test_subgraph.h - helpers of tests of models with several subgraphs: a session on a builder's model, run step by step. */
#pragma once

#include "lib/session/session.h"
#include "lib/testing/test_model.h"

/* A model and its session; freed by test_stop. */
struct test_running {
    struct loaded of;
    struct session *s;
};

/* End the builder and prepare a session without a delegate. */
struct test_running test_begin(struct builder *b);
void test_stop(struct test_running *l);

/* Add a FLOAT32 tensor of n elements. */
int32_t test_vector(struct builder *b, const char *name, int32_t n);

/* Set element k of FLOAT32 input i to start + k. */
void test_set(struct test_running *l, uint32_t i, float start);

/* Return the first element of a FLOAT32 output. */
float test_first(const struct test_running *l, uint32_t output);

/* Run once; a failure fails the test. */
void test_run(struct test_running *l);

/* Add a subgraph x -> op(x, value) -> y of vectors, 2 long in the file; runs may resize them. */
void test_map_subgraph(struct builder *b, enum builtin op, float value);
