/* SPDX-License-Identifier: Apache-2.0 */
/* explain_test.c - which errors half precision is held to explain. */
#include "lib/compare/explain.h"
#include "lib/testing/test.h"

#include <math.h>

enum { N = 8 };

/* What `values` differ by from zeros. */
static struct diff off(const float *values)
{
    static float zeros[N];
    struct tensor reference = {.type = TYPE_FLOAT32, .rank = 1, .dim = {N}, .data = zeros, .bytes = sizeof zeros};
    struct tensor test = reference;
    float copy[N];
    struct diff d = {0};

    memcpy(copy, values, sizeof copy);
    test.data = copy;
    diff_add(&d, &reference, &test, false);
    return d;
}

static enum explained explained(const float *test, const float *emulated)
{
    const struct diff t = off(test), e = off(emulated);

    return explain_by_half(&t, &e);
}

static void errors_of_the_same_size(void **state)
{
    const float none[N] = {0}, small[N] = {1e-3f, -1e-3f, 1e-3f, 0, 1e-3f}, four[N] = {3.9e-3f, -1e-3f}, five[N] = {4.1e-3f};
    const float wide[N] = {4e-3f, 4e-3f, 4e-3f, 4e-3f, 4e-3f, 4e-3f, 4e-3f, 4e-3f};

    (void)state;
    assert_int_equal(explained(none, small), EXPLAIN_NO_ERROR);
    assert_int_equal(explained(small, small), EXPLAIN_HALF);
    assert_int_equal(explained(four, small), EXPLAIN_HALF);
    assert_int_equal(explained(five, small), EXPLAIN_NOT); /* one element; the mean would not show it */
    assert_int_equal(explained(wide, small), EXPLAIN_NOT); /* none beyond four times, but all of them */
    assert_int_equal(explained(small, none), EXPLAIN_NOT);
}

static void values_that_are_no_numbers(void **state)
{
    const float small[N] = {1e-3f}, nan[N] = {NAN}, inf[N] = {0, INFINITY};

    (void)state;
    assert_int_equal(explained(nan, small), EXPLAIN_NOT);
    assert_int_equal(explained(inf, small), EXPLAIN_NOT);
    assert_int_equal(explained(nan, inf), EXPLAIN_HALF); /* infinity minus infinity */
    assert_int_equal(explained(small, inf), EXPLAIN_UNKNOWN);
    assert_int_equal(explained(inf, nan), EXPLAIN_HALF);
}

static void each_has_a_text(void **state)
{
    (void)state;
    for (enum explained e = EXPLAIN_NO_ERROR; e <= EXPLAIN_UNKNOWN; e++)
        assert_true(*explain_text(e) && *explain_word(e));
    assert_string_equal(explain_word(EXPLAIN_NOT), "not_half");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_of_the_same_size),
        cmocka_unit_test(values_that_are_no_numbers),
        cmocka_unit_test(each_has_a_text),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
