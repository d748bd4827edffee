/* SPDX-License-Identifier: Apache-2.0 */
/* awake_test.c - threads that spin while they are told to, and for inferences that want it. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "awake.h"

#include <sched.h>
#include <unistd.h>

#include "test_session.h"
#include "test_gpu.h"

#define PATIENCE 60000 /* milliseconds: others may want the processors */

static uint32_t processors(void)
{
    cpu_set_t may;

    assert_int_equal(sched_getaffinity(0, sizeof may, &may), 0);
    return CPU_COUNT(&may) < 16 ? (uint32_t)CPU_COUNT(&may) : 16;
}

static void wait_until_spinning(const struct gl_awake *a, uint32_t n)
{
    for (int ms = 0; gl_awake_spinning(a) != n && ms < PATIENCE; ms++)
        usleep(1000);
    assert_int_equal(gl_awake_spinning(a), n);
}

static void all_spin_and_stop(void **state)
{
    struct gl_awake *a = gl_awake_new();

    (void)state;
    if (processors() == 1) {
        assert_null(a);
        skip();
    }
    assert_int_equal(gl_awake_spinning(a), 0);
    for (int again = 0; again < 3; again++) {
        gl_awake_begin(a);
        wait_until_spinning(a, processors());
        gl_awake_end(a);
        wait_until_spinning(a, 0);
    }
    gl_awake_begin(a);
    gl_awake_free(a);
}

static void nothing_is_accepted(void **state)
{
    (void)state;
    gl_awake_begin(NULL);
    gl_awake_end(NULL);
    assert_int_equal(gl_awake_spinning(NULL), 0);
    gl_awake_free(NULL);
}

/* How often for two inferences. */
static uint32_t awake_for(enum gpu_wait wait)
{
    struct delegate *d = test_open_gpu((struct gpu_options){.device = -1, .wait = wait});
    struct loaded l = test_small_network();
    struct session *s = test_start(&l, d);
    struct err err = {""};
    const struct gl_awake *a;
    uint32_t begun;

    TEST_OK(session_run(s, &err), err);
    TEST_OK(session_run(s, &err), err);
    a = gpu_context(d)->awake;
    wait_until_spinning(a, 0);
    begun = gl_awake_begun(a);
    session_free(s);
    delegate_close(d);
    unload(&l);
    return begun;
}

static void inferences_that_poll_keep_processors_awake_where_they_compute(void **state)
{
    struct delegate *d = test_open_best();
    const bool software = gpu_context(d)->limits.policy.software;

    (void)state;
    delegate_close(d);
    assert_int_equal(awake_for(GPU_WAIT_PASSIVE), 0);
    assert_int_equal(awake_for(GPU_WAIT_ACTIVE), software && processors() > 1 ? 2 : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_spin_and_stop),
        cmocka_unit_test(nothing_is_accepted),
        cmocka_unit_test(inferences_that_poll_keep_processors_awake_where_they_compute),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
