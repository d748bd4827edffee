/* SPDX-License-Identifier: Apache-2.0 */
/* node_list_test.c - lists of nodes as flags have them. */
#include "lib/base/node_list.h"
#include "lib/testing/test.h"

static void reads(const char *text, const struct node_range *want, uint32_t n)
{
    struct node_list l;
    struct err err;

    TEST_OK(node_list_read("--nodes", text, &l, &err), err);
    assert_int_equal(l.n, n);
    for (uint32_t i = 0; i < n; i++)
        assert_true(l.ranges[i].first == want[i].first && l.ranges[i].last == want[i].last);
    node_list_fini(&l);
}

static void lists_are_ordered_and_merged(void **state)
{
    (void)state;
    reads(NULL, NULL, 0);
    reads("", NULL, 0);
    reads("3", (struct node_range[]){{3, 3}}, 1);
    reads("7-9,3", (struct node_range[]){{3, 3}, {7, 9}}, 2);
    reads("3,4,5", (struct node_range[]){{3, 5}}, 1);
    reads("1-9,2-3,5,11", (struct node_range[]){{1, 9}, {11, 11}}, 2);
    reads("0-2147483647,5", (struct node_range[]){{0, INT32_MAX}}, 1);
}

static void members_are_found(void **state)
{
    static const uint32_t in[] = {0, 3, 7, 8, 9, 2000000000}, out[] = {1, 2, 4, 6, 10, 1999999999, UINT32_MAX};
    struct node_list l;
    struct err err;

    (void)state;
    TEST_OK(node_list_read("--nodes", "0, 3,7-9,  2000000000", &l, &err), err);
    for (size_t i = 0; i < sizeof in / sizeof *in; i++)
        assert_true(node_list_has(&l, in[i]));
    for (size_t i = 0; i < sizeof out / sizeof *out; i++)
        assert_false(node_list_has(&l, out[i]));
    node_list_fini(&l);
    assert_false(node_list_has(&l, 0));
    assert_false(node_list_has(NULL, 0));
}

static void others_are_refused(void **state)
{
    static const char *const bad[] = {",",           "3,",   "a",    "3-",           "-3",
                                      "9-7",         "3--4", "3,,4", "1-2-3",        " 3",
                                      "3;4",         "+3,x", "1.5",  "-99999999999", "1-2-99999999999",
                                      "99999999999x"};
    static const char *const large[] = {"2147483648", "4294967296", "7,0-99999999999", "99999999999999999999999999999999999-1"};
    struct node_list l;
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(node_list_read("--nodes", bad[i], &l, &err), ST_USAGE);
        assert_true(!l.ranges && !l.n && !strncmp(err.msg, "--nodes: \"", 10));
        assert_true(strstr(err.msg, "\" is neither an index") && !strstr(err.msg, "too large"));
    }
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        assert_int_equal(node_list_read("--nodes", large[i], &l, &err), ST_USAGE);
        assert_true(!l.ranges && strstr(err.msg, "\" is too large: no node has an index above 2147483647"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_ordered_and_merged),
        cmocka_unit_test(members_are_found),
        cmocka_unit_test(others_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
