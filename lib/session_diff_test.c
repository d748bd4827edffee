/* SPDX-License-Identifier: Apache-2.0 */
/* session_diff_test.c - two sessions of one model, the second one wrong by as much as it is told to be. */
#include "session_diff.h"
#include "op_diff.h"
#include "test_delegate.h"

#include <math.h>

struct pair {
    struct loaded l;
    struct fake fake;
    struct session *reference, *test, *alone;
    struct session_diff diff;
    struct op_diffs ops;
};

static struct err err;

static struct session *open_one(const struct model *m, struct delegate *d)
{
    struct session_options opt = {.mode = CPU_REFERENCE, .delegates = {d}, .keep_intermediates = true};
    struct session *s;

    TEST_OK(session_new(m, &opt, &s, &err), err);
    TEST_OK(session_prepare(s, &err), err);
    return s;
}

/* The test side takes the operators named, and is off by `by` after those called `off`. */
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
    p->alone = open_one(p->l.model, NULL);
    TEST_OK(session_diff_init(&p->diff, p->reference, p->test, 3, &err), err);
    TEST_OK(op_diffs_init(&p->ops, p->reference, p->test, &err), err);
}

static void close_pair(struct pair *p)
{
    op_diffs_free(&p->ops);
    session_diff_free(&p->diff);
    session_free(p->reference);
    session_free(p->test);
    session_free(p->alone);
    unload(&p->l);
}

static void run(struct pair *p, float first)
{
    float *x = session_input(p->reference, 0)->data;

    for (int i = 0; i < LEN; i++)
        x[i] = first + (float)i;
    TEST_OK(session_diff_copy_inputs(&p->diff, &err), err);
    assert_memory_equal(session_input(p->test, 0)->data, x, LEN * sizeof *x);
    TEST_OK(session_run(p->reference, &err), err);
    TEST_OK(session_run(p->test, &err), err);
    session_diff_add(&p->diff);
    op_diffs_add(&p->ops);
}

static void equal_sides(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " NEG ", NULL, 0);
    run(&p, -2);
    TEST_OK(session_diff_finish(&p.diff, &err), err);
    assert_int_equal(session_diff_failed_on(&p.diff), 0);
    assert_int_equal(p.diff.outputs[0].raw.elems, LEN);
    assert_false(p.diff.outputs[0].is_quantized);
    assert_null(op_diffs_first_off(&p.ops, 0));
    assert_null(op_diffs_first_off_alone(&p.ops, 0));
    close_pair(&p);
}

static void figures_over_runs(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " ADD ", "ADD", 0.6f);
    run(&p, 1);
    p.fake.by = 0.3f;
    run(&p, 5);
    TEST_OK(session_diff_finish(&p.diff, &err), err);
    assert_int_equal(p.diff.runs, 2);
    assert_float_equal(p.diff.outputs[0].run_error[0], 0.6 / LEN, 1e-6);
    assert_float_equal(p.diff.outputs[0].run_error[1], 0.3 / LEN, 1e-6);
    assert_float_equal(p.diff.outputs[0].error.avg, 0.45 / LEN, 1e-6);
    assert_true(p.diff.outputs[0].raw.worst_comparison == 0 && p.diff.outputs[0].raw.different == 2);
    assert_int_equal(session_diff_failed_on(&p.diff), 0); /* nothing was demanded */
    assert_int_equal(p.diff.outputs[0].changed, 1);
    assert_int_equal(p.diff.outputs[0].stale, 0);
    close_pair(&p);
}

/* The last of several invocations may be right where the first was not. */
static void first_invocations(void **state)
{
    const struct tolerance allowed = {.limited = true, .atol = 0.5, .max_ulp = -1, .fail_on = FAIL_ON_MAX};
    struct pair p;

    (void)state;
    open_pair(&p, " ADD ", "ADD", 0.6f);
    session_diff_allow(&p.diff, 0, &allowed);
    run(&p, 1);
    assert_int_equal(session_diff_failed_on(&p.diff), FAIL_ON_MAX);
    close_pair(&p);
    open_pair(&p, " ADD ", "ADD", 0);
    session_diff_allow(&p.diff, 0, &allowed);
    run(&p, 1);
    assert_int_equal(session_diff_failed_on(&p.diff), 0);
    p.fake.by = 0.6f;
    TEST_OK(session_run(p.test, &err), err);
    session_diff_add_first(&p.diff);
    assert_int_equal(session_diff_failed_on(&p.diff), FAIL_ON_MAX);
    assert_true(p.diff.outputs[0].raw.max_abs == 0 && p.diff.runs == 1);
    close_pair(&p);
}

/* The same bits again and again, whatever the input: no distance tells that from a bad approximation. */
static void stale_outputs(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " ADD ", NULL, 0);
    run(&p, 1);
    run(&p, 2);
    assert_true(p.diff.outputs[0].changed == 1 && p.diff.outputs[0].stale == 0);
    session_diff_add(&p.diff); /* nothing ran: neither side has changed */
    assert_true(p.diff.outputs[0].changed == 1 && p.diff.outputs[0].stale == 0);
    close_pair(&p);
    open_pair(&p, " ADD ", NULL, 0);
    for (int i = 0; i < 3; i++) {
        run(&p, 1);
        memset(session_output(p.reference, 0)->data, i, 4);
        p.diff.runs--;
        session_diff_add(&p.diff);
    }
    assert_true(p.diff.outputs[0].stale > 0 && p.diff.outputs[0].stale == p.diff.outputs[0].changed);
    close_pair(&p);
}

static void not_finite_never_passes(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " ADD ", "ADD", NAN);
    run(&p, 1);
    TEST_OK(session_diff_finish(&p.diff, &err), err);
    assert_int_equal(session_diff_failed_on(&p.diff), FAIL_ON_NAN);
    assert_true(isnan(p.diff.outputs[0].error.avg) && isnan(p.diff.outputs[0].error.std));
    close_pair(&p);
}

/* Wrong is ABS, which lies within the partition: what can be seen is wrong from its end on; alone, ABS is found. */
static void where_it_starts(void **state)
{
    const struct op_diff *off;
    struct pair p;

    (void)state;
    open_pair(&p, " NEG ABS ADD ", "ABS", 2);
    run(&p, 1);
    assert_int_equal(p.ops.n, 4);
    assert_true(!p.ops.ops[0].visible && !p.ops.ops[1].visible && !p.ops.ops[2].visible && p.ops.ops[3].visible);
    off = op_diffs_first_off(&p.ops, 0.5);
    assert_non_null(off);
    assert_string_equal(off->node->name, "ADD");
    TEST_OK(op_diffs_run_alone(&p.ops, p.alone, NULL, &err), err);
    for (int i = 0; i < 4; i++)
        assert_true(p.ops.ops[i].ran_alone);
    off = op_diffs_first_off_alone(&p.ops, 0.5);
    assert_ptr_equal(off, &p.ops.ops[1]);
    assert_float_equal(off->alone.max_abs, 2, 0);
    assert_int_equal(p.ops.ops[3].alone.different, 0); /* given the reference's inputs, ADD is right */
    assert_null(op_diffs_first_off_alone(&p.ops, 2.5));
    close_pair(&p);
}

/* Without a tolerance a thousandth of the largest value is where "clearly off" begins. */
static void clearly_off(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " ADD ", "ADD", 0.01f);
    run(&p, 1); /* the output goes down to -12 */
    assert_null(op_diffs_first_off(&p.ops, -1));
    p.fake.by = 0.02f;
    run(&p, 1);
    assert_non_null(op_diffs_first_off(&p.ops, -1));
    close_pair(&p);
}

/* What the CPU made is visible and is not run again. */
static void nodes_of_the_cpu(void **state)
{
    struct pair p;

    (void)state;
    open_pair(&p, " ABS ", "ABS", 1);
    run(&p, 1);
    for (int i = 0; i < 4; i++)
        assert_true(p.ops.ops[i].visible && p.ops.ops[i].partition == (i == 1 ? 0 : -1));
    assert_string_equal(op_diffs_first_off(&p.ops, 0.1)->node->name, "ABS");
    TEST_OK(op_diffs_run_alone(&p.ops, p.alone, NULL, &err), err);
    for (int i = 0; i < 4; i++)
        assert_int_equal(p.ops.ops[i].ran_alone, i == 1);
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
    run(&p, 1);
    TEST_OK(op_diffs_run_alone(&p.ops, p.alone, at_once, &err), err);
    assert_false(p.ops.ops[1].ran_alone);
    p.fake.fail_invoke = true;
    assert_int_equal(op_diffs_run_alone(&p.ops, p.alone, NULL, &err), ST_FAILED);
    assert_string_equal(err.msg, "node 1 ABS(FLOAT32[6]): invoke fails as told");
    close_pair(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_sides),       cmocka_unit_test(figures_over_runs), cmocka_unit_test(not_finite_never_passes),
        cmocka_unit_test(first_invocations), cmocka_unit_test(stale_outputs),     cmocka_unit_test(where_it_starts),
        cmocka_unit_test(clearly_off),       cmocka_unit_test(nodes_of_the_cpu),  cmocka_unit_test(failures_and_stops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
