/* SPDX-License-Identifier: Apache-2.0 */
/* test_passes.h - small graphs of operations for tests of passes, and the check that a row's own test runs the row's pass. */
#ifndef DELEGAUGE_GL_TEST_PASSES_H
#define DELEGAUGE_GL_TEST_PASSES_H

#include "passes.h"
#include "../test.h"

static const struct ir_kind reshape = {"reshape", IR_RESHAPE, 0, NULL}, other = {"other", IR_OTHER, 0, NULL};
static const struct ir_shape big = {1, 8, 8, 4}, small = {1, 1, 1, 4};

struct fixture {
    struct arena arena;
    struct graph graph;
    struct gl_limits limits;
    struct ir *ir;
    struct ir_value *outputs[4];
};

static const char *ran[16]; /* the passes that the current test has run */
static uint32_t n_ran;

static int setup(void **state)
{
    static struct fixture f;
    struct err err;

    n_ran = 0;
    f = (struct fixture){.limits = gl_limits_least};
    *state = &f;
    return ir_new(&f.arena, &f.graph, NULL, 0, NULL, 0, &f.ir, &err) ? -1 : 0;
}

static int teardown(void **state)
{
    arena_free(&((struct fixture *)*state)->arena);
    return 0;
}

static struct ir_value *value(struct fixture *f, struct ir_shape s)
{
    return ir_temp(f->ir, IR_FLOAT, s);
}

static struct ir_value *output(struct fixture *f, struct ir_value *v)
{
    v->is_output = true;
    f->outputs[f->ir->n_outputs++] = v;
    f->ir->outputs = f->outputs;
    return v;
}

static struct ir_op *op(struct fixture *f, const struct ir_kind *kind, struct ir_value *x, struct ir_value *y)
{
    return ir_op_new(f->ir, kind, IR_INS(x), y, 64);
}

static void run(struct fixture *f, const char *name)
{
    const struct gl_rewrite *r = gl_rewrite_find(name);
    struct err err;

    assert_non_null(r);
    assert_true(n_ran < 16);
    ran[n_ran++] = name;
    ir_link(f->ir);
    TEST_OK(r->run(f->ir, &f->limits, &err), err);
    ir_link(f->ir);
}

/* A row's own test must run the row's pass. */
#define PASS_TEST(identifier, name, function)                                                                                      \
    static void row_##identifier(void **state)                                                                                     \
    {                                                                                                                              \
        uint32_t i = 0;                                                                                                            \
                                                                                                                                   \
        identifier(state);                                                                                                         \
        while (i < n_ran && strcmp(ran[i], name) != 0)                                                                             \
            i++;                                                                                                                   \
        if (i == n_ran)                                                                                                            \
            fail_msg("the test %s does not run the pass \"%s\"", #identifier, name);                                               \
    }

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

#endif
