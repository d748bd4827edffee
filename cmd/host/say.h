/* SPDX-License-Identifier: Apache-2.0 */
/* say.h - where a tool's text goes.
 *
 * Results go to stdout, each line after "INFO: ", the prefix that TFLite's tools have and that scripts expect; tables go there
 * without it. Warnings and errors go to stderr. With --json=- stdout holds the JSON document and nothing else: results are then
 * not printed as text, warnings and errors are. */
#ifndef DELEGAUGE_CMD_SAY_H
#define DELEGAUGE_CMD_SAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "lib/base/err.h"

/* From now on no "INFO: " before the lines: as older releases of TFLite's tools, for scripts that look at the first column. */
void say_without_prefix(void);

/* "INFO: ", or "" without. */
const char *say_prefix(void);

/* From now on only JSON, or another document, on stdout. */
void say_json_only(void);

/* Control characters, which paths may hold, are shown as ?: tabs and line breaks alone pass. */
void say_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* The same without prefix or newline, for tables. */
void say_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* From now on all lines go to `to`, without prefixes and whether or not stdout is JSON alone: for a page that says the same
 * sentences. NULL: to where they went before. */
void say_divert(FILE *to);

/* One line, whatever is named in it: all control characters are shown as ?. */
void say_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Prints the message of a failure, never elsewhere than to stderr, and returns the exit status that goes with it. */
int say_error(enum status st, const struct err *err);

/* Names from a model may hold anything; control characters must not reach a terminal or break a line. Returns `out`. */
const char *say_clean(const char *text, char *out, size_t size);

#define SAY_COUNT_SIZE 64

/* "1 node", "31 nodes": for nouns whose plural has an s. Returns `out`. */
const char *say_count(size_t n, const char *noun, char out[SAY_COUNT_SIZE]);

/* Last thing before exit: a full disk or a closed pipe behind stdout is an error too, not a short result. */
int say_finish(int exit_code);

#endif
