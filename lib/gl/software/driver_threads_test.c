/* SPDX-License-Identifier: Apache-2.0 */
/* driver_threads_test.c - when LP_NUM_THREADS is asked for, and with what. */
#include "lib/gl/software/driver_threads.h"

#include <stdio.h>

#include "lib/testing/test_model.h"

static const char *users; /* value of LP_NUM_THREADS before */
static char asked[64];    /* "NAME=value" */
static bool awake;

static char *get(const char *name)
{
    return strcmp(name, "LP_NUM_THREADS") ? NULL : (char *)users;
}

static void set(void *arg, const char *name, const char *value)
{
    assert_ptr_equal(arg, asked);
    snprintf(asked, sizeof asked, "%s=%s", name, value);
}

static const char *ask(const struct model *m, long cores)
{
    asked[0] = '\0';
    gl_driver_threads(cores, &(struct delegate_environment){get, set, asked, m, awake});
    return asked;
}

/* n products of 1,000 x width multiply-accumulates and 1,000 elements, each with a function of 1,000 elements behind it. */
static struct loaded products(uint32_t n, int32_t width)
{
    struct builder b;
    int32_t x, w, y, z = 0;

    builder_init(&b, "products");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, width));
    w = build_tensor(&b, "w", TYPE_FLOAT32, SHAPE(1000, width));
    build_inputs(&b, INDICES(x, w));
    for (uint32_t i = 0; i < n; i++) {
        y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, 1000));
        z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(1, 1000));
        build_op(&b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(x, w, -1), INDICES(y));
        build_op(&b, BUILTIN_RELU, 1, NULL, INDICES(y), INDICES(z));
    }
    build_outputs(&b, INDICES(z));
    return load(&b);
}

static const char *ask_products(uint32_t n, int32_t width, long cores)
{
    struct loaded l = products(n, width);
    const char *asks = ask(l.model, cores);

    unload(&l);
    return asks;
}

/* Two processors save half of the time, sixteen nearly all of it, one nothing. What counts is a product, not all of them. */
static void short_dispatches_are_the_callers(void **state)
{
    (void)state;
    assert_string_equal(ask_products(1, 997, 2), "LP_NUM_THREADS=0");
    assert_string_equal(ask_products(9, 997, 2), "LP_NUM_THREADS=0");
    assert_string_equal(ask_products(1, 998, 2), "");
    assert_string_equal(ask_products(9, 998, 2), "");
    assert_string_equal(ask_products(1, 530, 16), "LP_NUM_THREADS=0");
    assert_string_equal(ask_products(1, 540, 16), "");
    assert_string_equal(ask_products(1, 10, 1), "");
    assert_string_equal(ask_products(1, 10, -1), "");
}

/* Then a twentieth of it is enough. */
static void threads_that_are_awake_begin_sooner(void **state)
{
    (void)state;
    awake = true;
    assert_string_equal(ask_products(1, 47, 2), "LP_NUM_THREADS=0");
    assert_string_equal(ask_products(1, 48, 2), "");
    awake = false;
    assert_string_equal(ask_products(1, 48, 2), "LP_NUM_THREADS=0");
}

/* Alone, each is a dispatch; behind a product, of which it is mostly a part, its elements count for that. */
static const char *ask_functions(int32_t elems, bool product)
{
    struct builder b;
    struct loaded l;
    int32_t x, w, y, z;
    const char *asks;

    builder_init(&b, "functions");
    x = build_tensor(&b, "x", TYPE_FLOAT32, SHAPE(1, product ? 1 : elems));
    w = build_tensor(&b, "w", TYPE_FLOAT32, SHAPE(elems, 1));
    y = build_tensor(&b, "y", TYPE_FLOAT32, SHAPE(1, elems));
    z = build_tensor(&b, "z", TYPE_FLOAT32, SHAPE(1, elems));
    if (product)
        build_op(&b, BUILTIN_FULLY_CONNECTED, 1, NULL, INDICES(x, w, -1), INDICES(y));
    else
        build_op(&b, BUILTIN_RELU, 1, NULL, INDICES(x), INDICES(y));
    build_op(&b, BUILTIN_TANH, 1, NULL, INDICES(y), INDICES(z));
    build_inputs(&b, INDICES(x, w));
    build_outputs(&b, INDICES(z));
    l = load(&b);
    asks = ask(l.model, 2);
    unload(&l);
    return asks;
}

static void elements_count(void **state)
{
    (void)state;
    assert_string_equal(ask_functions(999000, false), "LP_NUM_THREADS=0");
    assert_string_equal(ask_functions(1001000, false), "");
    assert_string_equal(ask_functions(333000, true), "LP_NUM_THREADS=0");
    assert_string_equal(ask_functions(334000, true), "");
}

static void the_user_has_the_last_word(void **state)
{
    (void)state;
    users = "2";
    assert_string_equal(ask_products(1, 10, 2), "");
    users = NULL;
    assert_string_equal(ask_products(1, 10, 2), "LP_NUM_THREADS=0");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(short_dispatches_are_the_callers),
        cmocka_unit_test(threads_that_are_awake_begin_sooner),
        cmocka_unit_test(elements_count),
        cmocka_unit_test(the_user_has_the_last_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
