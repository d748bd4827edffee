/* SPDX-License-Identifier: Apache-2.0 */
/* fuse_test.c - chains of functions that read a value several times. */
#include "test_passes.h"

/* x * sigmoid(x) of what a convolution computes: one operation, and the product takes the value before the sigmoid. */
static void chains_that_read_twice_fuse(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, big), *s = value(f, big);
    struct ir_op *c = op(f, &conv, value(f, big), t);

    apply(f, &relu, t, NULL, s);
    apply(f, &sub, s, t, output(f, value(f, big)));
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 1);
    assert_ptr_equal(c->epilogue->fn, &relu);
    assert_ptr_equal(c->epilogue->next->fn, &sub);
    assert_null(c->epilogue->next->operand[0]);
    assert_int_equal(c->epilogue->next->back[0], 0);
    assert_null(c->epilogue->next->operand[1]);
    assert_int_equal(c->epilogue->next->back[1], 1);
}

/* (x + b) - relu(x), each from x: two chains become one. */
static void chains_side_by_side_fuse(void **state)
{
    struct fixture *f = *state;
    struct ir_value *t = value(f, big), *r = value(f, big), *s = value(f, big), *bias = value(f, small);
    struct ir_op *c = op(f, &conv, value(f, big), t);
    const struct ir_epilogue *e;

    apply(f, &relu, t, NULL, r);
    apply(f, &add, t, bias, s);
    apply(f, &sub, s, r, output(f, value(f, big)));
    f->limits.storage_blocks = 8;
    run(f, "fuse maps");
    assert_int_equal(f->ir->n_ops, 1);
    e = c->epilogue;
    assert_ptr_equal(e->fn, &relu);
    assert_int_equal(e->back[0], 0);
    e = e->next;
    assert_ptr_equal(e->fn, &add);
    assert_true(!e->operand[0] && e->back[0] == 1 && e->operand[1] == bias);
    e = e->next;
    assert_ptr_equal(e->fn, &sub);
    assert_true(!e->operand[0] && e->back[0] == 0 && !e->operand[1] && e->back[1] == 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(chains_that_read_twice_fuse), TEST(chains_side_by_side_fuse)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
