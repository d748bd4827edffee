/* SPDX-License-Identifier: Apache-2.0 */
/* json_stream.h - a JSON document read once from beginning to end, in a buffer of fixed size: annotations of data sets have
 * hundreds of megabytes, of which a tree in memory takes many times as much.
 *
 * The first fault is remembered, with the path of the file and the byte; from then on every function gives nothing (false, 0, ""):
 *
 *   if (!(st = json_stream_open(path, &s, &err))) {
 *       for (bool more = json_stream_object(s, key); more; more = json_stream_member(s, key))
 *           if (!strcmp(key, "id"))
 *               id = json_stream_integer(s);
 *           else
 *               json_stream_skip(s);
 *       st = json_stream_close(s, &err);
 *   }
 *
 * Source: RFC 8259. Of two members of one name the last counts, as in most readers. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

struct json_stream;

/* Open the file. ST_IO if it cannot be read. */
enum status json_stream_open(const char *path, struct json_stream **out, struct err *err);

/* Close the file, which must have been read to the end of its document. ST_USAGE for anything behind that; ST_USAGE, ST_IO or
 * ST_NOMEM for the remembered fault. */
enum status json_stream_close(struct json_stream *s, struct err *err);

/* Remember a fault of the caller's: the last value is forbidden (ST_USAGE), or there is no memory for it (ST_NOMEM).
 */
void json_stream_refuse(struct json_stream *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void json_stream_no_memory(struct json_stream *s, size_t n, const char *what);

#define JSON_STREAM_KEY 64 /* bytes for a name; a longer one is cut, so that it is none that a reader knows */

/* Enter an object, or go on to its next member: the name of the member, whose value is read next; false at the end. */
bool json_stream_object(struct json_stream *s, char key[JSON_STREAM_KEY]);
bool json_stream_member(struct json_stream *s, char key[JSON_STREAM_KEY]);

/* Enter a list, or go on to its next value, which is read next; false at the end. */
bool json_stream_list(struct json_stream *s);
bool json_stream_value(struct json_stream *s);

/* Read a value of one type; another one is a fault. Numbers are the doubles nearest to their digits. */
double json_stream_number(struct json_stream *s);
int64_t json_stream_integer(struct json_stream *s); /* a whole number, up to 2^53 from 0 */
bool json_stream_flag(struct json_stream *s);       /* true, false, or a number that is not 0 */

/* Read a text into out[size] as UTF-8, cut at the end of a character if it is longer; one with \u0000 is a fault. */
void json_stream_text(struct json_stream *s, char *out, size_t size);

/* Read over a value of any type. */
void json_stream_skip(struct json_stream *s);
