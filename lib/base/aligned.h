/* SPDX-License-Identifier: Apache-2.0 */
/* aligned.h - memory for vectors: aligned_alloc, which Android has from its API 28 on, without its word on sizes. */
#ifndef DELEGAUGE_ALIGNED_H
#define DELEGAUGE_ALIGNED_H

#include <stdlib.h>

#define VECTOR_ALIGN 64 /* of the widest vectors, and of a cache line */

/* `size` bytes, whose content is anything, at a multiple of `align`, a power of two and of a pointer's size; for free(). NULL: out
 * of memory. */
static inline void *aligned_new(size_t align, size_t size)
{
    void *p;

    return posix_memalign(&p, align, size) ? NULL : p;
}

#endif
