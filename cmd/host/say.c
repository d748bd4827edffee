/* SPDX-License-Identifier: Apache-2.0 */
/* say.c - each line flushed at once, so that a log is whole up to a crash and in order beside stderr. */
#include "cmd/host/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/base/outcome.h"

/* Of the lines: the numbers are Android's. */
enum { LOG_INFO = 4, LOG_WARN, LOG_ERROR };

#ifdef __ANDROID__
int __android_log_write(int priority, const char *tag, const char *text);

/* In the system's log, too, under the tag of TensorFlow Lite's tools, which scripts filter by. */
static void log_line(int priority, const char *text)
{
    __android_log_write(priority, "tflite", text);
}
#else
static void log_line(int priority, const char *text)
{
    (void)priority, (void)text;
}
#endif

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

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7f;
}

/* What printf makes of it, names and paths in it made harmless; control characters in `kept` are the format's own. */
static void put_line(FILE *to, int priority, const char *prefix, const char *kept, const char *fmt, va_list ap)
{
    const char *line;
    va_list again;
    int n;
    char *text;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (text) {
        vsnprintf(text, (size_t)n + 1, fmt, again);
        for (char *c = text; *c; c++)
            *c = is_control(*c) && !strchr(kept, *c) ? '?' : *c;
    }
    line = text ? text : "(a line that no memory was left for)";
    fprintf(to, "%s%s\n", prefix, line);
    log_line(priority, line);
    free(text);
    va_end(again);
}

void say_info(const char *fmt, ...)
{
    va_list ap;

    if (json_only)
        return;
    va_start(ap, fmt);
    put_line(stdout, LOG_INFO, say_prefix(), "\t\n", fmt, ap);
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
    vfprintf(stdout, fmt, ap);
    va_end(ap);
}

bool say_in_color(void)
{
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");

    return !(no && *no) && term && strcmp(term, "dumb") != 0 && isatty(STDOUT_FILENO);
}

void say_warn(const char *fmt, ...)
{
    va_list ap;

    fflush(stdout); /* tables are not flushed line by line */
    va_start(ap, fmt);
    put_line(stderr, LOG_WARN, "WARN: ", "", fmt, ap);
    va_end(ap);
}

int say_error(enum status st, const struct err *err)
{
    char text[sizeof err->msg];

    fflush(stdout);
    say_clean(err->msg, text, sizeof text);
    fprintf(stderr, "ERROR: %s\n", text);
    log_line(LOG_ERROR, text);
    return status_exit_code(st);
}

const char *say_clean(const char *text, char *out, size_t size)
{
    size_t n = 0;

    for (; *text && n + 1 < size; text++)
        out[n++] = is_control(*text) ? '?' : *text;
    out[n] = '\0';
    return out;
}

const char *say_count(size_t n, const char *noun, char out[SAY_COUNT_SIZE])
{
    snprintf(out, SAY_COUNT_SIZE, "%zu %s%s", n, noun, n == 1 ? "" : "s");
    return out;
}

int say_finish(int exit_code)
{
    struct err err;

    if (!fflush(stdout) && !ferror(stdout))
        return exit_code;
    say_error(err_set(&err, ST_FAILED, "standard output: %s", strerror(errno ? errno : EIO)), &err);
    return exit_code && exit_code != outcome_exit_code(OUTCOME_INTERRUPTED) ? exit_code : status_exit_code(ST_FAILED);
}
