/* SPDX-License-Identifier: Apache-2.0 */
/* arena.h - memory that is allocated piece by piece and freed all at once.
 *
 * Plan-time data (decoded models, graphs, plans) lives in its owner's arena. Initialize an arena to zero. */
#pragma once

#include <stddef.h>

#include "lib/base/err.h"

struct arena_block;

struct arena {
    struct arena_block *head;
    size_t bytes; /* allocated so far, padding included */
};

/* Allocate zeroed memory for `n` objects of `size` bytes, aligned to 64. NULL: out of memory, or n * size overflows. n * size == 0
 * gives a valid pointer. */
void *arena_alloc(struct arena *a, size_t n, size_t size);

/* Copy `s` into the arena. NULL: out of memory. */
char *arena_strdup(struct arena *a, const char *s);

/* Format a string into the arena, as printf does. NULL: out of memory. */
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Free all memory of the arena, which can then be used again. */
void arena_free(struct arena *a);

#define ARENA_NEW(a, type)      ((type *)arena_alloc((a), 1, sizeof(type)))
#define ARENA_ARRAY(a, n, type) ((type *)arena_alloc((a), (n), sizeof(type)))
