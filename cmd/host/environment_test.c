/* SPDX-License-Identifier: Apache-2.0 */
/* environment_test.c - the machine's own figures, by other ways of asking. */
#define _GNU_SOURCE
#include "cmd/host/environment.h"
#include "lib/testing/test.h"

#include <sched.h>
#include <stdio.h>
#include <sys/utsname.h>
#include <time.h>

static void says_what_the_system_says(void **state)
{
    struct environment e = environment_read();
    struct utsname name;
    struct tm t = {0};

    (void)state;
    assert_int_equal(uname(&name), 0);
    assert_int_equal(strncmp(e.kernel, name.sysname, strlen(name.sysname)), 0);
    assert_non_null(strstr(e.kernel, name.machine));
    assert_int_equal(sscanf(e.time, "%d-%d-%dT%d:%d:%dZ", &t.tm_year, &t.tm_mon, &t.tm_mday, &t.tm_hour, &t.tm_min, &t.tm_sec), 6);
    t.tm_year -= 1900, t.tm_mon--;
    assert_true(time(NULL) - timegm(&t) < 60);
    assert_null(strpbrk(e.cpu, "\n\t"));
}

/* Not the cores of the machine: those that this process may use. */
static void cores_are_those_allowed(void **state)
{
    cpu_set_t all, one;

    (void)state;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    assert_int_equal(environment_read().cores, CPU_COUNT(&all));
    CPU_ZERO(&one);
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &all))
            CPU_SET(i, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(environment_read().cores, 1);
    sched_setaffinity(0, sizeof all, &all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(says_what_the_system_says),
        cmocka_unit_test(cores_are_those_allowed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
