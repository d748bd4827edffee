/* SPDX-License-Identifier: Apache-2.0 */
/* progress_test.c - what is left, and a line that appears on a terminal alone and is gone in the end. */
/* posix_openpt, pipe2 */
#define _GNU_SOURCE
#include "cmd/print/progress.h"
#include "lib/testing/test.h"

#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void time_left(void **state)
{
    const struct progress p = {.min_runs = 50, .min_secs = 2, .max_secs = 30};

    (void)state;
    assert_true(fabs(progress_left(&p, 10, 1) - 4) < 1e-9);  /* 40 runs of 0.1 s */
    assert_true(fabs(progress_left(&p, 40, 1) - 1) < 1e-9);  /* the least time */
    assert_true(fabs(progress_left(&p, 1, 10) - 20) < 1e-9); /* the most */
    assert_true(progress_left(&p, 60, 3) == 0);
    assert_true(progress_left(&p, 1, 31) == 0);
}

/* What progress writes to standard error, which is `to`, in a phase that lasts one second. */
static void write_phase(int to)
{
    struct progress p = {.what = "timed runs", .min_runs = 5, .max_secs = 30};
    int kept = dup(STDERR_FILENO);

    fflush(stderr);
    assert_true(kept >= 0 && dup2(to, STDERR_FILENO) >= 0);
    for (size_t run = 1; run <= 1000; run++)
        progress_show(&p, run, (double)run / 1000);
    progress_end(&p);
    fflush(stderr);
    assert_true(dup2(kept, STDERR_FILENO) >= 0);
    close(kept);
}

/* Reads until nothing more comes: a terminal hands on what was written in pieces, and late. */
static size_t read_all(int from, char *text, size_t size)
{
    struct pollfd p = {.fd = from, .events = POLLIN};
    size_t n = 0;
    ssize_t got = 1;

    while (n < size - 1 && got > 0 && poll(&p, 1, 300) > 0)
        if ((got = read(from, text + n, size - 1 - n)) > 0)
            n += (size_t)got;
    text[n] = '\0';
    return n;
}

static void on_a_terminal(void **state)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC), slave = -1;
    const char *term = getenv("TERM");
    char text[4096];
    size_t lines = 0;

    (void)state;
    if (master < 0 || grantpt(master) || unlockpt(master) || (slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC)) < 0)
        skip();
    setenv("TERM", "xterm", 1);
    write_phase(slave);
    read_all(master, text, sizeof text);
    for (const char *s = text; (s = strstr(s, "\rtimed runs: ")); s++)
        lines++;
    assert_in_range(lines, 9, 10);
    assert_string_equal(text + strlen(text) - 4, "\r\033[K");
    setenv("TERM", "dumb", 1);
    write_phase(slave);
    assert_int_equal(read_all(master, text, sizeof text), 0);
    if (term)
        setenv("TERM", term, 1);
    close(slave);
    close(master);
}

static void not_into_a_file(void **state)
{
    int ends[2];
    char text[256];

    (void)state;
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    setenv("TERM", "xterm", 1);
    write_phase(ends[1]);
    close(ends[1]);
    assert_int_equal(read_all(ends[0], text, sizeof text), 0);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(time_left),
        cmocka_unit_test(on_a_terminal),
        cmocka_unit_test(not_into_a_file),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
