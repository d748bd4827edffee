/* SPDX-License-Identifier: Apache-2.0 */
/* test_dynamic_shapes.h - models of which some nodes have no shapes before a run, with a delegate and on the CPU. */
#ifndef DELEGAUGE_TEST_LATE_H
#define DELEGAUGE_TEST_LATE_H

#include "lib/testing/test_delegate.h"

/* Tensors of these models: INT32[n], FLOAT32[n], and FLOAT32[1, 1], which shapes of a run replace. */
int32_t test_late_numbers(struct builder *b, const char *name, int32_t n);
int32_t test_late_vector(struct builder *b, const char *name, int32_t n);
int32_t test_late_matrix(struct builder *b, const char *name);

/* a = |x as `shape` says|, y = -rows of a; inputs x, of 12 elements, shape, rows. */
void test_late_build_reshape(struct builder *b);

/* y = -t; t is x in that shape, repeated as often as its largest elements of each row say; inputs x, shape. */
void test_late_build_tile(struct builder *b);

/* The operators of both. */
extern const char test_late_everything[];

/* A model with the delegate and without, and the number of times that the delegate warned that the CPU runs its nodes. */
struct test_late_pair {
    struct fake fake;
    struct loaded of[2];
    struct session *s, *cpu;
    int warned;
};

/* On the heap; ends with test_late_stop, which checks that the delegate freed all. `takes` as in fake_delegate; `like` without
 * delegates. */
struct test_late_pair *test_late_start(void (*build)(struct builder *b), const char *takes, const struct session_options *like);
void test_late_stop(struct test_late_pair *t);

/* An input of both; x, one of some contents for each phase; shape as [rows, 12 / rows]. */
void test_late_set(struct test_late_pair *t, uint32_t i, const void *data, size_t bytes);
void test_late_fill(struct test_late_pair *t, int phase);
void test_late_reshape(struct test_late_pair *t, int32_t rows);

/* Run both, and test_late_compare: fails if shapes or bits of outputs differ. */
void test_late_run(struct test_late_pair *t);
void test_late_compare(const struct test_late_pair *t);

/* Fail the test if session_late does not report these numbers. */
void test_late_is(const struct test_late_pair *t, uint32_t nodes, uint32_t delegated, uint32_t plans);

#endif
