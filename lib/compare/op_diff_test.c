/* SPDX-License-Identifier: Apache-2.0 */
/* op_diff_test.c - which node is to blame, in the chain y = -|x| - x of four nodes, one of which is wrong as told. */
#include "lib/compare/op_alone.h"
#include "lib/compare/op_diff.h"
#include "lib/testing/test_delegate.h"

#include <math.h>

static struct err err;

struct pair {
    struct loaded l;
    struct fake fake;
    struct session *reference, *test;
    struct op_alone alone;
    struct op_diffs ops;
};

static struct session *open_one(const struct model *m, struct delegate *d)
{
    struct session_options opt = {.mode = CPU_REFERENCE, .delegates = {d}, .keep_intermediates = true};
    struct session *s;

    TEST_OK(session_new(m, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

/* The test side takes the operators named, and is off by `by` in the first element after those called `off`. */
static void open_pair(struct pair *p, const char *takes, const char *off, float by)
{
    struct builder b;

    *p = (struct pair){.fake = fake_delegate(takes)};
    p->fake.off = off;
    p->fake.by = by;
    build_chain(&b);
    p->l = load(&b);
    p->reference = open_one(p->l.model, NULL);
    p->test = open_one(p->l.model, &p->fake.base);
    TEST_OK(op_alone_open(&p->alone, p->reference, &(struct session_options){0}, &err), err);
    TEST_OK(op_diffs_init(&p->ops, p->reference, p->test, &err), err);
}

static void close_pair(struct pair *p)
{
    op_diffs_free(&p->ops);
    op_alone_free(&p->alone);
    session_free(p->reference);
    session_free(p->test);
    unload(&p->l);
}

/* The reference after the run of x = first, first + 1, ... */
static enum status play(void *arg, uint32_t first, struct err *e)
{
    struct pair *p = arg;
    float *x = session_input(p->reference, 0)->data;

    for (int i = 0; i < LEN; i++)
        x[i] = (float)(int32_t)first + (float)i;
    return session_run(p->reference, e);
}

/* Run number r is play(r), of x from r on as a signed number; the test side is off by `by`. */
static void run(struct pair *p, uint32_t r, float by)
{
    p->fake.by = by;
    TEST_OK(play(p, r, &err), err);
    TEST_OK(session_set_input(p->test, 0, session_input(p->reference, 0)->data, LEN * sizeof(float), &err), err);
    TEST_OK(session_run(p->test, &err), err);
    op_diffs_add(&p->ops);
    TEST_OK(op_alone_run(&p->alone, &p->ops, &err), err);
}

static void nobody_is_to_blame(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " NEG ABS ADD ", NULL, 0);
    run(&p, 0, 0);
    op_diffs_judge(&p.ops);
    assert_null(op_diffs_first_drift(&p.ops, -1));
    assert_null(op_diffs_worst(&p.ops));
    for (int i = 0; i < 4; i++)
        assert_true(p.ops.ops[i].ran_alone && !p.ops.ops[i].off && p.ops.ops[i].rounding == 0);
    close_pair(&p);
}

/* Wrong is ABS, which lies within the partition: what can be seen is wrong from its end on; alone, ABS is found. */
static void where_it_starts(void **state)
{
    const struct op_diff *abs;
    struct pair p;

    (void)state;
    open_pair(&p, " NEG ABS ADD ", "ABS", 0);
    abs = &p.ops.ops[1];
    run(&p, 0, 1);
    run(&p, 1, 2);
    run(&p, 2, 0); /* not wrong each time */
    assert_int_equal(p.ops.n, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(p.ops.ops[i].visible, i == 3);
    op_diffs_judge(&p.ops);
    assert_ptr_equal(op_diffs_first_drift(&p.ops, -1), &p.ops.ops[3]);
    assert_ptr_equal(op_diffs_worst(&p.ops), abs);
    assert_true(abs->alone.max_abs == 2 && abs->alone.comparisons == 3 && abs->worst_run == 1);
    assert_float_equal(abs->rounding, 2 / (2 * 0x1p-24 * 7), 1); /* |x| goes up to 7; an element is read for each made */
    assert_int_equal(p.ops.ops[3].alone.different, 0);           /* given the reference's inputs, ADD is right */
    close_pair(&p);
}

static void what_it_adds(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " NEG ABS ADD ", "ABS", 0);
    run(&p, 0, 1);
    run(&p, 1, 2);
    op_diffs_judge(&p.ops);
    p.fake.by = 2;
    TEST_OK(op_alone_rank(&p.alone, &p.ops, play, &p, &err), err);
    assert_true(p.ops.ops[1].ranked && !p.ops.ops[0].ranked && !p.ops.ops[3].ranked);
    assert_float_equal(p.ops.ops[1].adds, 2.0 / 12, 1e-6); /* of run 1, where y goes down to -2 * 6 */
    close_pair(&p);
    open_pair(&p, " NEG ABS ADD ", "NEG", 0);
    run(&p, 3, NAN);
    op_diffs_judge(&p.ops);
    TEST_OK(op_alone_rank(&p.alone, &p.ops, play, &p, &err), err);
    for (int i = 0; i < 4; i++)
        assert_true(p.ops.ops[i].off == (i % 2 == 0) && (i % 2 || (isinf(p.ops.ops[i].rounding) && isinf(p.ops.ops[i].adds))));
    assert_ptr_equal(op_diffs_worst(&p.ops), &p.ops.ops[0]);
    close_pair(&p);
}

/* Two are off: the one that does more to the output is to blame, though it comes later. */
static void who_adds_more(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " NEG ABS ADD ", NULL, 0);
    run(&p, 0, 0);
    p.ops.ops[1] = (struct op_diff){.off = true, .ranked = true, .adds = 0.1};
    p.ops.ops[2] = (struct op_diff){.off = true, .ranked = true, .adds = 0.2};
    p.ops.ops[3] = (struct op_diff){.off = false, .ranked = true, .adds = 0.3};
    assert_ptr_equal(op_diffs_worst(&p.ops), &p.ops.ops[2]);
    p.ops.ops[3].adds = 3; /* rounding, but much of it: the others are not to blame */
    assert_null(op_diffs_worst(&p.ops));
    assert_ptr_equal(op_diffs_adds_most(&p.ops), &p.ops.ops[3]);
    p.ops.ops[1] = p.ops.ops[2] = (struct op_diff){0};
    p.ops.ops[0] = (struct op_diff){.off = true}; /* nobody knows how little it adds */
    assert_ptr_equal(op_diffs_worst(&p.ops), &p.ops.ops[0]);
    close_pair(&p);
}

/* An error of k units of float16 is rounding where the delegate stores such floats, and no more beyond OP_DIFF_ROUNDING; the terms
 * of ADD(c, a) are |c| + |a|, of NEG and ABS their operand. */
static void what_rounding_explains(void **state)
{
    struct pair p;

    (void)state;
    for (int half = 0; half < 2; half++) {
        open_pair(&p, " NEG ABS ADD ", "ADD", 0);
        p.fake.base.precision.stored = half ? "float16" : NULL;
        run(&p, (uint32_t)-6, (float)(0.9 * OP_DIFF_ROUNDING * 12 * 0x1p-11));
        op_diffs_judge(&p.ops);
        assert_int_equal(p.ops.ops[3].off, !half);
        assert_float_equal(p.ops.ops[3].terms, 12, 0);
        if (half)
            assert_float_equal(p.ops.ops[3].rounding, 0.9 * OP_DIFF_ROUNDING, 0.01);
        run(&p, (uint32_t)-6, (float)(1.1 * OP_DIFF_ROUNDING * 12 * 0x1p-11));
        op_diffs_judge(&p.ops);
        assert_true(p.ops.ops[3].off);
        close_pair(&p);
    }
}

/* Terms rounded to 16 bits are off by as much as their sum may be, and 16-bit sums by more, the longer they are; of ADD(c, a) there
 * is one. */
static void sums_of_32_bits_explain_less(void **state)
{
    static const char *const sums[] = {"float32", "float16"};
    double rounding[3];
    struct pair p;

    (void)state;
    for (int i = 0; i < 3; i++) {
        open_pair(&p, " NEG ABS ADD ", "ADD", 0);
        p.fake.base.precision.stored = "float16";
        p.fake.base.precision.arithmetic = i ? "float16" : "float32";
        p.fake.base.precision.sums = sums[i / 2];
        run(&p, (uint32_t)-6, (float)(12 * 0x1p-11));
        op_diffs_judge(&p.ops);
        rounding[i] = p.ops.ops[3].rounding;
        close_pair(&p);
    }
    assert_float_equal(rounding[0], 1, 0.01);
    assert_float_equal(rounding[1], 0.5, 0.01);
    assert_float_equal(rounding[2], 0.5, 0.01);
}

/* A half below 2^-14 may become 0: values that are all as small are off by all of it. */
static void what_is_too_small(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " ABS ", "ABS", 0);
    p.fake.base.precision.stored = "float16";
    run(&p, 0, 0.9f * 0x1p-14f);
    p.ops.ops[1].terms = p.ops.ops[1].alone.max_reference = 0x1p-14; /* as if */
    op_diffs_judge(&p.ops);
    assert_false(p.ops.ops[1].off);
    p.fake.base.precision.stored = "float32";
    op_diffs_judge(&p.ops);
    assert_true(p.ops.ops[1].off);
    close_pair(&p);
}

/* What the CPU made is visible and is not run again. */
static void nodes_of_the_cpu(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " ABS ", "ABS", 0);
    run(&p, 0, 1);
    op_diffs_judge(&p.ops);
    for (int i = 0; i < 4; i++)
        assert_true(p.ops.ops[i].visible && p.ops.ops[i].partition == (i == 1 ? 0 : -1) && p.ops.ops[i].ran_alone == (i == 1));
    assert_ptr_equal(op_diffs_first_drift(&p.ops, 0.1), &p.ops.ops[1]);
    assert_null(op_diffs_first_drift(&p.ops, 1.1));
    close_pair(&p);
}

static bool at_once(void)
{
    return true;
}

static void failures_and_stops(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " ABS ", NULL, 0);
    p.alone.stop = at_once;
    run(&p, 0, 0);
    assert_false(p.ops.ops[1].ran_alone);
    p.alone.stop = NULL;
    p.fake.fail_invoke = true;
    assert_int_equal(op_alone_run(&p.alone, &p.ops, &err), ST_FAILED);
    assert_string_equal(err.msg, "node 1 ABS(FLOAT32[6]): invoke fails as told");
    close_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_is_to_blame),     cmocka_unit_test(where_it_starts),
        cmocka_unit_test(what_it_adds),           cmocka_unit_test(who_adds_more),
        cmocka_unit_test(what_rounding_explains), cmocka_unit_test(sums_of_32_bits_explain_less),
        cmocka_unit_test(nodes_of_the_cpu),       cmocka_unit_test(what_is_too_small),
        cmocka_unit_test(failures_and_stops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
