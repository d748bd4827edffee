/* SPDX-License-Identifier: Apache-2.0 */
/* err.c - messages are written once and cut where they are too long, never allocated. */
#include "lib/base/err.h"

#include <string.h>

enum status err_set(struct err *err, enum status st, const char *fmt, ...)
{
    va_list ap;

    if (!err)
        return st;
    va_start(ap, fmt);
    vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    return st;
}

enum status err_prefix(struct err *err, enum status st, const char *fmt, ...)
{
    char tail[sizeof err->msg];
    va_list ap;
    size_t n;

    if (!err)
        return st;
    memcpy(tail, err->msg, sizeof tail);
    va_start(ap, fmt);
    vsnprintf(err->msg, sizeof err->msg, fmt, ap);
    va_end(ap);
    n = strlen(err->msg);
    snprintf(err->msg + n, sizeof err->msg - n, ": %s", tail);
    return st;
}

int status_exit_code(enum status st)
{
    static const int code[ST_COUNT] = {
        [ST_OK] = 0,    [ST_LATER] = 4, [ST_USAGE] = 2,  [ST_BAD_MODEL] = 2, [ST_UNSUPPORTED] = 2,
        [ST_NOMEM] = 2, [ST_IO] = 2,    [ST_NO_GPU] = 3, [ST_FAILED] = 4,
    };

    return (unsigned)st < ST_COUNT ? code[st] : 4;
}
