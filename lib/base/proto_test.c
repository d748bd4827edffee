/* SPDX-License-Identifier: Apache-2.0 */
/* proto_test.c - bytes as the specification of the wire format has them. */
#include "lib/base/proto.h"

#include "lib/testing/test.h"

#define ASSERT_BYTES(p, ...)                                                                                                       \
    do {                                                                                                                           \
        const unsigned char wanted_[] = {__VA_ARGS__};                                                                             \
                                                                                                                                   \
        assert_false((p).failed);                                                                                                  \
        assert_int_equal((p).n, sizeof wanted_);                                                                                   \
        assert_memory_equal((p).data, wanted_, sizeof wanted_);                                                                    \
        proto_free(&(p));                                                                                                          \
    } while (0)

static void numbers(void **state)
{
    struct proto p = {0};

    (void)state;
    proto_int(&p, 1, 150); /* the specification's own example */
    ASSERT_BYTES(p, 0x08, 0x96, 0x01);
    proto_int(&p, 1, 0);
    proto_int(&p, 2, 127);
    proto_int(&p, 16, 128);
    ASSERT_BYTES(p, 0x08, 0x00, 0x10, 0x7f, 0x80, 0x01, 0x80, 0x01);
    proto_int(&p, 1, -2);
    ASSERT_BYTES(p, 0x08, 0xfe, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
    proto_float(&p, 3, 1.0f);
    ASSERT_BYTES(p, 0x1d, 0x00, 0x00, 0x80, 0x3f);
    proto_double(&p, 5, -2.5);
    ASSERT_BYTES(p, 0x29, 0, 0, 0, 0, 0, 0, 0x04, 0xc0);
}

static void texts_and_lists(void **state)
{
    const int32_t list[] = {3, 270, 86942, -1};
    struct proto p = {0};

    (void)state;
    proto_string(&p, 2, "testing");
    ASSERT_BYTES(p, 0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67);
    proto_string(&p, 2, "");
    ASSERT_BYTES(p, 0x12, 0x00);
    proto_packed(&p, 6, list, 3);
    ASSERT_BYTES(p, 0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05);
    proto_packed(&p, 6, list + 3, 1);
    ASSERT_BYTES(p, 0x32, 0x0a, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
    proto_packed(&p, 6, list, 0);
    assert_true(p.n == 0 && !p.failed);
}

static void messages(void **state)
{
    struct proto p = {0}, inner = {0}, failed = {.failed = true};

    (void)state;
    proto_int(&inner, 1, 150);
    proto_message(&p, 3, &inner);
    assert_true(!inner.n && !inner.data);
    proto_message(&p, 4, &inner); /* an empty one is there all the same */
    ASSERT_BYTES(p, 0x1a, 0x03, 0x08, 0x96, 0x01, 0x22, 0x00);
    for (int i = 0; i < 1000; i++)
        proto_int(&inner, 1, 1);
    proto_message(&p, 1, &inner);
    assert_int_equal(p.n, 3 + 2000);
    assert_true(p.data[1] == 0xd0 && p.data[2] == 0x0f);
    proto_message(&p, 1, &failed);
    assert_true(p.failed);
    proto_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(texts_and_lists),
        cmocka_unit_test(messages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
