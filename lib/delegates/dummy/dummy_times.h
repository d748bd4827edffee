/* SPDX-License-Identifier: Apache-2.0 */
/* dummy_times.h - times that the dummy delegate tells in the place of its own, so that a drift, a throttled machine or a slowdown
 * can be played to the tools that measure. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

struct dummy_times {
    double *us; /* [n] microseconds of the invocations, from the first on; then anew */
    size_t n, next;
};

/* Read a file of numbers above 0 and at most 1e9, a line each. Free with dummy_times_free. Fails with ST_IO, ST_NOMEM,
 * and ST_USAGE for a line that is no such number, an empty file, and a file of more than 1,000,000 lines. */
enum status dummy_times_read(const char *path, struct dummy_times *out, struct err *err);

/* Return the nanoseconds of the next invocation; n is not 0. */
uint64_t dummy_times_next(struct dummy_times *t);

/* Free the times; accepts zeros. */
void dummy_times_free(struct dummy_times *t);
