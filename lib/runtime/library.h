/* SPDX-License-Identifier: Apache-2.0 */
/* library.h - functions of a shared library by name, in tables: X(needed, result, name, parameters) for each.
 *
 *   #define FUNCTIONS(X) X(1, int, Invoke, (void *interpreter)) X(0, const char *, Version, (void))
 *   static struct { FUNCTIONS(LIBRARY_MEMBER) } lib;
 *   static const struct library_function names[] = {FUNCTIONS(LIBRARY_ROW)};
 *
 * The members have the order of the rows. */
#pragma once

#include <stdbool.h>

#include "lib/base/err.h"

struct library_function {
    const char *name; /* without the prefix */
    bool needed;
};

#define LIBRARY_MEMBER(needed, result, name, parameters) result(*name) parameters;
#define LIBRARY_ROW(needed, result, name, parameters)    {#name, needed},

/* Load the library for the rest of the process. Fails with ST_UNSUPPORTED and the loader's words. */
enum status library_load(const char *path, void **out, struct err *err);

/* Find functions[n], named with `prefix`, and store them in `members`; NULL for functions that are not needed and not there. Fails
 * with ST_UNSUPPORTED if a needed one is missing. */
enum status library_find(void *library, const char *path, const char *prefix, const struct library_function *functions, size_t n,
                         void *members, struct err *err);

/* Return the function, or NULL. */
void *library_symbol(void *library, const char *name);
