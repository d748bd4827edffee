/* SPDX-License-Identifier: Apache-2.0 */
/* arena.h - memory that is given out piece by piece and freed all at once.
 *
 * Plan-time data (decoded models, graphs, plans) lives in the arena of its owner and dies with it. */
#ifndef DELEGAUGE_ARENA_H
#define DELEGAUGE_ARENA_H

#include <stddef.h>

#include "lib/base/err.h"

struct arena_block;

struct arena {
    struct arena_block *head;
    size_t bytes; /* given out so far, padding included */
};

/* Zeroed memory for `n` objects of `size` bytes, aligned to 64, or NULL when memory runs out or n * size overflows.
 * n * size == 0 gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t n, size_t size);

/* A copy of `s`, or NULL. */
char *arena_strdup(struct arena *a, const char *s);

/* printf into the arena, or NULL. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Frees all of it; the arena can be used again. */
void arena_free(struct arena *a);

#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, n, type) ((type *)arena_alloc((a), (n), sizeof(type)))

#endif
