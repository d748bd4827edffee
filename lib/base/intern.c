/* SPDX-License-Identifier: Apache-2.0 */
/* intern.c - a hash table with linear probing, never full. */
#include "lib/base/intern.h"

#include <assert.h>
#include <string.h>

#include "lib/base/hash64.h"

struct intern_slot {
    const void *key; /* NULL: free */
    size_t bytes;
    uint32_t number;
};

bool intern_init(struct intern *t, struct arena *a, size_t most)
{
    t->n_slots = 4;
    while (t->n_slots / 2 <= most)
        t->n_slots *= 2;
    return (t->slots = ARENA_ARRAY(a, t->n_slots, struct intern_slot)) != NULL;
}

uint32_t intern(struct intern *t, const void *key, size_t bytes, uint32_t number)
{
    size_t i = (size_t)hash64(key, bytes) & (t->n_slots - 1), steps = 0;

    for (; t->slots[i].key; i = (i + 1) & (t->n_slots - 1)) {
        if (t->slots[i].bytes == bytes && !memcmp(t->slots[i].key, key, bytes))
            return t->slots[i].number;
        assert(++steps < t->n_slots);
    }
    t->slots[i] = (struct intern_slot){key, bytes, number};
    return number;
}
