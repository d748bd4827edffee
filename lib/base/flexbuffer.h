/* SPDX-License-Identifier: Apache-2.0 */
/* flexbuffer.h - reading the options of custom operators: numbers and strings in a FlexBuffers map, from bytes not trusted.
 *
 * A FlexBuffer ends with its root's type and width; maps hold values and, elsewhere, their sorted keys. All offsets point back.
 * Source: FlexBuffers' format in the documentation of Google's flatbuffers. TFLite's custom operators and MediaPipe's write their
 * attributes so, by name; missing ones mean the default that the operator's kernel gives as `fallback`. Every read is checked, so
 * a broken buffer gives fallbacks, never a read outside. Keys are looked up one after the other: maps are small. */
#ifndef DELEGAUGE_FLEXBUFFER_H
#define DELEGAUGE_FLEXBUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

/* An open map; nothing to free. */
struct flex_map {
    const uint8_t *data; /* the whole buffer, borrowed */
    size_t bytes;
    size_t values, keys; /* offsets of the first of each */
    size_t n;
    uint8_t width, key_width; /* bytes of one */
};

/* Open the root map. Fails if the root is not a map, or if the map's own vectors do not lie within the buffer. */
enum status flex_open(const void *data, size_t bytes, struct flex_map *out, struct err *err);

/* Return the number or bool under `key`; `fallback` if there is none, or if it lies outside the buffer. */
double flex_number(const struct flex_map *m, const char *key, double fallback);

/* Return the same as an int32: cut to whole, saturating; NaN gives the fallback. */
int32_t flex_int(const struct flex_map *m, const char *key, int32_t fallback);

/* True if `key` holds this string. */
bool flex_string_is(const struct flex_map *m, const char *key, const char *text);

/* A vector of integers of one type. */
struct flex_ints {
    const uint8_t *data; /* its first element */
    size_t n;
    uint8_t width;
    bool is_signed;
};

/* Return the vector under `key`; n is 0 if there is none, or if it lies outside the buffer. */
struct flex_ints flex_vector(const struct flex_map *m, const char *key);

/* Return element i < v->n, saturating. */
int32_t flex_vector_int(const struct flex_ints *v, size_t i);

#endif
