/* SPDX-License-Identifier: Apache-2.0 */
/* report_read.h - a JSON document that somebody else wrote, read without trust.
 *
 * The first fault is remembered, with the path of the file and its place; from then on every function gives nothing (NULL, 0,
 * false), so that a reader of many members need only ask once, at the end:
 *
 *   if (!(st = reader_open(path, &r, &err))) {
 *       x = read_number(r, read_object(r, reader_root(r), "times_us"), "init");
 *       st = reader_status(r, &err);
 *   }
 *   reader_close(r);
 *
 * Names of members are compared to the letter. A document is refused if an object has two members of one name, since readers differ
 * in which they take, or if a text has \u0000, which ends it in C. Texts belong to the reader. */
#pragma once

#include <stdbool.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"

/* A document of more bytes is refused: a parsed one takes many times its size. */
#define READER_MAX_BYTES ((size_t)32 << 20)

struct reader;
struct json; /* a value; as in report.h it is another name for the one of the JSON library */

/* Read and parse the file. ST_IO if it cannot be read; ST_USAGE if it is too long, no JSON from beginning to end, or ambiguous as
 * said above. *out is NULL after a failure. */
enum status reader_open(const char *path, struct reader **out, struct err *err);
void reader_close(struct reader *r); /* accepts NULL */

/* Return the root object; a document of another type is a failure. */
const struct json *reader_root(struct reader *r);

/* Return ST_OK, or ST_USAGE with the remembered fault. */
enum status reader_status(const struct reader *r, struct err *err);

/* Remember a failure of the caller's, about the member `key` of `in`. */
void reader_refuse(struct reader *r, const struct json *in, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Return the member `key` of the object `in`, which must have it in this type. `in` may be NULL, after a failure or if an optional
 * object is missing: then nothing is read. */
const struct json *read_object(struct reader *r, const struct json *in, const char *key);
const char *read_string(struct reader *r, const struct json *in, const char *key);
double read_number(struct reader *r, const struct json *in, const char *key); /* finite */
bool read_bool(struct reader *r, const struct json *in, const char *key);

/* Return the same, but NULL if the member is null or missing. */
const struct json *read_object_or_null(struct reader *r, const struct json *in, const char *key);
const struct json *read_list_or_null(struct reader *r, const struct json *in, const char *key);
const char *read_string_or_null(struct reader *r, const struct json *in, const char *key);

/* Return a list of times: finite numbers, none below 0. The array belongs to `a`; *n is their number. */
const double *read_times(struct reader *r, const struct json *in, const char *key, struct arena *a, size_t *n);

/* Return the first value of the list or object `key` of `in`, and the value after a given one; NULL at the end. */
const struct json *read_first(struct reader *r, const struct json *in, const char *key);
const struct json *read_next(const struct json *value);

/* Return the first member of an object that was read, or the first value of a list. */
const struct json *read_within(const struct json *object);

/* Return a value of a list as an object, which it must be, so that its members can be read. */
const struct json *read_as_object(struct reader *r, const struct json *list_value);

/* Return a value of a list as a text, which it must be; NULL for others. */
const char *read_as_text(struct reader *r, const struct json *list_value);

/* Return the name of a member, and its value as a flag would be given: a text unchanged, "true" and "false", a number in full.
 * NULL, and a failure remembered, for lists, objects and null. */
const char *read_name(const struct json *member);
const char *read_flag_value(struct reader *r, const struct json *member, struct arena *a);
