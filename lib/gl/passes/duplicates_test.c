/* SPDX-License-Identifier: Apache-2.0 */
/* duplicates_test.c - which operations look like duplicates and are none. */
#include "lib/gl/testing/test_passes.h"

/* So many that some have one place in a table of hashes. */
static void what_differs_is_no_duplicate(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big), *all[100];

    for (int32_t i = 0; i < 100; i++) {
        all[i] = value(f, big);
        ((struct ir_window *)op(f, &conv, x, all[i])->attr)->pad_h = i;
    }
    ir_op_new(f->ir, &join, all, 100, output(f, value(f, big)), 16);
    run(f, "drop duplicates");
    assert_int_equal(f->ir->n_ops, 101);
}

/* Two outputs of the partition are two, whatever they hold. */
static void outputs_are_no_duplicates(void **state)
{
    struct fixture *f = *state;
    struct ir_value *x = value(f, big);

    op(f, &conv, x, output(f, value(f, big)));
    op(f, &conv, x, output(f, value(f, big)));
    run(f, "drop duplicates");
    assert_int_equal(f->ir->n_ops, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(what_differs_is_no_duplicate), TEST(outputs_are_no_duplicates)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
