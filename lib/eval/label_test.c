/* SPDX-License-Identifier: Apache-2.0 */
/* label_test.c - label files as people write them, names that stand twice, and offsets. */
#include "lib/eval/label.h"
#include "lib/testing/test.h"

static struct err err;

static struct label_lines split(const char *text, bool dense, struct arena *a)
{
    struct label_lines lines;

    TEST_OK(label_split(text, strlen(text), dense, "labels.txt", a, &lines, &err), err);
    return lines;
}

static void lines_of_files(void **state)
{
    struct arena a = {0};
    struct label_lines l;

    (void)state;
    l = split("\xef\xbb\xbf"
              "a\r\n  b c \r\n\r\nd\n\n \n",
              false, &a);
    assert_int_equal(l.n, 4);
    assert_string_equal(l.line[0], "a");
    assert_string_equal(l.line[1], "b c");
    assert_string_equal(l.line[2], "");
    assert_string_equal(l.line[3], "d");
    assert_int_equal(split("3\n\n5", true, &a).n, 2);
    assert_int_equal(split("", false, &a).n, 0);
    assert_int_equal(split("\n\n", false, &a).n, 0);
    assert_int_equal(label_split("a\0b", 3, false, "labels.txt", &a, &l, &err), ST_USAGE);
    assert_string_equal(err.msg, "labels.txt is no text: it has a zero byte");
    arena_free(&a);
}

static void names(void **state)
{
    struct arena a = {0};
    struct label_lines l = split("crane\nzebra\n\ncrane\nant", false, &a);
    struct label_space s;
    char name[LABEL_NAME_SIZE];
    uint32_t i;

    (void)state;
    TEST_OK(label_space_init(&s, 5, &l, 0, "labels.txt", &a, &err), err);
    assert_int_equal(s.n_named, 4);
    assert_true(label_find(&s, "crane", &i) && i == 0);
    assert_true(label_find(&s, "ant", &i) && i == 4);
    assert_true(label_find(&s, "zebra", &i) && i == 1);
    assert_false(label_find(&s, "", &i) || label_find(&s, "cran", &i) || label_find(&s, "zebras", &i));
    assert_true(s.same[3] == 0 && s.same[0] == 0 && s.same[4] == 4 && s.same[2] == 2);
    assert_string_equal(label_name(&s, 3, name), "crane");
    assert_string_equal(label_name(&s, 2, name), "2");
    arena_free(&a);
}

static void offsets(void **state)
{
    struct arena a = {0};
    struct label_lines l = split("a\nb", false, &a);
    struct label_space s;
    uint32_t i;

    (void)state;
    assert_int_equal(label_space_init(&s, 3, &l, 0, "labels.txt", &a, &err), ST_USAGE);
    assert_string_equal(err.msg, "labels.txt: 2 labels, where the model has 3 classes (if its class 0 is a background without a "
                                 "label: --model_labels_offset=1)");
    TEST_OK(label_space_init(&s, 3, &l, 1, "labels.txt", &a, &err), err);
    assert_true(!s.name[0] && label_find(&s, "b", &i) && i == 2);
    assert_int_equal(label_space_init(&s, 9, &l, 1, "labels.txt", &a, &err), ST_USAGE);
    TEST_OK(label_space_init(&s, 1, &l, -1, "labels.txt", &a, &err), err);
    assert_true(label_find(&s, "b", &i) && i == 0 && !label_find(&s, "a", &i));
    TEST_OK(label_space_init(&s, 3, NULL, 0, "labels.txt", &a, &err), err);
    assert_true(label_number(&s, "2", 0, &i) && i == 2 && label_number(&s, "1", 1, &i) && i == 2);
    assert_false(label_number(&s, "3", 0, &i) || label_number(&s, "2", 1, &i) || label_number(&s, "0", -1, &i) ||
                 label_number(&s, "x", 0, &i) || label_number(&s, "", 0, &i) || label_number(&s, "1.5", 0, &i));
    arena_free(&a);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(lines_of_files), cmocka_unit_test(names), cmocka_unit_test(offsets)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
