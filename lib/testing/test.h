/* SPDX-License-Identifier: Apache-2.0 */
/* test.h - the header of every unit test: cmocka, and the headers that it needs before it.
 *
 * A test program is lib/X_test.c beside lib/X.c; make links it with the library and scripts/test/check.sh runs it. A failing
 * assertion of cmocka leaves the test at once, without freeing the test's memory. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "lib/base/err.h"
#include "lib/testing/require_gpu.h"

/* Return the next number of a repeatable sequence (splitmix64), the same on every machine. A test prints or fixes its first
 * seed. */
uint64_t test_random(uint64_t *state);

/* End a test that has no GPU for the reason in *err: fail it if one is required (require_gpu.h), else skip it. Does not return. */
void test_no_gpu(const struct err *err);

/* Skip the test because a Debian package is missing, and print NOT RUN (what) with the package's name. Does not return. */
void test_no_package(const char *what, const char *package);

/* Fail the test with the text of `call` and the message in `err` (a struct err, not a pointer) unless `call` returns ST_OK. `err`
 * is evaluated only after a failure. */
#define TEST_OK(call, err)                                                                                                         \
    do {                                                                                                                           \
        if ((call) != ST_OK)                                                                                                       \
            fail_msg("%s: %s", #call, (err).msg);                                                                                  \
    } while (0)
