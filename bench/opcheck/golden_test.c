/* SPDX-License-Identifier: Apache-2.0 */
/* golden_test.c - reading golden outputs, whole and broken. */
#include "lib/testing/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "bench/opcheck/compare.h"
#include "bench/opcheck/golden.h"

static const struct op_case wanted = {.name = "one case"};
static const struct case_ref ref = {.op = &op_table[0], .kernel = "k", .c = &wanted};

/* Reads the case of `ref` from a golden file whose sections are `text`, in which %s is the operator's name. */
static enum status read_text(const char *text, struct case_outputs *out, bool *refused, struct err *err)
{
    char path[] = "/tmp/golden_test.XXXXXX";
    int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    struct golden g;
    enum status st;

    for (const char *p = text; *p; p++)
        if (p[0] == '%' && p[1] == 's') {
            fputs(ref.op->name, f);
            p++;
        } else {
            fputc(*p, f);
        }
    fclose(f);
    st = golden_open(path, &g, err);
    if (!st) {
        *refused = golden_is_refused(&g, &ref);
        st = golden_read(&g, &ref, out, err);
    }
    golden_close(&g);
    remove(path);
    return st;
}

static void numbers_of_every_kind(void **state)
{
    struct case_outputs out;
    struct err err = {{0}};
    bool refused;

    (void)state;
    TEST_OK(
        read_text("# comment\n\ncase %s another\nout 0 INT8 [1]\n9\n\ncase %s one case\nout 0 FLOAT32 [2,2]\n0.25 -1.5\nnan inf\n"
                  "out 1 INT64 [2]\n-9223372036854775808 7\nout 2 BOOL []\n1\nout 3 UINT4 [3]\n1 2 15\n",
                  &out, &refused, &err),
        err);
    assert_false(refused);
    assert_int_equal(out.n, 4);
    assert_int_equal(out.out[0].rank, 2);
    assert_true(output_float(&out.out[0], 1) == -1.5);
    assert_true(isnan(output_float(&out.out[0], 2)) && isinf(output_float(&out.out[0], 3)));
    assert_true(((const int64_t *)out.out[1].data)[0] == INT64_MIN);
    assert_int_equal(out.out[2].rank, 0);
    assert_int_equal(((const uint8_t *)out.out[3].data)[0], 0x21);
    assert_int_equal(((const uint8_t *)out.out[3].data)[1], 0x0f);
    case_outputs_free(&out);
}

static void strings_with_odd_bytes(void **state)
{
    struct case_outputs out;
    struct err err = {{0}};
    bool refused;

    (void)state;
    TEST_OK(read_text("case %s one case\nout 0 STRING [2]\n\"ab\" \"\\x00c\"\n", &out, &refused, &err), err);
    assert_int_equal(out.out[0].bytes, 16 + 4);
    assert_memory_equal((const char *)out.out[0].data + 16, "ab\0c", 4);
    case_outputs_free(&out);
}

static void a_case_that_is_not_there(void **state)
{
    struct case_outputs out;
    struct err err = {{0}};
    struct golden g;
    bool refused;

    (void)state;
    TEST_OK(read_text("case %s one case of many\nout 0 INT8 [1]\n9\n", &out, &refused, &err), err);
    assert_int_equal(out.n, 0);
    TEST_OK(golden_open("/nonexistent/golden.txt", &g, &err), err);
    assert_null(g.text);
}

static void a_refusal_is_no_output(void **state)
{
    struct case_outputs out;
    struct err err = {{0}};
    bool refused;

    (void)state;
    assert_int_equal(read_text("case %s one case\nrefused when run\n", &out, &refused, &err), ST_FAILED);
    assert_true(refused);
    assert_non_null(strstr(err.msg, "TensorFlow Lite refuses it (refused when run)"));
}

static void broken_files_say_where(void **state)
{
    static const struct {
        const char *text, *message;
    } broken[] = {
        {"case %s one case\nout 0 FLOAT32 [3]\n1 2\n", ": expected a number"},
        {"case %s one case\nout 0 FLOAT32 [3\n1 2 3\n", "no type and shape"},
        {"case %s one case\nout 0 NOTHING [1]\n1\n", "no type and shape"},
        {"case %s one case\nout 0 FLOAT32 [1,x]\n1\n", "no shape"},
        {"case %s one case\nout 0 FLOAT32 [9999,999]\n1\n", "more elements than the file"},
        {"case %s one case\nout 0 STRING [1]\n\"ab\n", "expected a quoted string"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        struct case_outputs out;
        struct err err = {{0}};
        bool refused;

        assert_int_not_equal(read_text(broken[i].text, &out, &refused, &err), ST_OK);
        if (!strstr(err.msg, broken[i].message))
            fail_msg("\"%s\" is said to be: %s", broken[i].text, err.msg);
        case_outputs_free(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_every_kind),    cmocka_unit_test(strings_with_odd_bytes),
        cmocka_unit_test(a_case_that_is_not_there), cmocka_unit_test(a_refusal_is_no_output),
        cmocka_unit_test(broken_files_say_where),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
