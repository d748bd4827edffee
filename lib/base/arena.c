/* SPDX-License-Identifier: Apache-2.0 */
/* arena.c - blocks of doubling size, the newest first: an allocation is a step of an offset, freeing walks the blocks. */
#include "lib/base/arena.h"
#include "lib/base/aligned.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define ALIGN 64
/* make faults: each allocation has a block of its own, so that each can fail. */
#ifdef ARENA_ALONE
#define BLOCK_AFTER(b) 0
#else
#define MIN_BLOCK      16384
#define BLOCK_AFTER(b) ((b) ? (b)->size < 1 << 20 ? 2 * (b)->size : (b)->size : MIN_BLOCK)
#endif

struct arena_block {
    struct arena_block *next;
    size_t size, used; /* bytes of data[] */
    _Alignas(ALIGN) unsigned char data[];
};

static struct arena_block *block_new(size_t size)
{
    struct arena_block *b;

    if (size > SIZE_MAX - sizeof *b - ALIGN)
        return NULL;
    size = (size + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    b = aligned_new(ALIGN, sizeof *b + size);
    if (!b)
        return NULL;
    b->size = size;
    b->used = 0;
    return b;
}

void *arena_alloc(struct arena *a, size_t n, size_t size)
{
    struct arena_block *b = a->head;
    size_t bytes;
    void *p;

    if (__builtin_mul_overflow(n, size, &bytes) || bytes > SIZE_MAX / 2)
        return NULL;
    bytes = (bytes + ALIGN - 1) & ~(size_t)(ALIGN - 1);
    if (!b || b->size - b->used < bytes) {
        const size_t want = BLOCK_AFTER(b);

        if (!(b = block_new(bytes > want ? bytes : want)))
            return NULL;
        b->next = a->head;
        a->head = b;
    }
    p = b->data + b->used;
    b->used += bytes;
    a->bytes += bytes;
    return memset(p, 0, bytes);
}

char *arena_strdup(struct arena *a, const char *s)
{
    size_t n = strlen(s) + 1;
    char *p = arena_alloc(a, n, 1);

    return p ? memcpy(p, s, n) : NULL;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
    va_list ap, again;
    char *p = NULL;
    int n;

    va_start(ap, fmt);
    va_copy(again, ap);
    n = vsnprintf(NULL, 0, fmt, ap);
    if (n >= 0 && (p = arena_alloc(a, (size_t)n + 1, 1)))
        vsnprintf(p, (size_t)n + 1, fmt, again);
    va_end(again);
    va_end(ap);
    return p;
}

void arena_free(struct arena *a)
{
    while (a->head) {
        struct arena_block *b = a->head;

        a->head = b->next;
        free(b);
    }
    a->bytes = 0;
}
