/* SPDX-License-Identifier: Apache-2.0 */
/* session_diff_test.c - two sessions of one model, the second one wrong by as much as it is told to be. */
#include "lib/compare/session_diff.h"
#include "lib/testing/test_delegate.h"

#include <math.h>

struct pair {
    struct loaded l;
    struct fake fake;
    struct session *reference, *test;
    struct session_diff diff;
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
    TEST_OK(session_diff_init(&p->diff, p->reference, p->test, 3, &err), err);
}

static void close_pair(struct pair *p)
{
    session_diff_free(&p->diff);
    session_free(p->reference);
    session_free(p->test);
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

/* By relative errors, not by absolute ones; what is not finite is worse than any; of equals the first. */
static void worst_output(void **state)
{
    struct output_diff out[4] = {0};
    const struct session_diff d = {.outputs = out, .n_outputs = 4}, none = {.n_outputs = 0};

    (void)state;
    for (int i = 0; i < 4; i++) {
        out[i].raw.elems = 1;
        out[i].raw.max_reference = i == 0 ? 1000 : 1;
        out[i].raw.max_abs = i == 0 ? 5 : 0.5;
    }
    assert_int_equal(session_diff_worst(&d), 1);
    out[2].raw.unequal = 1;
    assert_int_equal(session_diff_worst(&d), 2);
    assert_int_equal(session_diff_worst(&none), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(worst_output),      cmocka_unit_test(equal_sides),
        cmocka_unit_test(figures_over_runs), cmocka_unit_test(not_finite_never_passes),
        cmocka_unit_test(first_invocations), cmocka_unit_test(stale_outputs),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
