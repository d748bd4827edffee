/* SPDX-License-Identifier: Apache-2.0 */
/* hash64.c - four lanes, so that four multiplications are under way at a time.
 *
 * Every step is one-to-one in the lane and in the word: two contents that differ in one word have different lanes from there on. */
#include "hash64.h"

#include <string.h>

#define LANES 4
#define ODD_A 0x9e3779b97f4a7c15u
#define ODD_B 0xd6e8feb86659fd93u

/* The word is multiplied too: bits at a lane's end would else move on alone, and a second change could cancel the first. */
static uint64_t step(uint64_t lane, uint64_t word)
{
    lane += word * ODD_B;
    return (lane << 31 | lane >> 33) * ODD_A;
}

static uint64_t mix(uint64_t h)
{
    h = (h ^ h >> 32) * ODD_B;
    h = (h ^ h >> 32) * ODD_B;
    return h ^ h >> 32;
}

uint64_t hash64(const void *data, size_t bytes)
{
    uint64_t lane[LANES] = {1, 2, 3, 4}, word[LANES], h = bytes;
    const uint8_t *p = data;
    size_t i = 0;

    for (; bytes - i >= sizeof word; i += sizeof word) {
        memcpy(word, p + i, sizeof word);
        for (int k = 0; k < LANES; k++)
            lane[k] = step(lane[k], word[k]);
    }
    if (i < bytes) {
        memset(word, 0, sizeof word);
        memcpy(word, p + i, bytes - i);
        for (int k = 0; k < LANES; k++)
            lane[k] = step(lane[k], word[k]);
    }
    for (int k = 0; k < LANES; k++)
        h = mix(h ^ lane[k]);
    return h;
}
