/* SPDX-License-Identifier: Apache-2.0 */
/* say.c - each line flushed at once, so that a log is whole up to a crash and in order beside stderr. */
#include "cmd/host/say.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/host/wrap.h"
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
static int why_unwritten;  /* the error of the first write to standard output that failed, or 0 */
static char pending[4096]; /* text for a terminal whose line has not ended */

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

static void put_pending(void)
{
    fputs(pending, stdout);
    *pending = '\0';
}

/* What printf makes of it, names and paths in it made harmless; control characters in `kept` are the format's own. */
static void put_line(FILE *to, unsigned columns, int priority, const char *prefix, const char *kept, const char *fmt, va_list ap)
{
    const size_t before = strlen(prefix);
    va_list again;
    int n;
    char *text;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    text = n < 0 ? NULL : malloc(before + (size_t)n + 1);
    if (text) {
        memcpy(text, prefix, before);
        vsnprintf(text + before, (size_t)n + 1, fmt, again);
        for (char *c = text + before; *c; c++)
            *c = is_control(*c) && !strchr(kept, *c) ? '?' : *c;
        wrap_lines(to, text, columns);
        log_line(priority, text + before);
    } else {
        fprintf(to, "%s(a line that no memory was left for)\n", prefix);
    }
    free(text);
    va_end(again);
}

void say_flush(void)
{
    if ((fflush(stdout) || ferror(stdout)) && !why_unwritten)
        why_unwritten = errno;
}

static void put_info(unsigned columns, const char *fmt, va_list ap)
{
    if (json_only)
        return;
    put_pending();
    put_line(stdout, columns, LOG_INFO, say_prefix(), "\t\n", fmt, ap);
    /* One line at a time, so that a log is complete up to a crash and in order beside stderr. */
    say_flush();
}

void say_info(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_info(wrap_columns(stdout), fmt, ap);
    va_end(ap);
}

void say_info_known(const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    put_info(0, fmt, ap);
    va_end(ap);
}

/* Whole lines of what is pending and of a text; the rest is pending. */
static void put_whole_lines(unsigned columns, char *text)
{
    char *end = strrchr(text, '\n');
    const char *rest = end ? end + 1 : text;

    if (end) {
        *end = '\0';
        wrap_lines(stdout, text, columns);
    }
    snprintf(pending, sizeof pending, "%s", rest);
    if (strlen(rest) >= sizeof pending) {
        fputs(rest, stdout);
        *pending = '\0';
    }
}

static void put_text(unsigned columns, const char *fmt, va_list ap)
{
    const size_t before = strlen(pending);
    va_list again;
    char *text;
    int n;

    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    if (n >= 0 && (text = malloc(before + (size_t)n + 1))) {
        memcpy(text, pending, before);
        vsnprintf(text + before, (size_t)n + 1, fmt, ap);
        put_whole_lines(columns, text);
        free(text);
    } else {
        put_pending();
        vfprintf(stdout, fmt, ap);
    }
}

void say_text(const char *fmt, ...)
{
    unsigned columns;
    va_list ap;

    if (json_only)
        return;
    va_start(ap, fmt);
    if ((columns = wrap_columns(stdout)))
        put_text(columns, fmt, ap);
    else
        vfprintf(stdout, fmt, ap);
    va_end(ap);
}

void say_text_known(const char *fmt, ...)
{
    va_list ap;

    if (json_only)
        return;
    put_pending();
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

    put_pending();
    say_flush(); /* tables are not flushed line by line */
    va_start(ap, fmt);
    put_line(stderr, wrap_columns(stderr), LOG_WARN, "WARN: ", "", fmt, ap);
    va_end(ap);
}

void say_and_exit(const char *line)
{
    const ssize_t n = write(STDERR_FILENO, line, strlen(line));

    (void)n; /* there is nowhere left to tell it */
    _exit(status_exit_code(ST_FAILED));
}

int say_error(enum status st, const struct err *err)
{
    char text[sizeof "ERROR: " + sizeof err->msg] = "ERROR: ";
    char *line = text + strlen(text);

    put_pending();
    say_flush();
    say_clean(err->msg, line, sizeof err->msg);
    wrap_lines(stderr, text, wrap_columns(stderr));
    log_line(LOG_ERROR, line);
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

    put_pending();
    say_flush();
    if (!ferror(stdout))
        return exit_code;
    say_error(err_set(&err, ST_FAILED, "standard output: %s", strerror(why_unwritten ? why_unwritten : EIO)), &err);
    return exit_code && exit_code != outcome_exit_code(OUTCOME_INTERRUPTED) ? exit_code : status_exit_code(ST_FAILED);
}
