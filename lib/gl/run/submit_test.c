/* SPDX-License-Identifier: Apache-2.0 */
/* submit_test.c - runs in steps: handed over, waited for, read; and computed several times for one. */
#include "lib/gl/testing/test_session.h"

#include <math.h>

#include "lib/gl/gpu/gpu_kernel.h"
#include "lib/session/session_impl.h"

static void holds(const struct session *s, double phase)
{
    const float *y = session_output(s, 0)->data;

    for (size_t i = 0; i < 15; i++)
        assert_true(fabs((double)y[i] - 3 * fabs(sin((double)i + phase))) < 1e-5);
}

static struct gpu_kernel *kernel(struct session *s)
{
    for (uint32_t i = 0; i < s->plan.n_steps; i++)
        if (s->plan.steps[i].kernel)
            return (struct gpu_kernel *)s->plan.steps[i].kernel;
    fail_msg("no partition");
    return NULL;
}

static void the_last_of_several_is_read(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = test_small_network();
    struct session *s = test_start(&l, d);
    struct err err = {""};

    (void)state;
    assert_true(session_submits(s));
    assert_int_equal(session_n_waits(s), 0);
    TEST_OK(session_wait(s, &err), err); /* nothing to wait for */
    for (int i = 0; i < 3; i++) {
        test_fill(s, i);
        TEST_OK(session_submit(s, &err), err);
        assert_int_equal(kernel(s)->executable->pending, i + 1);
    }
    memset((void *)session_output(s, 0)->data, 0x5a, 60);
    TEST_OK(session_wait(s, &err), err);
    holds(s, 2);
    assert_int_equal(kernel(s)->executable->pending, 0);
    memset((void *)session_output(s, 0)->data, 0x5a, 60);
    TEST_OK(session_wait(s, &err), err); /* it was read already */
    assert_int_equal(*(const uint32_t *)session_output(s, 0)->data, 0x5a5a5a5a);
    test_fill(s, 9);
    TEST_OK(session_submit(s, &err), err);
    test_fill(s, 5);
    TEST_OK(session_run(s, &err), err);
    holds(s, 5);
    session_free(s);
    delegate_close(d);
    unload(&l);
}

static int n_waits;

static enum status wait_elsewhere(struct delegate_kernel *k, struct err *err)
{
    (void)k;
    (void)err;
    n_waits++;
    return ST_OK;
}

static enum status read_elsewhere(struct delegate_kernel *k, struct err *err)
{
    (void)k;
    (void)err;
    assert_int_equal(n_waits, 1);
    return ST_OK;
}

/* As a loop leaves it. */
static void leave_unfinished(struct session *s)
{
    static const struct delegate_kernel_ops ops = {.wait = wait_elsewhere, .read = read_elsewhere};
    static struct delegate_kernel elsewhere = {.ops = &ops};
    static struct delegate other;

    n_waits = 0;
    s->runtime->unfinished = &elsewhere;
    s->runtime->unfinished_of = &other;
}

/* The CPU computes the second node. */
static void what_others_need_is_waited_for(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = test_small_network();
    struct session_options o = {.delegates = {d}, .partition = {.end_node = 1}};
    struct session *s;
    struct err err = {""};

    (void)state;
    TEST_OK(session_new(l.model, &o, &s, &err), err);
    assert_int_equal(session_submit(s, &err), ST_USAGE);
    TEST_OK(session_prepare(s, &err), err);
    assert_false(session_submits(s));
    assert_int_equal(session_n_waits(s), 1);
    test_fill(s, 1);
    leave_unfinished(s); /* of another delegate's */
    TEST_OK(session_submit(s, &err), err);
    assert_int_equal(n_waits, 1);
    holds(s, 1);
    TEST_OK(session_wait(s, &err), err);
    session_free(s);
    delegate_close(d);
    unload(&l);
}

/* Sessions of a delegate share its memory, in which what nobody has read yet would be written over. */
static void sessions_are_waited_for_before_others_run(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = test_small_network();
    struct session *first = test_start(&l, d), *second = test_start(&l, d);
    struct err err = {""};

    (void)state;
    test_fill(first, 1);
    TEST_OK(session_submit(first, &err), err);
    test_fill(second, 2);
    TEST_OK(session_submit(second, &err), err);
    holds(first, 1);
    memset((void *)session_output(first, 0)->data, 0x5a, 60);
    TEST_OK(session_wait(first, &err), err); /* it was read already */
    assert_int_equal(*(const uint32_t *)session_output(first, 0)->data, 0x5a5a5a5a);
    test_fill(first, 3);
    TEST_OK(session_run(first, &err), err);
    TEST_OK(session_wait(second, &err), err);
    holds(first, 3);
    holds(second, 2);
    TEST_OK(session_submit(first, &err), err);
    TEST_OK(session_prepare(second, &err), err); /* which may make the memory anew */
    holds(first, 3);
    test_fill(first, 4);
    TEST_OK(session_submit(first, &err), err);
    session_free(first); /* which is waited for by nobody */
    test_fill(second, 5);
    TEST_OK(session_run(second, &err), err);
    holds(second, 5);
    session_free(second);
    delegate_close(d);
    unload(&l);
}

/* What fails is still there for who waits for it. */
static enum status never_done(struct delegate_kernel *k, struct err *err)
{
    (void)k;
    return err_set(err, ST_FAILED, "never done");
}

static void whose_wait_fails_is_waited_for_again(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = test_small_network();
    struct session *first = test_start(&l, d), *second = test_start(&l, d);
    struct delegate_kernel *k = &kernel(first)->head;
    const struct delegate_kernel_ops *ops = k->ops;
    struct delegate_kernel_ops broken = *ops;
    struct err err = {""};

    (void)state;
    broken.wait = never_done;
    test_fill(first, 1);
    test_fill(second, 2);
    TEST_OK(session_submit(first, &err), err);
    k->ops = &broken;
    assert_int_equal(session_run(second, &err), ST_FAILED);
    assert_string_equal(err.msg, "never done");
    k->ops = ops;
    TEST_OK(session_wait(first, &err), err);
    holds(first, 1);
    TEST_OK(session_run(second, &err), err);
    holds(second, 2);
    session_free(first);
    session_free(second);
    delegate_close(d);
    unload(&l);
}

/* The same answer, from as many times the work. */
static void loops_repeat_the_dispatches(void **state)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .loop_times = 3});
    struct loaded l = test_small_network();
    struct session *s = test_start(&l, d);
    struct err err = {""};

    (void)state;
    assert_int_equal(session_inferences(s), 3);
    test_fill(s, 0.5);
    TEST_OK(session_submit(s, &err), err);
    assert_int_equal(kernel(s)->executable->pending, 3);
    TEST_OK(session_wait(s, &err), err);
    holds(s, 0.5);
    session_free(s);
    delegate_close(d);
    d = test_open_best();
    s = test_start(&l, d);
    assert_int_equal(session_inferences(s), 1);
    session_free(s);
    s = test_start(&l, NULL);
    assert_int_equal(session_inferences(s), 1);
    session_free(s);
    delegate_close(d);
    unload(&l);
}

/* What another delegate was handed over is finished when a run ends, whichever way. */
static void nothing_is_left_unfinished(void **state)
{
    struct delegate *d = test_open_best();
    struct loaded l = test_small_network();
    struct session *s = test_start(&l, d);
    struct session_options o = {.delegates = {d}};
    const struct profile_row *rows;
    size_t n;
    struct err err = {""};

    (void)state;
    test_fill(s, 1);
    leave_unfinished(s);
    TEST_OK(session_submit(s, &err), err);
    TEST_OK(session_wait(s, &err), err);
    assert_int_equal(n_waits, 1);
    holds(s, 1);
    leave_unfinished(s);
    TEST_OK(session_profile(s, &rows, &n, &err), err);
    assert_int_equal(n_waits, 1);
    session_free(s);
    TEST_OK(session_new(l.model, &o, &s, &err), err);
    leave_unfinished(s);
    assert_int_equal(session_run(s, &err), ST_USAGE);
    assert_int_equal(n_waits, 1);
    leave_unfinished(s);
    assert_int_equal(session_profile(s, &rows, &n, &err), ST_USAGE);
    assert_int_equal(n_waits, 1);
    assert_null(s->runtime->unfinished);
    session_free(s);
    delegate_close(d);
    unload(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_of_several_is_read),
        cmocka_unit_test(what_others_need_is_waited_for),
        cmocka_unit_test(sessions_are_waited_for_before_others_run),
        cmocka_unit_test(whose_wait_fails_is_waited_for_again),
        cmocka_unit_test(loops_repeat_the_dispatches),
        cmocka_unit_test(nothing_is_left_unfinished),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
