/* SPDX-License-Identifier: Apache-2.0 */
/* report_read.h - a JSON document that somebody else wrote, read without trust.
 *
 * The first thing that is not as it must be is remembered, with the path of the file and where it stands; from then on every
 * function gives nothing (NULL, 0, false), so that a reader of many members need only ask once, at the end:
 *
 *   if (!(st = reader_open(path, &r, &err))) {
 *       x = read_number(r, read_object(r, reader_root(r), "times_us"), "init");
 *       st = reader_status(r, &err);
 *   }
 *   reader_close(r);
 *
 * Names of members are compared to the letter. A document in which an object has two members of one name is refused, since readers
 * differ in which they take, and one with \u0000 in a text, which ends it to C. Texts belong to the reader. */
#ifndef DELEGAUGE_CMD_REPORT_READ_H
#define DELEGAUGE_CMD_REPORT_READ_H

#include <stdbool.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"

/* A document of more bytes is refused: a parsed one takes many times its size. */
#define READER_MAX_BYTES ((size_t)32 << 20)

struct reader;
struct json; /* a value; as in report.h it is another name for the one of the JSON library */

/* Reads and parses the file. ST_IO where it cannot be read; ST_USAGE where it is too long, no JSON from beginning to end, or
 * ambiguous as said above. *out
 * is NULL after a failure. */
enum status reader_open(const char *path, struct reader **out, struct err *err);
void reader_close(struct reader *r); /* accepts NULL */

/* The object that the document must be. */
const struct json *reader_root(struct reader *r);

/* ST_OK, or ST_USAGE with what was remembered. */
enum status reader_status(const struct reader *r, struct err *err);

/* Remembers a failure of the caller's, about the member `key` of `in`. */
void reader_refuse(struct reader *r, const struct json *in, const char *key, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* The member `key` of the object `in`, which must have it in this type. `in` may be NULL, after a failure or where an optional
 * object is missing: then nothing is read. */
const struct json *read_object(struct reader *r, const struct json *in, const char *key);
const char *read_string(struct reader *r, const struct json *in, const char *key);
double read_number(struct reader *r, const struct json *in, const char *key); /* finite */
bool read_bool(struct reader *r, const struct json *in, const char *key);

/* The same, but null or no such member gives NULL. */
const struct json *read_object_or_null(struct reader *r, const struct json *in, const char *key);
const struct json *read_list_or_null(struct reader *r, const struct json *in, const char *key);
const char *read_string_or_null(struct reader *r, const struct json *in, const char *key);

/* A list of times: finite numbers, none below 0. The array belongs to `a`; *n is their number. */
const double *read_times(struct reader *r, const struct json *in, const char *key, struct arena *a, size_t *n);

/* The first value of the list or object `key` of `in`, and the one after another in there; NULL at the end. */
const struct json *read_first(struct reader *r, const struct json *in, const char *key);
const struct json *read_next(const struct json *value);

/* The first member of an object that was read, or value of a list. */
const struct json *read_within(const struct json *object);

/* That a value of a list is an object, as its members are read from it. */
const struct json *read_as_object(struct reader *r, const struct json *list_value);

/* Likewise that it is a text, which it returns; NULL for others. */
const char *read_as_text(struct reader *r, const struct json *list_value);

/* The name of a member, and its value as a flag would be given: a text as it is, "true" and "false", a number in full. NULL, and a
 * failure remembered, for lists, objects and null. */
const char *read_name(const struct json *member);
const char *read_flag_value(struct reader *r, const struct json *member, struct arena *a);

#endif
