/* SPDX-License-Identifier: Apache-2.0 */
/* scales_test.c - what does not go into weights. */
#include <math.h>

#include "lib/gl/testing/test_passes.h"

/* Rows of their own, infinities, numbers too large, and a result that something else reads. */
static void scales_that_stay(void **state)
{
    static const float each[8] = {1, 2, 3, 4, 5, 6, 7, 8}, wide[4] = {1, 1, INFINITY, 1}, large[4] = {1, 1e10f, 1, 1};
    const struct ir_shape row = {1, 1, 8, 1};
    struct fixture *f = *state;

    for (int i = 0; i < 4; i++) {
        struct ir_value *t = value(f, big);

        op(f, &weighted, value(f, big), t);
        apply(f, &fn_product, t,
              ir_const(f->ir, IR_FLOAT, i ? small : row,
                       i == 0   ? each
                       : i == 1 ? wide
                       : i == 2 ? large
                                : each),
              value(f, big));
        if (i == 3)
            op(f, &other, t, value(f, big));
    }
    run(f, "fold scales");
    assert_int_equal(f->ir->n_ops, 9);
}

/* (x * c) - x: the value before the product is read again. */
static void scales_of_what_is_read_again_stay(void **state)
{
    static const float each[4] = {1, 2, 3, 4};
    struct fixture *f = *state;
    struct ir_value *t = value(f, big);
    struct ir_op *m;

    op(f, &weighted, value(f, big), t);
    m = apply(f, &fn_product, t, ir_const(f->ir, IR_FLOAT, small, each), output(f, value(f, big)));
    assert_true(ir_apply(f->ir, m, &sub, (struct ir_value *[3]){NULL}, NULL, IR_FLOAT));
    m->epilogue->next->back[1] = 1;
    run(f, "fold scales");
    assert_ptr_equal(m->epilogue->fn, &fn_product);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(scales_that_stay), TEST(scales_of_what_is_read_again_stay)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
