/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - the JSON that tools print: a thin tree over cJSON, which only this module and report_read.c include.
 *
 * A failed allocation anywhere makes report_write fail, so that builders need not check each step: they may go on with the NULL
 * they were given. A NULL report is one that nobody wants: builders accept it and do nothing. Strings may hold any bytes; bytes
 * that are no UTF-8 become U+FFFD. Numbers keep every digit that tells them from others; numbers that are not finite become
 * null. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/err.h"

/* Version of the layout described by schema/json/report.schema.json; raised when a reader of the old one would go wrong. */
#define REPORT_SCHEMA_VERSION 2

struct report;
struct json;

/* Return a new report; NULL if memory runs out, report_write then says so. */
struct report *report_new(void);
void report_free(struct report *r); /* accepts NULL */

struct json *report_root(struct report *r);

/* Make report_write fail for want of memory: a builder had none for its part. */
void report_out_of_memory(struct report *r);

/* Add members to an object; within an array `key` is NULL. The result belongs to the report. */
struct json *json_object(struct report *r, struct json *in, const char *key);
struct json *json_object_named(struct report *r, struct json *in, const char *name); /* a key from a model: any bytes */
struct json *json_array(struct report *r, struct json *in, const char *key);
void json_string(struct report *r, struct json *in, const char *key, const char *value); /* NULL gives null */
void json_names(struct report *r, struct json *in, const char *key, const char *list);   /* an array, of "A, B"; "": none */
void json_number(struct report *r, struct json *in, const char *key, double value);
void json_bool(struct report *r, struct json *in, const char *key, bool value);
void json_null(struct report *r, struct json *in, const char *key);
bool json_given(struct report *r, struct json *in, const char *key, bool given); /* add null unless `given`, which it returns */

/* Move all of `from`, which is then empty, to the member `key` of an object; `from` is still the caller's to free. */
void json_take(struct report *r, struct json *in, const char *key, struct report *from);

/* Add several numbers, or several strings, of one object: JSON_NUMBERS(r, o, {"runs", n}, {"total_us", us}). */
struct json_figure {
    const char *key;
    double value;
};

struct json_word {
    const char *key, *value;
};

void json_numbers(struct report *r, struct json *in, const struct json_figure *list, size_t n);
void json_strings(struct report *r, struct json *in, const struct json_word *list, size_t n);

#define JSON_NUMBERS(r, in, ...)                                                                                                   \
    json_numbers(r, in, (const struct json_figure[]){__VA_ARGS__},                                                                 \
                 sizeof((const struct json_figure[]){__VA_ARGS__}) / sizeof(struct json_figure))
#define JSON_STRINGS(r, in, ...)                                                                                                   \
    json_strings(r, in, (const struct json_word[]){__VA_ARGS__},                                                                   \
                 sizeof((const struct json_word[]){__VA_ARGS__}) / sizeof(struct json_word))

/* Write the report to `path`, whole or not at all, or to standard output for "-"; say_finish tells whether that worked. */
enum status report_write(struct report *r, const char *path, struct err *err);
