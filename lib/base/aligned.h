/* SPDX-License-Identifier: Apache-2.0 */
/* aligned.h - aligned memory for vectors. aligned_alloc is missing on Android before API 28, and restricts sizes. */
#pragma once

#include <stdlib.h>

#define VECTOR_ALIGN 64 /* bytes: the widest vectors, and a cache line */

/* Allocate `size` bytes of undefined content at a multiple of `align`, which is a power of two and a multiple of a pointer's size.
 * The caller calls free(). NULL: out of memory. */
static inline void *aligned_new(size_t align, size_t size)
{
    void *p;

    return posix_memalign(&p, align, size) ? NULL : p;
}
