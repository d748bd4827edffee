/* SPDX-License-Identifier: Apache-2.0 */
/* say.c - each line flushed at once, so that a log is whole up to a crash and in order beside stderr. */
#include "say.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool json_only, no_prefix;

void say_json_only(void)
{
    json_only = true;
}

void say_without_prefix(void)
{
    no_prefix = true;
}

const char *say_prefix(void)
{
    return no_prefix ? "" : "INFO: ";
}

void say_info(const char *fmt, ...)
{
    va_list ap;

    if (json_only)
        return;
    va_start(ap, fmt);
    fputs(say_prefix(), stdout);
    vprintf(fmt, ap);
    putchar('\n');
    va_end(ap);
    /* One line at a time, so that a log is complete up to a crash and in order beside stderr. */
    fflush(stdout);
}

void say_text(const char *fmt, ...)
{
    va_list ap;

    if (json_only)
        return;
    va_start(ap, fmt);
    vprintf(fmt, ap);
    va_end(ap);
}

void say_warn(const char *fmt, ...)
{
    va_list ap;

    fflush(stdout); /* tables are not flushed line by line */
    va_start(ap, fmt);
    fputs("WARN: ", stderr);
    vfprintf(stderr, fmt, ap);
    fputc('\n', stderr);
    va_end(ap);
}

int say_error(enum status st, const struct err *err)
{
    char text[sizeof err->msg];

    fflush(stdout);
    fprintf(stderr, "ERROR: %s\n", say_clean(err->msg, text, sizeof text));
    return status_exit_code(st);
}

const char *say_clean(const char *text, char *out, size_t size)
{
    size_t n = 0;

    for (; *text && n + 1 < size; text++)
        out[n++] = (unsigned char)*text < ' ' || *text == 0x7f ? '?' : *text;
    out[n] = '\0';
    return out;
}

int say_finish(int exit_code)
{
    struct err err;

    if (!fflush(stdout) && !ferror(stdout))
        return exit_code;
    say_error(err_set(&err, ST_FAILED, "standard output: %s", strerror(errno ? errno : EIO)), &err);
    return exit_code ? exit_code : status_exit_code(ST_FAILED);
}
