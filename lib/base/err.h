/* SPDX-License-Identifier: Apache-2.0 */
/* err.h - status and message of a function that failed.
 *
 * A function that can fail returns `enum status` (0 is success) and takes a `struct err *` last. The message is written once, where
 * the offending values are known; callers pass it on, at most with a prefix. No global state, no printing. */
#pragma once

#include <stdarg.h>
#include <stdio.h>

enum status {
    ST_OK = 0,
    ST_LATER,       /* no error: the result depends on data known only while running; without a message */
    ST_USAGE,       /* bad flag or argument */
    ST_BAD_MODEL,   /* the file or its content is broken or inconsistent */
    ST_UNSUPPORTED, /* valid, but this build or device cannot run it */
    ST_NOMEM,       /* out of memory, or a size above the limit */
    ST_IO,          /* a file could not be read or written */
    ST_NO_GPU,      /* no usable GPU or driver */
    ST_FAILED,      /* a run, a GL call or a driver failed */
    ST_COUNT
};

struct err {
    char msg[512]; /* one message without newline; "" after ST_OK */
};

/* Write the message and return `st`, for use as `return err_set(...)`. `err` may be NULL. */
enum status err_set(struct err *err, enum status st, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Insert "prefix: " before the message, cut the end if that is too long, and return `st`. */
enum status err_prefix(struct err *err, enum status st, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Return a tool's exit status: 0 success; 2 usage or bad input; 3 no GPU; 4 a run failed, or its results could not be written. */
int status_exit_code(enum status st);
