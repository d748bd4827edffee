/* SPDX-License-Identifier: Apache-2.0 */
/* test.h - the header of every unit test: cmocka, with the headers that it needs before it.
 *
 * A test program is lib/X_test.c beside lib/X.c; make links it with the library and scripts/test/check.sh runs it. cmocka's
 * assertions leave the test at once, so memory that a test holds is lost then. */
#ifndef DELEGAUGE_TEST_H
#define DELEGAUGE_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/err.h"
#include "lib/testing/require_gpu.h"

/* Repeatable numbers (splitmix64): the same on every machine. A test prints or fixes the seed that it starts from. */
uint64_t test_random(uint64_t *state);

/* End a test that has no GPU, for the reason in *err: it fails if one is required (require_gpu.h), else it is skipped. Does not
 * return. */
void test_no_gpu(const struct err *err);

/* Skip the test, because a Debian package is missing, and print NOT RUN (what) with its name. Does not return. */
void test_no_package(const char *what, const char *package);

/* `call` must return ST_OK; else the test fails with the call's text and the message in `err`, a struct err and no pointer. Both
 * are written once, and `err` is read only after `call` failed. */
#define TEST_OK(call, err)                                                                                                         \
    do {                                                                                                                           \
        if ((call) != ST_OK)                                                                                                       \
            fail_msg("%s: %s", #call, (err).msg);                                                                                  \
    } while (0)

#endif
