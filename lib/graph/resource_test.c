/* SPDX-License-Identifier: Apache-2.0 */
/* resource_test.c - variables and tables by name and number. */
#include "lib/delegate/delegate.h"
#include "lib/graph/resource.h"
#include "lib/testing/test.h"

#include <stdlib.h>

static struct tensor number(const int32_t *id)
{
    return (struct tensor){.name = "handle", .type = TYPE_RESOURCE, .bytes = 4, .data = (void *)id};
}

static struct tensor floats(float *data, int32_t n)
{
    return (struct tensor){
        .name = "x", .type = TYPE_FLOAT32, .rank = 1, .dim = {n}, .bytes = 4 * (size_t)n, .data = data, .is_const = true};
}

/* A name and a kind make one number, for ever; all numbers differ. */
static void names_have_numbers(void **state)
{
    struct resources *r = NULL;
    struct err err = {""};
    int32_t id[2][40], again;

    (void)state;
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 40; i++)
            for (int kind = RESOURCE_VARIABLE; kind <= RESOURCE_TABLE; kind++) {
                char name[16];

                snprintf(name, sizeof name, "v%d", i);
                TEST_OK(resources_find(&r, (enum resource_kind)kind, name, &again, &err), err);
                if (!round)
                    id[kind][i] = again;
                assert_int_equal(again, id[kind][i]);
            }
    for (int i = 0; i < 80; i++)
        for (int k = 0; k < i; k++)
            assert_int_not_equal(id[i % 2][i / 2], id[k % 2][k / 2]);
    resources_free(r);
}

static void numbers_must_be_of_the_kind(void **state)
{
    struct resources *r = NULL;
    struct resource *found;
    struct err err = {""};
    int32_t variable, table, id;
    struct tensor handle = number(&id), wide = {.name = "", .type = TYPE_INT64, .bytes = 8, .data = &id};

    (void)state;
    id = 0;
    assert_int_equal(resources_get(NULL, RESOURCE_VARIABLE, &handle, &found, &err), ST_BAD_MODEL);
    TEST_OK(resources_find(&r, RESOURCE_VARIABLE, "a", &variable, &err), err);
    TEST_OK(resources_find(&r, RESOURCE_TABLE, "a", &table, &err), err);
    for (id = -3; id < 5; id++) {
        bool is_variable = id == variable, is_table = id == table;

        assert_int_equal(resources_get(r, RESOURCE_VARIABLE, &handle, &found, &err), is_variable ? ST_OK : ST_BAD_MODEL);
        if (is_variable)
            assert_string_equal(found->name, "a");
        assert_int_equal(resources_get(r, RESOURCE_TABLE, &handle, &found, &err), is_table ? ST_OK : ST_BAD_MODEL);
    }
    id = 7;
    assert_int_equal(resources_get(r, RESOURCE_TABLE, &handle, &found, &err), ST_BAD_MODEL);
    assert_string_equal(err.msg, "there is no table number 7");
    id = variable;
    handle.type = TYPE_INT32;
    TEST_OK(resources_get(r, RESOURCE_VARIABLE, &handle, &found, &err), err);
    handle.bytes = 0;
    assert_int_equal(resources_get(r, RESOURCE_VARIABLE, &handle, &found, &err), ST_BAD_MODEL);
    assert_int_equal(resources_get(r, RESOURCE_VARIABLE, &wide, &found, &err), ST_BAD_MODEL);
    assert_string_equal(err.msg, "INT64[] is not a resource");
    handle = number(NULL);
    assert_int_equal(resources_get(r, RESOURCE_VARIABLE, &handle, &found, &err), ST_BAD_MODEL);
    resources_free(r);
}

/* The content is a copy, of any shape and type in turn. */
static void content_is_copied(void **state)
{
    struct resources *r = NULL;
    struct resource *v;
    struct err err = {""};
    float data[100];
    uint8_t bytes[3] = {7, 8, 9};
    int32_t id;
    struct tensor handle = number(&id), x,
                  b = {.name = "b", .type = TYPE_UINT8, .rank = 2, .dim = {3, 1}, .bytes = 3, .data = bytes};

    (void)state;
    TEST_OK(resources_find(&r, RESOURCE_VARIABLE, "v", &id, &err), err);
    TEST_OK(resources_get(r, RESOURCE_VARIABLE, &handle, &v, &err), err);
    assert_false(v->is_set);
    for (int32_t n = 0; n < 100; n += 11) {
        for (int32_t i = 0; i < n; i++)
            data[i] = (float)(n + i);
        x = floats(data, n);
        TEST_OK(resource_store(&v->value, &x, &err), err);
        data[0] = -1;
        assert_string_equal(TENSOR_TEXT(&v->value), TENSOR_TEXT(&x));
        assert_int_equal(v->value.bytes, x.bytes);
        for (int32_t i = 0; i < n; i++)
            assert_float_equal(((float *)v->value.data)[i], n + i, 0);
    }
    TEST_OK(resource_store(&v->value, &b, &err), err);
    assert_string_equal(TENSOR_TEXT(&v->value), "UINT8[3,1]");
    assert_memory_equal(v->value.data, bytes, 3);
    resources_free(r);
}

static void strings_keep_their_bytes(void **state)
{
    char text[] = "a string buffer";
    struct tensor value = {.name = ""},
                  x = {.name = "", .type = TYPE_STRING, .rank = 1, .dim = {1}, .bytes = sizeof text, .data = text};
    struct err err = {""};

    (void)state;
    TEST_OK(resource_store(&value, &x, &err), err);
    assert_int_equal(value.bytes, sizeof text);
    assert_memory_equal(value.data, text, sizeof text);
    free(value.data);
}

static void reset_forgets_content_and_keeps_numbers(void **state)
{
    struct resources *r = NULL;
    struct resource *v;
    struct err err = {""};
    float data[2] = {1, 2};
    struct tensor x = floats(data, 2), handle;
    int32_t id, again;

    (void)state;
    resources_reset(NULL);
    resources_free(NULL);
    TEST_OK(resources_find(&r, RESOURCE_TABLE, "first", &id, &err), err);
    TEST_OK(resources_find(&r, RESOURCE_TABLE, "t", &id, &err), err);
    handle = number(&id);
    TEST_OK(resources_get(r, RESOURCE_TABLE, &handle, &v, &err), err);
    TEST_OK(resource_store(&v->value, &x, &err), err);
    TEST_OK(resource_store(&v->keys, &x, &err), err);
    v->is_set = true;
    resources_reset(r);
    TEST_OK(resources_find(&r, RESOURCE_TABLE, "t", &again, &err), err);
    assert_int_equal(again, id);
    TEST_OK(resources_get(r, RESOURCE_TABLE, &handle, &v, &err), err);
    assert_false(v->is_set);
    assert_null(v->value.data);
    assert_null(v->keys.data);
    assert_int_equal(v->value.bytes, 0);
    TEST_OK(resource_store(&v->value, &x, &err), err); /* and can be filled again */
    assert_memory_equal(v->value.data, data, sizeof data);
    resources_free(r);
}

static enum status new_buffer(struct delegate *d, size_t bytes, uint32_t *id, struct err *err)
{
    (void)d;
    (void)bytes;
    (void)err;
    *id = 1;
    return ST_OK;
}

static void free_buffer(struct delegate *d, uint32_t id)
{
    (void)d;
    (void)id;
}

static enum status read_nothing(struct delegate *d, uint32_t id, void *data, size_t bytes, struct err *err)
{
    (void)d;
    (void)id;
    (void)data;
    (void)bytes;
    (void)err;
    fail_msg("a buffer that nothing was written to is read");
    return ST_OK;
}

/* A larger buffer is made for what a partition is about to assign, which then fails. */
static void content_goes_with_its_buffer(void **state)
{
    static const struct delegate_ops ops = {.buffer_new = new_buffer, .buffer_free = free_buffer, .buffer_read = read_nothing};
    struct delegate d = {.ops = &ops};
    struct resources *r = NULL;
    struct resource *v;
    struct err err = {""};
    float data[9] = {0};
    struct tensor x = floats(data, 2), larger = floats(data, 9);
    int32_t id;

    (void)state;
    TEST_OK(resources_find(&r, RESOURCE_VARIABLE, "v", &id, &err), err);
    v = resources_at(r, id);
    TEST_OK(resource_make_room(&v->value, &x, &err), err);
    TEST_OK(resource_settle(v, &d, false, &err), err);
    resource_assigned(v, true);
    TEST_OK(resource_make_room(&v->value, &larger, &err), err);
    TEST_OK(resource_settle(v, &d, false, &err), err);
    TEST_OK(resource_fetch(v, &err), err);
    assert_int_equal(resource_check_read(v, &larger, &err), ST_BAD_MODEL);
    assert_string_equal(err.msg, "variable \"v\" is read before anything is assigned to it");
    resources_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_have_numbers),
        cmocka_unit_test(numbers_must_be_of_the_kind),
        cmocka_unit_test(content_is_copied),
        cmocka_unit_test(strings_keep_their_bytes),
        cmocka_unit_test(reset_forgets_content_and_keeps_numbers),
        cmocka_unit_test(content_goes_with_its_buffer),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
