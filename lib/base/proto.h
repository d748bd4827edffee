/* SPDX-License-Identifier: Apache-2.0 */
/* proto.h - writing of protocol buffer messages, field by field.
 *
 * The wire format (protobuf.dev, "Encoding"): a message is a sequence of fields in any order, each a key (number << 3 | kind) and a
 * value: kind 0 is a varint, seven bits per byte, the lowest first; kind 1 eight bytes; kind 2 a length and as many bytes (strings,
 * messages, packed lists); kind 5 four bytes. An inner message is written to a buffer of its own first, since its length precedes
 * it.
 *
 *   struct proto inner = {0}, p = {0};
 *
 *   proto_int(&inner, 1, -5);
 *   proto_message(&p, 2, &inner);       inner is empty again
 *   if (p.failed) …                     memory ran out somewhere
 *   proto_free(&p);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A message. Zeroed: empty. */
struct proto {
    unsigned char *data; /* [n] malloc */
    size_t n, capacity;
    bool failed; /* memory ran out: data is not the message */
};

/* Add an int32, int64, bool or enum; negative numbers take ten bytes, as the format requires. */
void proto_int(struct proto *p, uint32_t field, int64_t value);

void proto_float(struct proto *p, uint32_t field, float value);
void proto_double(struct proto *p, uint32_t field, double value);

/* Add a string, which must be valid UTF-8. */
void proto_string(struct proto *p, uint32_t field, const char *text);

/* Add a packed list; nothing if n is 0. */
void proto_packed(struct proto *p, uint32_t field, const int32_t *values, size_t n);

/* Append an element to a packed list, which proto_message adds as a field later. */
void proto_element_int(struct proto *list, int64_t value);
void proto_element_float(struct proto *list, float value);

/* Add *inner as a field, empty or not, and empty it. */
void proto_message(struct proto *p, uint32_t field, struct proto *inner);

/* Free the message, and leave it empty. */
void proto_free(struct proto *p);
