/* SPDX-License-Identifier: Apache-2.0 */
/* test_dynamic_shapes.h - models of which some nodes have no shapes before a run, with a delegate and on the CPU. */
#ifndef DELEGAUGE_TEST_DYNAMIC_SHAPES_H
#define DELEGAUGE_TEST_DYNAMIC_SHAPES_H

#include "lib/testing/test_delegate.h"

/* Tensors of these models: INT32[n], FLOAT32[n], and FLOAT32[1, 1], which shapes of a run replace. */
int32_t test_dynamic_numbers(struct builder *b, const char *name, int32_t n);
int32_t test_dynamic_vector(struct builder *b, const char *name, int32_t n);
int32_t test_dynamic_matrix(struct builder *b, const char *name);

/* a = |x as `shape` says|, y = -rows of a; inputs x, of 12 elements, shape, rows. */
void test_dynamic_build_reshape(struct builder *b);

/* y = -t; t is x in that shape, repeated as often as its largest elements of each row say; inputs x, shape. */
void test_dynamic_build_tile(struct builder *b);

/* The operators of both. */
extern const char test_dynamic_everything[];

/* A model with the delegate and without, and the number of times that the delegate warned that the CPU runs its nodes. */
struct test_dynamic_pair {
    struct fake fake;
    struct loaded of[2];
    struct session *s, *cpu;
    int warned;
};

/* On the heap; ends with test_dynamic_stop, which checks that the delegate freed all. `takes` as in fake_delegate; `like` without
 * delegates. */
struct test_dynamic_pair *test_dynamic_start(void (*build)(struct builder *b), const char *takes,
                                             const struct session_options *like);
void test_dynamic_stop(struct test_dynamic_pair *t);

/* An input of both; x, one of some contents for each phase; shape as [rows, 12 / rows]. */
void test_dynamic_set(struct test_dynamic_pair *t, uint32_t i, const void *data, size_t bytes);
void test_dynamic_fill(struct test_dynamic_pair *t, int phase);
void test_dynamic_reshape(struct test_dynamic_pair *t, int32_t rows);

/* Run both, and test_dynamic_compare: fails if shapes or bits of outputs differ. */
void test_dynamic_run(struct test_dynamic_pair *t);
void test_dynamic_compare(const struct test_dynamic_pair *t);

/* Fail the test if session_dynamic does not report these numbers. */
void test_dynamic_is(const struct test_dynamic_pair *t, uint32_t nodes, uint32_t delegated, uint32_t plans);

#endif
