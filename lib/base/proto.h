/* SPDX-License-Identifier: Apache-2.0 */
/* proto.h - messages of protocol buffers, written field by field.
 *
 * The wire format (protobuf.dev, "Encoding"): a message is its fields in any order, each a key (number << 3 | kind) and a value:
 * kind 0 a varint, seven bits a byte, the lowest first; kind 2 a length and so many bytes (texts, messages, packed lists); kind 5
 * four bytes. An inner message is written into a buffer of its own first, since its length comes before it.
 *
 *   struct proto inner = {0}, p = {0};
 *
 *   proto_int(&inner, 1, -5);
 *   proto_message(&p, 2, &inner);       inner is empty again
 *   if (p.failed) …                     memory ran out somewhere
 *   proto_free(&p);
 */
#ifndef DELEGAUGE_PROTO_H
#define DELEGAUGE_PROTO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Zeros are an empty message. */
struct proto {
    unsigned char *data; /* [n] malloc */
    size_t n, capacity;
    bool failed; /* memory ran out: data is not the message */
};

/* int32, int64, bool and enums; negative numbers take ten bytes, as the format has it. */
void proto_int(struct proto *p, uint32_t field, int64_t value);

void proto_float(struct proto *p, uint32_t field, float value);

/* Well-formed UTF-8 is the caller's to see to. */
void proto_string(struct proto *p, uint32_t field, const char *text);

/* Add a packed list; nothing if n is 0. */
void proto_packed(struct proto *p, uint32_t field, const int32_t *values, size_t n);

/* One more element of a packed list that is no field yet: proto_message makes it one. */
void proto_element_int(struct proto *list, int64_t value);
void proto_element_float(struct proto *list, float value);

/* Adds *inner as a field, empty or not, and empties it. */
void proto_message(struct proto *p, uint32_t field, struct proto *inner);

/* Empties it; accepts an empty one. */
void proto_free(struct proto *p);

#endif
