/* SPDX-License-Identifier: Apache-2.0 */
/* wrap_test.c - where lines break, and what is no column. */
#include "cmd/host/wrap.h"

#include <stdlib.h>

#include "lib/testing/test.h"

static char *made;

static const char *wrapped(const char *line, unsigned columns, unsigned indent)
{
    size_t n;
    FILE *to;

    free(made);
    assert_non_null(to = open_memstream(&made, &n));
    wrap_line(to, line, columns, indent);
    fclose(to);
    return made;
}

static void breaks(void **state)
{
    (void)state;
    assert_string_equal(wrapped("one two three", 0, 2), "one two three\n");
    assert_string_equal(wrapped("one two three", 13, 2), "one two three\n");
    assert_string_equal(wrapped("one two three", 12, 2), "one two\n  three\n");
    assert_string_equal(wrapped("one two three", 5, 0), "one\ntwo\nthree\n");
    assert_string_equal(wrapped("  a-long-word is", 6, 4), "  a-long-word\n    is\n");
    assert_string_equal(wrapped("", 6, 4), "\n");
    assert_string_equal(wrapped("row   1.5  95 % to 7  slower", 18, 2), "row   1.5\n  95 % to 7\n  slower\n");
    assert_string_equal(wrapped("a   of a sentence", 12, 4), "a   of a\n    sentence\n");
    assert_string_equal(wrapped("a b", 1, 9), "a\n         b\n");
}

static void no_columns(void **state)
{
    (void)state;
    assert_string_equal(wrapped("\033[31mone two\033[0m", 7, 2), "\033[31mone two\033[0m\n");
    assert_string_equal(wrapped("caf\xc3\xa9 \xe2\x88\x9e", 6, 2), "caf\xc3\xa9 \xe2\x88\x9e\n");
    assert_string_equal(wrapped("a\tb c d e f", 4, 2), "a\tb c d e f\n");
    assert_string_equal(wrapped("== a b ==", 4, 2), "== a b ==\n");
}

static void lines(void **state)
{
    size_t n;
    FILE *to;

    (void)state;
    free(made);
    assert_non_null(to = open_memstream(&made, &n));
    wrap_lines(to, "  one two\n\nthree four", 6);
    fclose(to);
    assert_string_equal(made, "  one\n      two\n\nthree\n    four\n");
    free(made);
    made = NULL;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(breaks), cmocka_unit_test(no_columns), cmocka_unit_test(lines)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
