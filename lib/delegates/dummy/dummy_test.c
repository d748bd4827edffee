/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_test.c - the dummy delegate: right where nothing is planted, wrong in the way that was asked for, failing when told to. */
#include <math.h>

#include "lib/base/clock.h"
#include "lib/delegate/delegate.h"
#include "lib/session/session.h"
#include "lib/testing/test_files.h"
#include "lib/testing/test_model.h"

static struct err err;
static char times_dir[64];

/* x[1,4,4,2] -> CONV_2D 3x3 SAME of ones -> a[1,4,4,2] -> ADD(a, x) -> b -> NEG -> y, and b is an output too. */
static void build_net(struct builder *b)
{
    const struct opt_conv_2d conv = {
        .padding = PAD_SAME, .stride_width = 1, .stride_height = 1, .dilation_width_factor = 1, .dilation_height_factor = 1};
    float filter[36], bias[2] = {0, 1};
    int32_t x, w, z, a, s, y;

    for (int i = 0; i < 36; i++)
        filter[i] = 1;
    builder_init(b, "net");
    x = build_tensor(b, "x", TYPE_FLOAT32, SHAPE(1, 4, 4, 2));
    w = build_const(b, "w", TYPE_FLOAT32, SHAPE(2, 3, 3, 2), filter);
    z = build_const(b, "z", TYPE_FLOAT32, SHAPE(2), bias);
    a = build_tensor(b, "a", TYPE_FLOAT32, SHAPE(1, 4, 4, 2));
    s = build_tensor(b, "b", TYPE_FLOAT32, SHAPE(1, 4, 4, 2));
    y = build_tensor(b, "y", TYPE_FLOAT32, SHAPE(1, 4, 4, 2));
    build_op(b, BUILTIN_CONV_2D, 1, &conv, INDICES(x, w, z), INDICES(a));
    build_op(b, BUILTIN_ADD, 1, NULL, INDICES(a, x), INDICES(s));
    build_op(b, BUILTIN_NEG, 1, NULL, INDICES(s), INDICES(y));
    build_inputs(b, INDICES(x));
    build_outputs(b, INDICES(y, s));
}

struct net {
    struct delegate *delegate;
    struct loaded l;
    struct session *s;
};

static enum status open_net(struct net *n, const char *options)
{
    const struct {
        const char *options;
    } opt = {options};
    struct builder b;
    enum status st;

    *n = (struct net){0};
    build_net(&b);
    n->l = load(&b);
    if ((st = delegate_find("dummy")->open(&opt, &n->delegate, &err)) ||
        (st = session_new(n->l.model, &(struct session_options){.delegates = {n->delegate}}, &n->s, &err)))
        return st;
    return session_prepare(n->s, &err);
}

static void close_net(struct net *n)
{
    session_free(n->s);
    delegate_close(n->delegate);
    unload(&n->l);
}

/* Runs it on x = 1, 2, .. 32, times `times`; the outputs. */
static const float *run_net(struct net *n, float times, uint32_t output)
{
    float *x = session_input(n->s, 0)->data;

    for (int i = 0; i < 32; i++)
        x[i] = times * (float)(i + 1);
    TEST_OK(session_run(n->s, &err), err);
    return session_output(n->s, output)->data;
}

/* The pixel's window of x = 1, 2, .. 32, both channels, moved up and left by `early`. */
static float window(int pixel, int early)
{
    const int top = pixel / 4 - 1 - early, left = pixel % 4 - 1 - early;
    float sum = 0;

    for (int h = top; h < top + 3; h++)
        for (int w = left; w < left + 3; w++)
            if (h >= 0 && h < 4 - early && w >= 0 && w < 4 - early)
                sum += (float)(2 * (8 * h + 2 * w) + 3);
    return sum;
}

static float conv(int i, int early)
{
    return window(i / 2, early) + (float)(i % 2);
}

static void right_where_nothing_is_planted(void **state)
{
    struct net n;

    (void)state;
    TEST_OK(open_net(&n, ""), err);
    assert_int_equal(session_partitioning(n.s)->n_delegated, 3);
    assert_string_equal(n.delegate->device, "the CPU's kernels, nothing planted");
    for (int run = 1; run < 3; run++) {
        const float *sum = run_net(&n, (float)run, 1), *y = session_output(n.s, 0)->data;

        for (int i = 0; i < 32; i++) {
            assert_float_equal(sum[i], (float)run * (window(i / 2, 0) + (float)i + 1) + (float)(i % 2), 1e-3);
            assert_float_equal(y[i], -sum[i], 0);
        }
    }
    close_net(&n);
}

/* What the sum of output 1 is with the fault, the first run and another. */
static void expect_sums(const char *options, float (*first)(int i), float (*second)(int i))
{
    struct net n;

    TEST_OK(open_net(&n, options), err);
    for (int run = 0; run < 2; run++) {
        const float *sum = run_net(&n, 1, 1);

        for (int i = 0; i < 32; i++) {
            const float want = run ? second(i) : first(i);

            if (isfinite(want))
                assert_float_equal(sum[i], want, 1e-3);
            else
                assert_true(isnan(want) ? isnan(sum[i]) : sum[i] == want);
        }
    }
    close_net(&n);
}

static float right(int i)
{
    return conv(i, 0) + (float)i + 1;
}

static float padded(int i)
{
    return conv(i, 1) + (float)i + 1;
}

static float not_a_number(int i)
{
    return i ? right(i) : NAN;
}

static float swapped(int i)
{
    return conv(i ^ 1, 0) + (float)i + 1;
}

static float nothing(int i)
{
    (void)i;
    return 0;
}

static float first_operand(int i)
{
    return conv(i, 0);
}

static float more(int i)
{
    return right(i) + 0.5f;
}

static void each_fault(void **state)
{
    (void)state;
    expect_sums("plant:padding@0", padded, padded);
    expect_sums("plant=nan@1", not_a_number, not_a_number);
    expect_sums("plant:swap@CONV_2D", swapped, swapped);
    expect_sums("plant:stale@b", nothing, right); /* by the name of the output */
    expect_sums("plant:alias@ADD", first_operand, first_operand);
    expect_sums("plant:offset=0.5@ADD;plant:nan@2", more, more);
}

static void overflow(void **state)
{
    const float *y;
    struct net n;
    float largest = 0;

    (void)state;
    TEST_OK(open_net(&n, "plant:overflow@ADD"), err);
    y = run_net(&n, 1, 1);
    for (int i = 0; i < 32; i++)
        largest = fmaxf(largest, right(i));
    for (int i = 0; i < 32; i++) {
        if (right(i) == largest)
            assert_true(isinf(y[i]));
        else
            assert_float_equal(y[i], right(i), right(i) / 2048);
    }
    close_net(&n);
}

static void expect_refusal(const char *options, enum status st, const char *message)
{
    struct net n;

    assert_int_equal(open_net(&n, options), st);
    assert_string_equal(err.msg, message);
    close_net(&n);
}

/* Of ADD, CONV_2D and so on nodes 1 and 2 are in the part, in the other order. */
static void options_of_a_part(void **state)
{
    static const struct {
        const char *whole, *part;
    } cases[] = {
        {"plant:nan@1", "plant:nan@1"},
        {"plant=offset=0.5@2;leak:64", "plant=offset=0.5@0;leak:64"},
        {"plant:nan@0;plant:nan@NEG", "plant:nan@NEG"},
        {"ops:ADD;plant:nan@nowhere", "ops:ADD"},
        {"plant:nan@0", ""},
        {"fail:init", "fail:init"},
    };
    static const uint32_t numbers[] = {UINT32_MAX, 1, 0};
    struct arena a = {0};
    struct net n;

    (void)state;
    TEST_OK(open_net(&n, ""), err);
    assert_int_equal(session_graph(n.s)->n_nodes, 3);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *options = cases[i].whole;

        TEST_OK(delegate_find("dummy")->options_of_part(&options, session_graph(n.s), numbers, &a, &err), err);
        assert_string_equal(options, cases[i].part);
    }
    arena_free(&a);
    close_net(&n);
}

static void what_cannot_be_planted(void **state)
{
    (void)state;
    expect_refusal("plant:nan@3", ST_USAGE, "--dummy_delegate_options: nothing to plant: the delegate takes no node 3");
    expect_refusal("ops:NEG;plant:nan@ADD", ST_USAGE, "--dummy_delegate_options: nothing to plant: the delegate takes no node ADD");
    expect_refusal(
        "plant:alias@2", ST_USAGE,
        "--dummy_delegate_options: node 2 NEG(FLOAT32[1,4,4,2]): the fault alias cannot be planted here: it is no ADD of two "
        "tensors of one shape");
    expect_refusal(
        "plant:padding@1", ST_USAGE,
        "--dummy_delegate_options: node 1 ADD(FLOAT32[1,4,4,2], FLOAT32[1,4,4,2]): the fault padding cannot be planted here: it "
        "is no convolution");
    expect_refusal("plant:nosuch@1", ST_USAGE,
                   "--dummy_delegate_options: plant:nosuch@1: a fault is FAULT@NODE, FAULT one of padding, overflow, nan, swap, "
                   "stale, offset=NUMBER, race=RUNS, pad_rows, pow_zero, mixed_ranks, sum_nan, fc_rows, div_lanes, "
                   "matmul_heads, matmul_mask, matmul_adj, alias, relu_n1_zero, gelu_nan, mul_channel, NODE an index, an "
                   "operator or the name of a node's first output");
    expect_refusal("plant:offset@1", ST_USAGE, "--dummy_delegate_options: plant:offset@1: offset takes a number: offset=0.5@3");
    expect_refusal("plant:nan=1@1", ST_USAGE, "--dummy_delegate_options: plant:nan=1@1: nan takes no number");
    expect_refusal("fail:claim", ST_USAGE,
                   "--dummy_delegate_options: fail:claim: it can fail at init, prepare, invoke or, the fourth time, invoke@4");
    expect_refusal("fail:invoke@0", ST_USAGE,
                   "--dummy_delegate_options: fail:invoke@0: it can fail at init, prepare, invoke or, the fourth time, invoke@4");
}

static void nodes_that_it_takes(void **state)
{
    struct net n;

    (void)state;
    TEST_OK(open_net(&n, "ops:CONV_2D,NEG;refuse:NEG"), err);
    assert_int_equal(session_partitioning(n.s)->n_delegated, 1);
    assert_int_equal(session_partitioning(n.s)->reasons[1].code, REASON_UNSUPPORTED_OPERATOR);
    assert_int_equal(session_partitioning(n.s)->reasons[2].code, REASON_DRIVER);
    assert_float_equal(run_net(&n, 1, 1)[5], right(5), 1e-3);
    close_net(&n);
}

static void failures_as_told(void **state)
{
    struct net n;

    (void)state;
    expect_refusal("fail:init", ST_FAILED, "dummy delegate: init fails, as --dummy_delegate_options asks");
    expect_refusal("fail:prepare", ST_FAILED, "dummy delegate: prepare fails, as --dummy_delegate_options asks");
    TEST_OK(open_net(&n, "fail:invoke"), err);
    assert_int_equal(session_run(n.s, &err), ST_FAILED);
    assert_string_equal(err.msg, "dummy delegate: invoke fails, as --dummy_delegate_options asks");
    close_net(&n);
}

static enum status open_times(struct net *n, const char *text)
{
    char options[96];

    write_below(times_dir, "/us", text);
    snprintf(options, sizeof options, "times:%s/us", times_dir);
    return open_net(n, options);
}

/* What passed, less what is none of the model's, is what it tells; shorter times than those that passed, and longer ones. */
static void times_as_told(void **state)
{
    static const double told[] = {5e8, 0.001, 250000, 5e8};
    struct net n;

    (void)state;
    make_temp_dir(times_dir);
    assert_int_equal(open_times(&n, "5e8\n0.001\r\n250000\n"), ST_OK);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        const uint64_t begin = clock_ns();
        double us, own;

        TEST_OK(session_run(n.s, &err), err);
        us = (double)(int64_t)(clock_ns() - begin - session_outside_ns(n.s)) / 1e3;
        own = (double)(clock_ns() - begin) / 1e3;
        assert_true(us >= told[i] - 0.002 && us <= told[i] + own);
    }
    close_net(&n);
    assert_int_equal(open_times(&n, "5\n-1\n"), ST_USAGE);
    assert_non_null(strstr(err.msg, "line 2 is no number of microseconds above 0 and up to 1e+09: -1"));
    close_net(&n);
    assert_int_equal(open_times(&n, ""), ST_USAGE);
    close_net(&n);
    assert_int_equal(open_net(&n, "times:/nowhere/us"), ST_IO);
    close_net(&n);
    remove_tree(times_dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_where_nothing_is_planted),
        cmocka_unit_test(each_fault),
        cmocka_unit_test(overflow),
        cmocka_unit_test(what_cannot_be_planted),
        cmocka_unit_test(options_of_a_part),
        cmocka_unit_test(nodes_that_it_takes),
        cmocka_unit_test(failures_as_told),
        cmocka_unit_test(times_as_told),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
