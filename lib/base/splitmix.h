/* SPDX-License-Identifier: Apache-2.0 */
/* splitmix.h - the splitmix64 generator: the same numbers from the same seed on every machine.
 *
 * Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. 2^64 numbers until it repeats itself;
 * not for secrets. For choices that must come out the same each time (lib/session/memory_search.c, opcheck's content of
 * cases); random inputs of the tools are rng.h's. */
#ifndef DELEGAUGE_SPLITMIX_H
#define DELEGAUGE_SPLITMIX_H

#include <stdint.h>

/* The next 64 random bits; any state is a good seed. */
static inline uint64_t splitmix_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

#endif
