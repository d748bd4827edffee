/* SPDX-License-Identifier: Apache-2.0 */
/* markdown_test.c - a span of code shows what it is given, and nothing of that ends it. */
#include "cmd/print/markdown.h"
#include "lib/testing/test.h"

#include <stdlib.h>

static void expect_as(void (*put)(FILE *, const char *), const char *text, const char *wanted)
{
    size_t bytes;
    char *got;
    FILE *to = open_memstream(&got, &bytes);

    assert_non_null(to);
    put(to, text);
    assert_int_equal(fclose(to), 0);
    assert_string_equal(got, wanted);
    free(got);
}

static void expect(const char *text, const char *wanted)
{
    expect_as(markdown_code, text, wanted);
}

static void spans(void **state)
{
    (void)state;
    expect("CONV_2D", "`CONV_2D`");
    expect("a|b @you [x](http://y) <img>", "`a|b @you [x](http://y) <img>`");
    expect_as(markdown_cell, "a|b|", "`a\\|b\\|`");
    expect("``", "``` `` ```");
    expect("a`b", "`` a`b ``");
    expect(" x", "`  x `");
    expect("", "`\"\"`");
    expect("a\nb\tc\x1b\xff", "`a b c\xef\xbf\xbd\xef\xbf\xbd`");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(spans)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
