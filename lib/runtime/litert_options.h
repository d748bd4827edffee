/* SPDX-License-Identifier: Apache-2.0 */
/* litert_options.h - the options of --litert_options that LiteRT would drop without a word.
 *
 * LiteRT skips keys that it does not know, and drops all options of an ID if it cannot read one value of them. */
#pragma once

#include <stddef.h>

#include "lib/base/err.h"

/* Check the values of keys that are known, in lines ID.KEY=VALUE; other lines are skipped. Fails with ST_USAGE. */
enum status litert_options_check(const char *lines, struct err *err);

/* Append to out[size] a line for each key and ID that is not known here, or not in the files of `library` (libLiteRt.so and its
 * neighbours), and for each option of an accelerator that is not among `accelerators`; as many as there is room for. */
void litert_options_useless(const char *lines, const char *accelerators, const char *library, char *out, size_t size);

/* Append a line of this format; nothing if there is no room. */
void litert_options_add(char *out, size_t size, const char *format, ...) __attribute__((format(printf, 3, 4)));
