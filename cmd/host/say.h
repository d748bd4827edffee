/* SPDX-License-Identifier: Apache-2.0 */
/* say.h - the printing of a tool's text.
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

/* Return "INFO: ", or "" after say_without_prefix. */
const char *say_prefix(void);

/* From now on only JSON, or another document, on stdout. */
void say_json_only(void);

/* Print a result. Control characters, which paths may hold, are shown as ?: tabs and line breaks alone pass. */
void say_info(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print the same without prefix or newline, for tables. */
void say_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print a warning in one line: all control characters are shown as ?. */
void say_warn(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

/* Print the message of a failure, only ever to stderr, and return the exit status that goes with it. */
int say_error(enum status st, const struct err *err);

/* Copy a text with its control characters as ?: names from a model may hold any, and none must reach a terminal or break a line.
 * Returns `out`. */
const char *say_clean(const char *text, char *out, size_t size);

#define SAY_COUNT_SIZE 64

/* Write a count: "1 node", "31 nodes", for nouns whose plural has an s. Returns `out`. */
const char *say_count(size_t n, const char *noun, char out[SAY_COUNT_SIZE]);

/* Last thing before exit: a full disk or a closed pipe behind stdout is an error too, not a short result. */
int say_finish(int exit_code);

#endif
