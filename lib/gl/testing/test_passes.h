/* SPDX-License-Identifier: Apache-2.0 */
/* test_passes.h - small graphs of operations for tests of passes, and the check that a row's own test runs the row's pass. */
#pragma once

#include "lib/gl/passes/passes.h"
#include "lib/testing/test.h"

/* Kinds that passes tell apart from all others, and from each other, by their role; both take any number of inputs. */
extern const struct ir_kind reshape, other;

/* Kinds by the role of that name; attr of a transpose is int[4], where each axis of the output comes from, and that of a join takes
 * the order by which it was permuted. */
extern const struct ir_kind map, pad, conv, transpose, join;

extern const struct ir_fn relu, add, sub;

/* One that makes blocks of 2x2 pixels of four channels; and one that can read the vectors of its input in another order: attr is
 * the shape in whose order. */
extern const struct ir_kind test_blocks, reordered;

/* One whose weights can be rescaled; attr notes what was done to channel 1. Scales beyond 1e9 are too large for it. And functions
 * that passes know as product and sum. */
struct rescaled {
    float scale, shift;
};
extern const struct ir_kind weighted;
extern const struct ir_fn fn_product, fn_sum;

/* b, h, w, c: of enough elements for four groups of channels in one row, and of one element a channel. */
extern const struct ir_shape big, small;

/* An empty ir before each test. The limits are those of the least OpenGL ES 3.1 device; a test may widen them before it runs a
 * pass. Everything is the arena's. */
struct fixture {
    struct arena arena;
    struct graph graph; /* without nodes: what the ir was made from */
    struct gl_limits limits;
    struct ir *ir;
    struct ir_value *outputs[4];
    struct tensor *output_tensors[4]; /* theirs; NULL: of none that the graph has */
};

/* cmocka's: *state is the fixture. There is one; teardown ends it, whether the test passed or not. */
int setup(void **state);
int teardown(void **state);

/* A new float value of that shape, which nothing makes yet: an input until an operation writes it. */
struct ir_value *value(struct fixture *f, struct ir_shape s);

/* Makes v an output, the next of at most four; returns v. */
struct ir_value *output(struct fixture *f, struct ir_value *v);

/* A new operation y = kind(x), at the end of the list, with 64 bytes of parameters, all 0. */
struct ir_op *op(struct fixture *f, const struct ir_kind *kind, struct ir_value *x, struct ir_value *y);

/* A map y = fn(a, b); b is NULL where fn takes one operand. */
struct ir_op *apply(struct fixture *f, const struct ir_fn *fn, struct ir_value *a, struct ir_value *b, struct ir_value *y);

/* Axis k of y is axis[k] of x. Two such orders, and two shapes that they make of each other. */
void transpose_to(struct fixture *f, struct ir_value *x, const int axis[4], struct ir_value *y);
extern const int to_nchw[4], to_nhwc[4];
extern const struct ir_shape nhwc, nchw;

/* Operations of that kind. */
uint32_t count_of(const struct fixture *f, const struct ir_kind *kind);

/* Runs the rewrite or storage pass of that name on the fixture, once, and links uses and makers anew. The test fails where there is
 * no such pass or where it fails. At most 16 different ones a test. */
void run(struct fixture *f, const char *name);

/* The test fails, as `test`, unless `run` has run that pass since setup. */
void must_have_run(const char *test, const char *pass);

/* For a table of passes whose rows are ROW(test, pass's name, function): row_TEST runs TEST, which must run the row's own pass; so
 * a row cannot name a test of something else. */
#define PASS_TEST(identifier, name, function)                                                                                      \
    static void row_##identifier(void **state)                                                                                     \
    {                                                                                                                              \
        identifier(state);                                                                                                         \
        must_have_run(#identifier, name);                                                                                          \
    }

/* A row of cmocka's list: the test between setup and teardown. */
#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)
