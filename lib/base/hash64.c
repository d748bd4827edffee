/* SPDX-License-Identifier: Apache-2.0 */
/* hash64.c - four lanes, so that four multiplications are under way at a time.
 *
 * Every step is one-to-one in the lane and in the word: two contents that differ in one word have different lanes from there on. */
#include "lib/base/hash64.h"

#include <string.h>

#define LANES 4

/* What tells one function of this form from another: odd factors, a rotation, and what the lanes begin with. */
struct constants {
    uint64_t a, b;
    unsigned turn;
    uint64_t lane[LANES];
};

static const struct constants first = {0x9e3779b97f4a7c15u, 0xd6e8feb86659fd93u, 31, {1, 2, 3, 4}},
                              second = {0xc2b2ae3d27d4eb4fu, 0xa0761d6478bd642fu, 27, {5, 6, 7, 8}};

/* The word is multiplied too: bits at a lane's end would else move on alone, and a second change could cancel the first. */
static inline uint64_t step(const struct constants *c, uint64_t lane, uint64_t word)
{
    lane += word * c->b;
    return (lane << c->turn | lane >> (64 - c->turn)) * c->a;
}

static inline uint64_t mix(const struct constants *c, uint64_t h)
{
    h = (h ^ h >> 32) * c->b;
    h = (h ^ h >> 32) * c->b;
    return h ^ h >> 32;
}

/* Inlined, so that the constants are literals of the loop. */
static inline __attribute__((always_inline)) uint64_t hash(const struct constants *c, const uint8_t *p, size_t bytes)
{
    uint64_t lane[LANES], word[LANES], h = bytes;
    size_t i = 0;

    memcpy(lane, c->lane, sizeof lane);
    for (; bytes - i >= sizeof word; i += sizeof word) {
        memcpy(word, p + i, sizeof word);
        for (int k = 0; k < LANES; k++)
            lane[k] = step(c, lane[k], word[k]);
    }
    if (i < bytes) {
        memset(word, 0, sizeof word);
        memcpy(word, p + i, bytes - i);
        for (int k = 0; k < LANES; k++)
            lane[k] = step(c, lane[k], word[k]);
    }
    for (int k = 0; k < LANES; k++)
        h = mix(c, h ^ lane[k]);
    return h;
}

uint64_t hash64(const void *data, size_t bytes)
{
    return hash(&first, data, bytes);
}

void hash128(const void *data, size_t bytes, uint64_t out[2])
{
    out[0] = hash(&first, data, bytes);
    out[1] = hash(&second, data, bytes);
}
