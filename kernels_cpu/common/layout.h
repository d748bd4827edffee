/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h - several arrays in one block of memory: a kernel's packed constants or its scratch.
 *
 *   struct layout l = {0};
 *   size_t sums = layout_add(&l, n, sizeof(float));      each piece aligned to 64
 *   cpu_pack(c, l.bytes, err);                           SIZE_MAX if the sizes overflow: refused as out of memory */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Initialize with zeros. `bytes` is the total of all pieces so far, a multiple of 64; after an overflow it stays SIZE_MAX. Offsets
 * count from the block's start, which is aligned to 64 in c->packed and c->scratch. The same calls in the same order give the same
 * offsets, so a layout need not be kept. */
struct layout {
    size_t bytes;
};

/* Add room for n elements of `size` bytes; return its offset, meaningless after an overflow. */
static inline size_t layout_add(struct layout *l, size_t n, size_t size)
{
    size_t at = l->bytes, bytes;

    /* Half the address space is the limit, so that rounding up cannot wrap. */
    if (__builtin_mul_overflow(n, size, &bytes) || __builtin_add_overflow(at, bytes, &l->bytes) || l->bytes > SIZE_MAX / 2)
        l->bytes = SIZE_MAX;
    else
        l->bytes = (l->bytes + 63) & ~(size_t)63;
    return at;
}
