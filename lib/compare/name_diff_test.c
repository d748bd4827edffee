/* SPDX-License-Identifier: Apache-2.0 */
/* name_diff_test.c - tensors of a quantized model against those of its float twin, by name. */
#include "lib/compare/name_diff.h"
#include "lib/testing/test_delegate.h"

#include <math.h>

static struct err err;

/* x -> "middle" -> `last`, reshaped; INT8 by the scale 1/2 where quantized. */
static struct loaded three(const char *last, bool quantized)
{
    const enum tensor_type type = quantized ? TYPE_INT8 : TYPE_FLOAT32;
    struct builder b;
    int32_t x, m, y;

    builder_init(&b, "three");
    x = build_tensor(&b, "x", type, SHAPE(4));
    m = build_tensor(&b, "middle", type, SHAPE(2, 2));
    y = build_tensor(&b, last, type, SHAPE(4, 1));
    if (quantized)
        for (int32_t t = 0; t < 3; t++)
            build_quant(&b, t == 0 ? x : t == 1 ? m : y, 0.5f, 1);
    build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{2, 2}, 2}, INDICES(x), INDICES(m));
    build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){{4, 1}, 2}, INDICES(m), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    return load(&b);
}

static struct session *run(const struct loaded *l, const void *x, size_t bytes)
{
    struct session_options opt = {.mode = CPU_REFERENCE, .keep_intermediates = true};
    struct session *s;

    TEST_OK(session_new(l->model, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    TEST_OK(session_set_input(s, 0, x, bytes, &err), err);
    TEST_OK(session_run(s, &err), err);
    return s;
}

static void twins_by_name(void **state)
{
    static const float x[4] = {1, 2, 3.25f, -4};
    static const int8_t q[4] = {3, 5, 7, -7};
    struct loaded a = three("y", false), b = three("y_int8", true);
    struct session *reference = run(&a, x, sizeof x), *test = run(&b, q, sizeof q);
    struct name_diffs o;

    (void)state;
    TEST_OK(name_diffs_init(&o, reference, test, &err), err);
    assert_true(o.n == 1 && o.without == 1);
    assert_string_equal(o.rows[0].test->name, "middle");
    assert_null(name_diffs_worst(&o));
    name_diffs_add(&o);
    name_diffs_add(&o);
    assert_true(o.rows[0].diff.comparisons == 2 && o.rows[0].diff.different == 2);
    assert_true(o.rows[0].diff.max_abs == 0.25 && o.rows[0].diff.worst_reference == 3.25 && o.rows[0].diff.worst_test == 3);
    assert_ptr_equal(name_diffs_worst(&o), &o.rows[0]);
    name_diffs_free(&o);
    session_free(reference);
    session_free(test);
    unload(&a);
    unload(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twins_by_name)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
