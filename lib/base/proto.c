/* SPDX-License-Identifier: Apache-2.0 */
/* proto.c - keys, varints, lengths. */
#include "lib/base/proto.h"

#include <stdlib.h>
#include <string.h>

enum wire_kind { WIRE_VARINT = 0, WIRE_EIGHT_BYTES = 1, WIRE_LENGTH = 2, WIRE_FOUR_BYTES = 5 };

static void put(struct proto *p, const void *data, size_t n)
{
    if (p->failed || n > SIZE_MAX / 2 - p->n) {
        p->failed = true;
        return;
    }
    if (p->n + n > p->capacity) {
        const size_t capacity = 2 * (p->n + n) + 64;
        unsigned char *grown = realloc(p->data, capacity);

        if (!grown) {
            p->failed = true;
            return;
        }
        p->data = grown;
        p->capacity = capacity;
    }
    if (n)
        memcpy(p->data + p->n, data, n);
    p->n += n;
}

static void put_varint(struct proto *p, uint64_t value)
{
    unsigned char bytes[10];
    size_t n = 0;

    for (; value > 0x7f; value >>= 7)
        bytes[n++] = (unsigned char)(value | 0x80);
    bytes[n++] = (unsigned char)value;
    put(p, bytes, n);
}

static void put_key(struct proto *p, uint32_t field, enum wire_kind kind)
{
    put_varint(p, (uint64_t)field << 3 | kind);
}

static void put_bytes(struct proto *p, uint32_t field, const void *data, size_t n)
{
    put_key(p, field, WIRE_LENGTH);
    put_varint(p, n);
    put(p, data, n);
}

void proto_int(struct proto *p, uint32_t field, int64_t value)
{
    put_key(p, field, WIRE_VARINT);
    put_varint(p, (uint64_t)value);
}

void proto_element_int(struct proto *list, int64_t value)
{
    put_varint(list, (uint64_t)value);
}

void proto_element_float(struct proto *list, float value)
{
    unsigned char bytes[4];
    uint32_t bits;

    memcpy(&bits, &value, sizeof bits);
    for (uint32_t i = 0; i < 4; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    put(list, bytes, 4);
}

void proto_float(struct proto *p, uint32_t field, float value)
{
    put_key(p, field, WIRE_FOUR_BYTES);
    proto_element_float(p, value);
}

void proto_double(struct proto *p, uint32_t field, double value)
{
    unsigned char bytes[8];
    uint64_t bits;

    put_key(p, field, WIRE_EIGHT_BYTES);
    memcpy(&bits, &value, sizeof bits);
    for (uint32_t i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    put(p, bytes, 8);
}

void proto_string(struct proto *p, uint32_t field, const char *text)
{
    put_bytes(p, field, text, strlen(text));
}

void proto_packed(struct proto *p, uint32_t field, const int32_t *values, size_t n)
{
    struct proto list = {0};

    for (size_t i = 0; i < n; i++)
        proto_element_int(&list, values[i]);
    if (n)
        proto_message(p, field, &list);
}

void proto_message(struct proto *p, uint32_t field, struct proto *inner)
{
    p->failed |= inner->failed;
    put_bytes(p, field, inner->data, inner->n);
    proto_free(inner);
}

void proto_free(struct proto *p)
{
    free(p->data);
    *p = (struct proto){0};
}
