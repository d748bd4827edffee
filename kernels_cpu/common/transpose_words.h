/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_words.h - transposition of four by four elements of 4 bytes, in vector registers. */
#pragma once

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Copy element i of line k, at from + k * from_line + 4 * i, to element k of line i, at to + i * to_line + 4 * k; both are below 4.
 * Strides are in bytes; nothing need be aligned. */
static inline void transpose_words(void *to, ptrdiff_t to_line, const void *from, ptrdiff_t from_line)
{
    typedef uint32_t four __attribute__((vector_size(16)));
    const uint8_t *in = from;
    uint8_t *out = to;
    four a, b, c, d, ab, ab2, cd, cd2;

    memcpy(&a, in, 16), memcpy(&b, in + from_line, 16);
    memcpy(&c, in + 2 * from_line, 16), memcpy(&d, in + 3 * from_line, 16);
    ab = __builtin_shufflevector(a, b, 0, 4, 1, 5), ab2 = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    cd = __builtin_shufflevector(c, d, 0, 4, 1, 5), cd2 = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    a = __builtin_shufflevector(ab, cd, 0, 1, 4, 5), b = __builtin_shufflevector(ab, cd, 2, 3, 6, 7);
    c = __builtin_shufflevector(ab2, cd2, 0, 1, 4, 5), d = __builtin_shufflevector(ab2, cd2, 2, 3, 6, 7);
    memcpy(out, &a, 16), memcpy(out + to_line, &b, 16);
    memcpy(out + 2 * to_line, &c, 16), memcpy(out + 3 * to_line, &d, 16);
}
