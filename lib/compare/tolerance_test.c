/* SPDX-License-Identifier: Apache-2.0 */
/* tolerance_test.c - which limit is for which tensor, what fails by it, and what is no limit. */
#include "lib/compare/diff.h"
#include "lib/compare/tolerance.h"
#include "lib/testing/test_delegate.h"

#include <math.h>
#include <string.h>

static struct err err;

/* x -> NEG -> ABS -> NEG -> ADD -> y; the model's one output is y. */
struct chain {
    struct loaded l;
    struct session *s;
    const struct graph *g;
};

static struct chain open_chain(void)
{
    const struct session_options opt = {.mode = CPU_REFERENCE};
    struct builder b;
    struct chain c;

    build_chain(&b);
    c.s = load_and_prepare(&b, &opt, &c.l);
    c.g = session_graph(c.s);
    return c;
}

static void close_chain(struct chain *c)
{
    session_free(c->s);
    unload(&c->l);
}

static struct tolerances read(const char *atol, const char *rtol, const char *ulp)
{
    struct tolerances ts = {.preset = "auto", .fail_on = FAIL_ON_MAX};

    TEST_OK(tolerances_add(&ts, TOLERANCE_ATOL, "atol", atol, &err), err);
    TEST_OK(tolerances_add(&ts, TOLERANCE_RTOL, "rtol", rtol, &err), err);
    TEST_OK(tolerances_add(&ts, TOLERANCE_ULP, "max_ulp", ulp, &err), err);
    return ts;
}

static void who_it_is_for(void **state)
{
    struct chain c = open_chain();
    const struct tensor *y = c.g->outputs[0], *abs = c.g->nodes[1].out[0];
    struct tolerances ts = read("1e-3,ADD:2,y:0.5,A?S:7,0:0.25", "*:1e-2", "");
    struct tolerance t;
    char text[128];

    (void)state;
    TEST_OK(tolerances_check(&ts, c.g, true, &err), err);
    t = tolerance_of(&ts, c.g, y, PRECISION_FP32); /* its name and its number before its operator; the later of the two */
    assert_true(t.limited && t.atol == 0.25 && t.rtol == 1e-2 && t.max_ulp < 0 && !t.preset && t.share == 0);
    t = tolerance_of(&ts, c.g, abs, PRECISION_FP32);
    assert_true(t.atol == 7 && t.rtol == 1e-2);
    t = tolerance_of(&ts, c.g, c.g->nodes[0].out[0], PRECISION_FP16);
    assert_true(t.atol == 1e-3 && t.rtol == 1e-2);
    assert_string_equal(tolerance_text(&t, text, sizeof text), "0.001 + 0.01 * |reference|");
    tolerances_free(&ts);
    ts = read("", "", "NEG:3");
    t = tolerance_of(&ts, c.g, c.g->nodes[0].out[0], PRECISION_FP32);
    assert_true(t.atol == 0 && t.max_ulp == 3);
    assert_string_equal(tolerance_text(&t, text, sizeof text), "0 or 3 ULP");
    assert_string_equal(tolerance_of(&ts, c.g, y, PRECISION_FP32).preset, "fp32"); /* of the others nothing was said */
    tolerances_free(&ts);
    close_chain(&c);
}

static void presets(void **state)
{
    struct chain c = open_chain();
    struct tolerances ts = read("", "", "");
    struct tensor t = {.type = TYPE_FLOAT32};
    double fp32 = tolerance_of(&ts, c.g, &t, PRECISION_FP32).share, fp16 = tolerance_of(&ts, c.g, &t, PRECISION_FP16).share;
    char text[128];

    (void)state;
    assert_true(fp32 > 0 && fp16 > fp32);
    ts.preset = "fp32";
    assert_true(tolerance_of(&ts, c.g, &t, PRECISION_FP16).share == fp32);
    t.type = TYPE_INT64; /* places and labels: nothing may differ */
    assert_true(tolerance_of(&ts, c.g, &t, PRECISION_FP16).limited && tolerance_of(&ts, c.g, &t, PRECISION_FP16).atol == 0);
    t.type = TYPE_INT8;
    t.quant.n = 1;
    assert_true(tolerance_of(&ts, c.g, &t, PRECISION_FP32).atol == 1);
    ts.preset = "none";
    assert_false(tolerance_of(&ts, c.g, &t, PRECISION_FP32).limited);
    assert_string_equal(tolerance_text(&(struct tolerance){.max_ulp = -1}, text, sizeof text), "any distance");
    tolerances_free(&ts);
    close_chain(&c);
}

static void no_limits(void **state)
{
    static const char *const bad[] = {"x", "1e-3,", ":1", "a:", "a:-1", "1;2", "nan", "inf", "a:b:c", ",", "1e-3,,2", "0x"};
    struct chain c = open_chain();
    struct tolerances ts = {0};

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(tolerances_add(&ts, TOLERANCE_ATOL, "atol", bad[i], &err), ST_USAGE);
        assert_non_null(strstr(err.msg, "--atol: "));
    }
    tolerances_free(&ts);
    ts = read("z:1", "", "");
    assert_int_equal(tolerances_check(&ts, c.g, true, &err), ST_USAGE);
    assert_string_equal(err.msg, "--atol: the model has neither an output nor an operator 'z'");
    tolerances_free(&ts);
    ts = read("1:1", "", ""); /* there is one output: number 0 */
    assert_int_equal(tolerances_check(&ts, c.g, true, &err), ST_USAGE);
    tolerances_free(&ts);
    assert_int_equal(tolerances_fail_on(&ts, "max,top2", &err), ST_USAGE);
    assert_int_equal(tolerances_fail_on(&ts, "", &err), ST_USAGE);
    assert_int_equal(tolerances_fail_on(&ts, "silent", &err), ST_USAGE);
    TEST_OK(tolerances_fail_on(&ts, "top1, mean", &err), err);
    assert_int_equal(ts.fail_on, FAIL_ON_TOP1 | FAIL_ON_MEAN);
    close_chain(&c);
}

static struct tensor row(float *data, int32_t n)
{
    return (struct tensor){
        .type = TYPE_FLOAT32, .rank = 1, .dim = {n}, .data = data, .bytes = (size_t)n * sizeof *data, .name = ""};
}

static unsigned judge(struct tolerance allowed, float *reference, float *test, int32_t n)
{
    struct diff d = {.allowed = allowed};
    struct tensor a = row(reference, n), b = row(test, n);

    diff_add(&d, &a, &b, false);
    return diff_failed_on(&d);
}

/* Each way to fail by itself, and what is just within. */
static void what_fails(void **state)
{
    float a[] = {1, -2, 4}, b[] = {1.25f, -2, 4}, nan[] = {NAN, -2, 4}, flat[] = {4, 4, 4}, top[] = {1, 4.5f, 4};
    struct tolerance t = {.limited = true, .atol = 0.25, .max_ulp = -1, .fail_on = FAIL_ON_MAX | FAIL_ON_MEAN | FAIL_ON_TOP1};

    (void)state;
    assert_int_equal(judge(t, a, b, 3), 0);
    t.atol = 0.2; /* the mean error is 0.083 */
    assert_int_equal(judge(t, a, b, 3), FAIL_ON_MAX);
    t.atol = 0.05;
    assert_int_equal(judge(t, a, b, 3), FAIL_ON_MAX | FAIL_ON_MEAN);
    t.rtol = 0.2; /* of the element's own 1 */
    assert_int_equal(judge(t, a, b, 3), 0);
    t.atol = t.rtol = 0;
    t.max_ulp = 1 << 21; /* 1 and 1.25 are a quarter of 2^23 apart */
    assert_int_equal(judge(t, a, b, 3), 0);
    t.max_ulp = (1 << 21) - 1;
    assert_int_equal(judge(t, a, b, 3), FAIL_ON_MAX);
    t = (struct tolerance){.limited = true, .share = 0.0625, .max_ulp = -1, .fail_on = FAIL_ON_MAX | FAIL_ON_TOP1};
    assert_int_equal(judge(t, a, b, 3), 0);
    t.share = 0.0624;
    assert_int_equal(judge(t, a, b, 3), FAIL_ON_MAX);
    t.share = 10;
    assert_int_equal(judge(t, a, top, 3), FAIL_ON_TOP1);
    assert_int_equal(judge(t, a, flat, 3), 0); /* a tie is no other choice, and the limit allows it */
    assert_int_equal(judge(t, a, nan, 3), FAIL_ON_NAN);
    assert_int_equal(judge(t, nan, a, 3), FAIL_ON_NAN);
    t = (struct tolerance){.fail_on = FAIL_ON_MAX}; /* any distance: but not this */
    assert_int_equal(judge(t, a, top, 3), 0);
    assert_int_equal(judge(t, a, flat, 3), FAIL_ON_SILENT);
    assert_int_equal(judge(t, flat, a, 3), FAIL_ON_SILENT);
    assert_int_equal(judge(t, flat, flat, 3), 0);
}

/* What a format loses bits of is not off, however large that is beside the reference. */
static void floors(void **state)
{
    struct chain c = open_chain();
    struct tolerances ts = read("", "", "");
    struct tensor t = {.type = TYPE_FLOAT32};
    struct tolerance half = tolerance_of(&ts, c.g, &t, PRECISION_FP16);
    float tiny[] = {8.2e-12f}, zero[] = {0}, normal[] = {0x1p-13f}, nan[] = {NAN};
    struct tensor a = row(tiny, 1), b = row(zero, 1);
    struct diff d = {.allowed = half};
    char text[128];

    (void)state;
    assert_true(half.floor == 0x1p-14 && tolerance_floor(PRECISION_FP32) == 0x1p-126);
    assert_int_equal(judge(half, tiny, zero, 1), 0);
    assert_int_equal(judge(half, zero, tiny, 1), 0);
    assert_int_equal(judge(half, normal, zero, 1), FAIL_ON_MAX);
    assert_int_equal(judge(half, tiny, nan, 1), FAIL_ON_NAN);
    assert_int_equal(judge(tolerance_of(&ts, c.g, &t, PRECISION_FP32), tiny, zero, 1), FAIL_ON_MAX);
    diff_add(&d, &a, &b, false);
    assert_true(diff_relative_bound(&d) == 1 && diff_relative_above(&d, half.floor) == 0 && diff_relative_above(&d, 1e-12) == 1);
    assert_string_equal(diff_allowed_text(&d, text, sizeof text), "6.1e-05, the least normal float16 (preset fp16)");
    tolerances_free(&ts);
    ts = read("1e-13", "", ""); /* what the user says holds */
    assert_int_equal(judge(tolerance_of(&ts, c.g, &t, PRECISION_FP16), tiny, zero, 1), FAIL_ON_MAX);
    tolerances_free(&ts);
    close_chain(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_it_is_for), cmocka_unit_test(presets), cmocka_unit_test(no_limits),
        cmocka_unit_test(what_fails),    cmocka_unit_test(floors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
