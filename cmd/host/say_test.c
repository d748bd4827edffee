/* SPDX-License-Identifier: Apache-2.0 */
/* say_test.c - which stream, which prefix, and what never reaches a terminal. */
#include "cmd/host/say.h"
#include "cmd/testing/test_capture.h"

#include <fcntl.h>
#include <unistd.h>

static struct capture out;

static void streams(void **state)
{
    (void)state;
    capture_begin(&out, 1);
    say_info("%d runs", 3);
    say_text("a\tb\n");
    say_warn("not here");
    assert_string_equal(capture_end(&out), "INFO: 3 runs\na\tb\n");
    capture_begin(&out, 2);
    say_info("not here");
    say_warn("hot by %d%%", 5);
    assert_string_equal(capture_end(&out), "WARN: hot by 5%\n");
}

static void errors(void **state)
{
    struct err err;
    int code;

    (void)state;
    capture_begin(&out, 2);
    code = say_error(err_set(&err, ST_NO_GPU, "tensor 'a\nb\033[2J'"), &err);
    assert_string_equal(capture_end(&out), "ERROR: tensor 'a?b?[2J'\n");
    assert_int_equal(code, 3);
}

static void names_in_lines(void **state)
{
    (void)state;
    capture_begin(&out, 1);
    say_info("a\tb\n%s", "c\033[2Jd\x7f");
    assert_string_equal(capture_end(&out), "INFO: a\tb\nc?[2Jd?\n");
    capture_begin(&out, 2);
    say_warn("%s: slow", "x\n\033[2J.json");
    assert_string_equal(capture_end(&out), "WARN: x??[2J.json: slow\n");
}

static void clean(void **state)
{
    char small[4];
    char text[32];

    (void)state;
    assert_string_equal(say_clean("caf\xc3\xa9 \x01\x7f\t!", text, sizeof text), "caf\xc3\xa9 ?\?\?!");
    assert_string_equal(say_clean("abcdef", small, sizeof small), "abc");
}

static void full_disk(void **state)
{
    int saved, full = open("/dev/full", O_WRONLY), code, code_of_failure;

    (void)state;
    if (full < 0)
        skip();
    assert_int_equal(say_finish(0), 0);
    assert_int_equal(say_finish(4), 4);
    capture_begin(&out, 2);
    saved = dup(1);
    fflush(stdout);
    dup2(full, 1);
    say_text("lost");
    code = say_finish(0);
    clearerr(stdout);
    say_text("lost");
    code_of_failure = say_finish(4);
    clearerr(stdout);
    dup2(saved, 1);
    close(saved);
    close(full);
    assert_non_null(strstr(capture_end(&out), "ERROR: standard output: No space left on device\n"));
    assert_int_equal(code, 4);
    assert_int_equal(code_of_failure, 4);
}

/* The last test: nothing turns it off. */
static void json_alone(void **state)
{
    (void)state;
    say_json_only();
    capture_begin(&out, 1);
    say_info("no");
    say_text("no");
    assert_string_equal(capture_end(&out), "");
    capture_begin(&out, 2);
    say_warn("still said");
    assert_string_equal(capture_end(&out), "WARN: still said\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(streams), cmocka_unit_test(names_in_lines), cmocka_unit_test(errors),
        cmocka_unit_test(clean),   cmocka_unit_test(full_disk),      cmocka_unit_test(json_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
