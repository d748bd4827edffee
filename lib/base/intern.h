/* SPDX-License-Identifier: Apache-2.0 */
/* intern.h - a table that finds the equal of a piece of bytes among the pieces seen before, in constant time.
 *
 * For things that are made once and used by whoever needs an equal one: numbers of dispatches, views of buffers. Equality means
 * equal bytes, so structs used as keys have no padding, or have it zeroed. */
#ifndef DELEGAUGE_INTERN_H
#define DELEGAUGE_INTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"

/* Members are private. */
struct intern {
    struct intern_slot *slots;
    size_t n_slots; /* a power of 2, more than twice the keys */
};

/* An empty table for at most `most` different keys; its memory is the arena's, 24 bytes for each of at most 4 * most + 4 slots.
 * False: out of memory. */
bool intern_init(struct intern *t, struct arena *a, size_t most);

/* The number that came with an equal key before; with none, `number`, which is kept for the next. key[bytes] is borrowed,
 * unchanged, for as long as the table is used. */
uint32_t intern(struct intern *t, const void *key, size_t bytes, uint32_t number);

#endif
