/* SPDX-License-Identifier: Apache-2.0 */
/* say.h - prints a tool's text.
 *
 * Results go to stdout, each line after "INFO: ", the prefix of TFLite's tools, which scripts expect; tables go there without it.
 * Warnings and errors go to stderr. With --json=- stdout has the JSON document alone: results are not printed as text then. On a
 * terminal, lines that are wider are broken at blanks (wrap.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/err.h"

/* Omit "INFO: " from now on, as older releases of TFLite's tools do, for scripts that read the first column. */
void say_without_prefix(void);

/* Return "INFO: ", or "" after say_without_prefix. */
const char *say_prefix(void);

/* Reserve stdout for JSON or another document from now on. */
void say_json_only(void);

/* Print a result. Control characters, which paths may contain, are printed as ?, except tabs and line breaks. */
void say_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print as say_info does, without prefix and newline, for tables. On a terminal a line appears with its newline. */
void say_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print as they do lines of TFLite's tools, which scripts know: those stay whole on a terminal, too. */
void say_info_known(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void say_text_known(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Return true if text to standard output may have colours: it is a terminal that shows them, and NO_COLOR is not set. */
bool say_in_color(void);

/* Print a warning on one line; all control characters are printed as ?. */
void say_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print the message of a failure to stderr. Returns the exit status for it. */
int say_error(enum status st, const struct err *err);

/* Write a whole line to stderr and end the process with the status of a failure. For signal handlers: it calls nothing else. */
void say_and_exit(const char *line) __attribute__((noreturn));

/* Copy a text with control characters replaced by ?: names from a model may contain any, and none must reach a terminal or break a
 * line. Returns `out`. */
const char *say_clean(const char *text, char *out, size_t size);

#define SAY_COUNT_SIZE 64

/* Write a count, "1 node" or "31 nodes", for nouns with a plural in s. Returns `out`. */
const char *say_count(size_t n, const char *noun, char out[SAY_COUNT_SIZE]);

/* Flush stdout after the caller wrote there, and remember why that failed: the C library tells only then. */
void say_flush(void);

/* Flush stdout as the last call before exit: a full disk or a closed pipe is an error, not a short result. Returns exit_code, or
 * the exit status of that error if exit_code is success or interrupted. */
int say_finish(int exit_code);
