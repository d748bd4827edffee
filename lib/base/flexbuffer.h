/* SPDX-License-Identifier: Apache-2.0 */
/* flexbuffer.h - reading of custom operators' options: numbers and strings in an untrusted FlexBuffers map.
 *
 * A FlexBuffer ends with its root's type and width; a map has values and a separate vector of sorted keys. All offsets point back.
 * Source: FlexBuffers' format in the documentation of Google's flatbuffers. Custom operators of TFLite and MediaPipe store their
 * attributes so, by name; for a missing one the kernel passes the default as `fallback`. Every read is checked: a broken buffer
 * gives fallbacks, never a read out of bounds. Keys are searched linearly, since maps are small. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* An open map; nothing to free. */
struct flex_map {
    const uint8_t *data; /* the whole buffer, borrowed */
    size_t bytes;
    size_t values, keys;      /* offsets of the first value and the first key */
    size_t n;                 /* number of keys, and of values */
    uint8_t width, key_width; /* bytes of one value, of one key's offset */
};

/* Open the root map. Fails if the root is not a map, or if the map's vectors exceed the buffer. */
enum status flex_open(const void *data, size_t bytes, struct flex_map *out, struct err *err);

/* Return the number or bool under `key`, or `fallback` if there is none or it is out of bounds. */
double flex_number(const struct flex_map *m, const char *key, double fallback);

/* Return flex_number as an int32: truncated, saturating; NaN gives the fallback. */
int32_t flex_int(const struct flex_map *m, const char *key, int32_t fallback);

/* Return true if the value under `key` is this string. */
bool flex_string_is(const struct flex_map *m, const char *key, const char *text);

/* A vector of integers of one type. */
struct flex_ints {
    const uint8_t *data; /* the first element */
    size_t n;
    uint8_t width; /* bytes of one element */
    bool is_signed;
};

/* Return the vector under `key`; n is 0 if there is none or it is out of bounds. */
struct flex_ints flex_vector(const struct flex_map *m, const char *key);

/* Return element i < v->n as an int32, saturating. */
int32_t flex_vector_int(const struct flex_ints *v, size_t i);
