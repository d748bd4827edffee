/* SPDX-License-Identifier: Apache-2.0 */
/* strings_test.c - the layout of string tensors: count, offsets, bytes. */
#include "cmd/input/strings.h"
#include "lib/testing/test_delegate.h"

static struct loaded l;
static struct session *s;
static struct err err;

/* A model whose input is three strings, and nothing is done with them. */
static int set_up(void **state)
{
    struct session_options opt = {.num_threads = 1};
    struct builder b;
    int32_t x, y;

    (void)state;
    builder_init(&b, "strings");
    x = build_tensor(&b, "words", TYPE_STRING, SHAPE(3));
    y = build_tensor(&b, "y", TYPE_STRING, SHAPE(1, 3));
    build_op(&b, BUILTIN_RESHAPE, 1, &(struct opt_reshape){.num_dimensions = 2, .shape = {1, 3}}, INDICES(x), INDICES(y));
    build_inputs(&b, INDICES(x));
    build_outputs(&b, INDICES(y));
    l = load(&b);
    TEST_OK(session_new(l.model, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    session_free(s);
    unload(&l);
    return 0;
}

static void expect(const char *a, const char *b, const char *c)
{
    const char *const want[] = {a, b, c};
    const struct tensor *t = session_input(s, 0);
    const int32_t *head = t->data;

    assert_int_equal(head[0], 3);
    assert_int_equal(head[1], 5 * 4);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(head[i + 2] - head[i + 1], strlen(want[i]));
        assert_memory_equal((const char *)t->data + head[i + 1], want[i], strlen(want[i]));
    }
    assert_int_equal(t->bytes, head[4]);
}

static void packs(void **state)
{
    (void)state;
    TEST_OK(strings_set(s, 0, "one\0\0three", 10, "f", &err), err);
    expect("one", "", "three");
    TEST_OK(strings_set(s, 0, "one\0\0three\0", 11, "f", &err), err); /* the last NUL is optional */
    expect("one", "", "three");
}

static void counts(void **state)
{
    (void)state;
    assert_int_equal(strings_set(s, 0, "one\0two", 7, "in.txt", &err), ST_USAGE);
    assert_string_equal(err.msg, "in.txt has 2 strings, input 'words' needs 3");
    assert_int_equal(strings_set(s, 0, "", 0, "in.txt", &err), ST_USAGE);
}

static void default_text(void **state)
{
    const int32_t *head;

    (void)state;
    TEST_OK(strings_set_default(s, 0, &err), err);
    head = session_input(s, 0)->data;
    assert_int_equal(head[0], 3);
    assert_true(head[2] - head[1] > 20 && head[3] - head[2] == head[2] - head[1]);
    assert_memory_equal((const char *)head + head[1], (const char *)head + head[3], (size_t)(head[2] - head[1]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(packs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(default_text, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
