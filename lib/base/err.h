/* SPDX-License-Identifier: Apache-2.0 */
/* err.h - the report of a function that failed.
 *
 * A function that can fail returns `enum status` (0 is success) and takes a `struct err *` last. The message is written once, at
 * the place that knows the numbers; callers pass it on unchanged. No global state, no printing. */
#ifndef DELEGAUGE_ERR_H
#define DELEGAUGE_ERR_H

#include <stdarg.h>
#include <stdio.h>

enum status {
    ST_OK = 0,
    ST_LATER,       /* not an error: the answer depends on data known only while running. Carries no message */
    ST_USAGE,       /* bad flag or argument */
    ST_BAD_MODEL,   /* the file, or its content, is broken or contradicts itself */
    ST_UNSUPPORTED, /* sound, but this build or device cannot run it */
    ST_NOMEM,       /* memory, or a size above the limit */
    ST_IO,          /* a file could not be read or written */
    ST_NO_GPU,      /* no usable GPU or driver */
    ST_FAILED,      /* a run, a GL call or a driver failed */
    ST_COUNT
};

struct err {
    char msg[512]; /* one message without newline; "" after ST_OK */
};

/* Write the message and return `st`, so that `return err_set(...)` reads well. `err` may be NULL. */
enum status err_set(struct err *err, enum status st, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Put "prefix: " before the message that is there, and cut its end if it grows too long. Return `st`. */
enum status err_prefix(struct err *err, enum status st, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Return the exit status of a tool: 0 fine, 2 usage or bad input, 3 no GPU, 4 a run failed, or its results could not be written. */
int status_exit_code(enum status st);

#endif
