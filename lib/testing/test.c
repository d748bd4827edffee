/* SPDX-License-Identifier: Apache-2.0 */
/* test.c - random numbers, and tests that end because something is missing. */
#include "lib/testing/test.h"

#include <stdio.h>

uint64_t test_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

void test_no_gpu(const struct err *err)
{
    if (gpu_is_required())
        fail_msg("REQUIRE_GPU is set: %s", err->msg);
    skip();
}

void test_no_package(const char *what, const char *package)
{
    /* At the begin of a line for scripts/test/check.sh. */
    printf("NOT RUN (%s): it is not here (Debian package %s)\n", what, package);
    fflush(stdout);
    skip();
}
