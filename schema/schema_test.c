/* SPDX-License-Identifier: Apache-2.0 */
/* schema_test.c - the tables of operators and options agree with one another. */
#include "lib/testing/test.h"
#include "schema/options.h"
#include "schema/schema.h"

/* As the schema of TensorFlow Lite numbers them, without a gap. */
static void test_names(void **state)
{
    (void)state;
    assert_string_equal(builtin_name(3), "CONV_2D");
    assert_int_equal(BUILTIN_CONV_2D, 3);
    assert_null(builtin_name(-1));
    assert_null(builtin_name(BUILTIN_COUNT));
    for (int32_t i = 0; i < BUILTIN_COUNT; i++)
        assert_non_null(builtin_name(i));
}

static void test_options(void **state)
{
    (void)state;
    assert_int_equal(builtin_options(BUILTIN_MEAN), OPTIONS_REDUCER);
    assert_int_equal(builtin_options(BUILTIN_RELU), OPTIONS_NONE);
    assert_int_equal(builtin_options(1000), OPTIONS_NONE);
    for (int k = 1; k < OPTIONS_COUNT; k++) {
        const struct options_table *table = options_table((enum options_kind)k);

        assert_int_equal(options_from_union(table->union_, table->number), k);
    }
    assert_null(options_table(OPTIONS_NONE));
    assert_int_equal(options_from_union(2, 200), OPTIONS_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_options),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
