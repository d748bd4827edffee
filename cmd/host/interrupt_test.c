/* SPDX-License-Identifier: Apache-2.0 */
/* interrupt_test.c - the first signal asks, a later one ends the process. */
#include "cmd/host/interrupt.h"
#include "cmd/testing/test_capture.h"
#include "lib/testing/test.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* The exit status of a child that gets a signal, and again after `gap_us` (0: not again), 100 + the signal where that ended it. */
static int child(int signal_number, useconds_t gap_us)
{
    pid_t pid = fork();
    int status;

    assert_true(pid >= 0);
    if (pid == 0) {
        interrupt_catch();
        if (interrupted())
            _exit(3);
        raise(signal_number);
        if (gap_us) {
            usleep(gap_us);
            raise(signal_number);
        }
        _exit(interrupted() ? 0 : 2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void the_first_is_noted(void **state)
{
    (void)state;
    assert_int_equal(child(SIGINT, 0), 0);
    assert_int_equal(child(SIGTERM, 0), 0);
}

/* Of several tries, since a busy machine may leave a quarter of a second between the two. */
static void two_at_once_are_one(void **state)
{
    int ended = 1;

    (void)state;
    for (int i = 0; i < 5 && ended; i++)
        ended = child(SIGTERM, 1000);
    assert_int_equal(ended, 0);
}

static void another_one_ends_the_process(void **state)
{
    (void)state;
    assert_int_equal(child(SIGINT, 300000), 100 + SIGINT);
    assert_int_equal(child(SIGTERM, 300000), 100 + SIGTERM);
}

/* The exit status of a child with a limit of 0.05 seconds: 7 if it was told of it within a second, else how it was ended, with its
 * standard error in `out`. A second limit does not count. */
static int limited_child(bool obeys, struct capture *out)
{
    pid_t pid;
    int status;

    capture_begin(out, 2);
    if ((pid = fork()) == 0) {
        interrupt_catch();
        interrupt_after(0.05);
        interrupt_after(100);
        for (int i = 0; i < (obeys ? 100 : 1000) && !(obeys && interrupted()); i++)
            usleep(10000);
        _exit(interrupted() && interrupted_by_limit() ? 7 : 2);
    }
    waitpid(pid, &status, 0);
    capture_end(out);
    assert_true(pid > 0);
    return WIFSIGNALED(status) ? 100 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void a_limit_is_noted_and_then_ends_the_process(void **state)
{
    static struct capture out;

    (void)state;
    assert_int_equal(limited_child(true, &out), 7);
    assert_string_equal(out.text, "");
    assert_int_equal(limited_child(false, &out), 4);
    assert_string_equal(out.text, "ERROR: --timeout=0.05: the work did not end within 5 seconds after that\n");
}

/* After Ctrl-C the process has its 5 seconds, too. */
static void a_limit_after_a_signal_leaves_time(void **state)
{
    pid_t pid = fork();
    int status;

    (void)state;
    assert_true(pid >= 0);
    if (pid == 0) {
        interrupt_catch();
        raise(SIGINT);
        interrupt_after(0.05);
        for (int i = 0; i < 10; i++)
            usleep(50000);
        _exit(interrupted() && !interrupted_by_limit() ? 0 : 2);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_long_run_is_told_once(void **state)
{
    static struct capture out;
    enum status none, soon, later, late;
    double most = 30;
    struct err err;

    (void)state;
    capture_begin(&out, 1);
    none = interrupt_go_on(NULL, 9, &err);
    soon = interrupt_go_on(&most, 11, &err);
    later = interrupt_go_on(NULL, 12, &err);
    late = interrupt_go_on(&most, 31, &err);
    assert_string_equal(capture_end(&out),
                        "INFO: A loop of the model has not come to its end in a run of 10 seconds; Ctrl-C gives the run up\n");
    assert_int_equal(none, ST_OK);
    assert_int_equal(soon, ST_OK);
    assert_int_equal(later, ST_OK);
    assert_int_equal(late, ST_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_is_noted),
        cmocka_unit_test(two_at_once_are_one),
        cmocka_unit_test(another_one_ends_the_process),
        cmocka_unit_test(a_limit_is_noted_and_then_ends_the_process),
        cmocka_unit_test(a_limit_after_a_signal_leaves_time),
        cmocka_unit_test(a_long_run_is_told_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
