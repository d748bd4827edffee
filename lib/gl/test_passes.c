/* SPDX-License-Identifier: Apache-2.0 */
/* test_passes.c - operations, values and runs for tests of passes. */
#include "test_passes.h"

const struct ir_kind reshape = {"reshape", IR_RESHAPE, 0, NULL}, other = {"other", IR_OTHER, 0, NULL};
const struct ir_shape big = {1, 8, 8, 4}, small = {1, 1, 1, 4};

static const char *ran[16]; /* the passes that the current test has run */
static uint32_t n_ran;

int setup(void **state)
{
    static struct fixture f;
    struct err err;

    n_ran = 0;
    f = (struct fixture){.limits = gl_limits_least};
    *state = &f;
    return ir_new(&f.arena, &f.graph, NULL, 0, NULL, 0, &f.ir, &err) ? -1 : 0;
}

int teardown(void **state)
{
    arena_free(&((struct fixture *)*state)->arena);
    return 0;
}

struct ir_value *value(struct fixture *f, struct ir_shape s)
{
    return ir_temp(f->ir, IR_FLOAT, s);
}

struct ir_value *output(struct fixture *f, struct ir_value *v)
{
    v->is_output = true;
    f->outputs[f->ir->n_outputs++] = v;
    f->ir->outputs = f->outputs;
    return v;
}

struct ir_op *op(struct fixture *f, const struct ir_kind *kind, struct ir_value *x, struct ir_value *y)
{
    return ir_op_new(f->ir, kind, IR_INS(x), y, 64);
}

static bool has_run(const char *pass)
{
    for (uint32_t i = 0; i < n_ran; i++)
        if (!strcmp(ran[i], pass))
            return true;
    return false;
}

void run(struct fixture *f, const char *name)
{
    const struct gl_rewrite *r = gl_rewrite_find(name);
    struct err err;

    assert_non_null(r);
    if (!has_run(name)) {
        assert_true(n_ran < 16);
        ran[n_ran++] = name;
    }
    ir_link(f->ir);
    TEST_OK(r->run(f->ir, &f->limits, &err), err);
    ir_link(f->ir);
}

void must_have_run(const char *test, const char *pass)
{
    if (!has_run(pass))
        fail_msg("the test %s does not run the pass \"%s\"", test, pass);
}
