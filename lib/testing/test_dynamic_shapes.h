/* SPDX-License-Identifier: Apache-2.0 */
/* test_dynamic_shapes.h - models with nodes whose shapes are known only while running, on a delegate and on the CPU. */
#pragma once

#include "lib/testing/test_delegate.h"

/* Add a tensor to such a model: INT32[n]; FLOAT32[n]; FLOAT32[1, 1], whose shape a run replaces. Returns its index. */
int32_t test_dynamic_numbers(struct builder *b, const char *name, int32_t n);
int32_t test_dynamic_vector(struct builder *b, const char *name, int32_t n);
int32_t test_dynamic_matrix(struct builder *b, const char *name);

/* Build a = ABS(x reshaped to `shape`), y = -(row `rows` of a); inputs x (12 elements), shape, rows; outputs a, y. */
void test_dynamic_build_reshape(struct builder *b);

/* Build y = -t, where t is x reshaped to `shape` and tiled by the largest element of each of its rows; inputs x, shape. */
void test_dynamic_build_tile(struct builder *b);

/* Names of the operators of both models, as fake_delegate's `takes`. */
extern const char test_dynamic_everything[];

/* Two sessions of one model: `s` with the fake delegate and `cpu` without. of[0] is the model of `cpu`, of[1] that of `s`. */
struct test_dynamic_pair {
    struct fake fake;
    struct loaded of[2];
    struct session *s, *cpu;
    int warned; /* warnings of the delegate's session that the CPU runs its nodes */
};

/* Build and prepare both sessions with the options `like`, which has no delegates; `takes` as for fake_delegate. Free with
 * test_dynamic_stop, which checks that the delegate freed all kernels. */
struct test_dynamic_pair *test_dynamic_start(void (*build)(struct builder *b), const char *takes,
                                             const struct session_options *like);
void test_dynamic_stop(struct test_dynamic_pair *t);

/* Set an input of both sessions: input i; x, to contents that depend on `phase`; shape, to [rows, 12 / rows]. */
void test_dynamic_set(struct test_dynamic_pair *t, uint32_t i, const void *data, size_t bytes);
void test_dynamic_fill(struct test_dynamic_pair *t, int phase);
void test_dynamic_reshape(struct test_dynamic_pair *t, int32_t rows);

/* Run both sessions and compare their outputs: fail the test if shapes or bits differ. */
void test_dynamic_run(struct test_dynamic_pair *t);
void test_dynamic_compare(const struct test_dynamic_pair *t);

/* Fail the test unless session_dynamic reports these numbers for the delegate's session. */
void test_dynamic_is(const struct test_dynamic_pair *t, uint32_t nodes, uint32_t delegated, uint32_t plans);
