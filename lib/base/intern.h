/* SPDX-License-Identifier: Apache-2.0 */
/* intern.h - a hash table that maps equal keys to one number, in constant time.
 *
 * For objects that are made once and shared: uniforms of dispatches, views of buffers. Keys are compared by their bytes, so that
 * structs used as keys need zeroed padding, or none. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"

/* Members are private. */
struct intern {
    struct intern_slot *slots;
    size_t n_slots; /* a power of 2, more than twice the keys */
};

/* Make an empty table for at most `most` different keys, in the arena: 24 bytes for each of at most 4 * most + 4 slots. Return
 * false if out of memory. */
bool intern_init(struct intern *t, struct arena *a, size_t most);

/* Return the number of an equal earlier key; if there is none, add key[bytes] with `number` and return `number`. The key is
 * borrowed: keep it unchanged while the table is used. */
uint32_t intern(struct intern *t, const void *key, size_t bytes, uint32_t number);
