/* SPDX-License-Identifier: Apache-2.0 */
/* test_subgraph.h - for tests of models with several subgraphs: a session on a builder's model, run step by step. */
#ifndef DELEGAUGE_TEST_SUBGRAPH_H
#define DELEGAUGE_TEST_SUBGRAPH_H

#include "lib/session/session.h"
#include "lib/testing/test_model.h"

/* Ended with test_stop. */
struct test_running {
    struct loaded of;
    struct session *s;
};

/* Ends the builder and prepares a session without a delegate. */
struct test_running test_begin(struct builder *b);
void test_stop(struct test_running *l);

/* A FLOAT32 tensor of n elements. */
int32_t test_vector(struct builder *b, const char *name, int32_t n);

/* Element k of FLOAT32 input i becomes start + k. */
void test_set(struct test_running *l, uint32_t i, float start);

/* The first element of an output, FLOAT32. */
float test_first(const struct test_running *l, uint32_t output);

/* One run, which must succeed. */
void test_run(struct test_running *l);

/* Adds a subgraph x -> op(x, value) -> y of any length, the file saying 2. */
void test_map_subgraph(struct builder *b, enum builtin op, float value);

#endif
