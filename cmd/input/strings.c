/* SPDX-License-Identifier: Apache-2.0 */
/* strings.c - strings ended by NULs packed into the layout of a STRING tensor. */
#include "cmd/input/strings.h"

#include <stdlib.h>
#include <string.h>

#define STRINGS_MAX_BYTES ((size_t)1 << 30)

static size_t count_strings(const char *text, size_t bytes)
{
    size_t n = bytes && text[bytes - 1];

    for (size_t i = 0; i < bytes; i++)
        n += !text[i];
    return n;
}

/* Packs n strings that end with NULs within text[bytes], or n times all of it where `repeat`. */
static enum status pack(struct session *s, uint32_t i, const char *text, size_t bytes, size_t n, bool repeat, struct err *err)
{
    size_t head = (n + 2) * sizeof(int32_t), total = head + (repeat ? n * bytes : bytes), at = head;
    int32_t *buffer = NULL;
    enum status st;

    if (n > STRINGS_MAX_BYTES / 64 || total > STRINGS_MAX_BYTES || !(buffer = calloc(1, total)))
        return err_set(err, ST_NOMEM, "input %u: out of memory for %zu strings", i, n);
    buffer[0] = (int32_t)n;
    for (size_t k = 0; k < n; k++) {
        size_t length = strnlen(text, bytes);

        buffer[1 + k] = (int32_t)at;
        memcpy((char *)buffer + at, text, length);
        at += length;
        if (!repeat && k + 1 < n) {
            text += length + 1;
            bytes -= length + 1;
        }
    }
    buffer[1 + n] = (int32_t)at;
    st = session_set_input(s, i, buffer, at, err);
    free(buffer);
    return st;
}

enum status strings_set(struct session *s, uint32_t i, const char *text, size_t bytes, const char *what, struct err *err)
{
    size_t n = count_strings(text, bytes), need = tensor_elems(session_input(s, i));

    if (n != need)
        return err_set(err, ST_USAGE, "%s has %zu strings, input '%.100s' needs %zu", what, n, session_input(s, i)->name, need);
    return pack(s, i, text, bytes, n, false, err);
}

enum status strings_set_default(struct session *s, uint32_t i, struct err *err)
{
    static const char text[] = "It was a bright morning, and the ship lay quietly at anchor in the bay.";

    return pack(s, i, text, sizeof text - 1, tensor_elems(session_input(s, i)), true, err);
}
