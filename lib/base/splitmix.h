/* SPDX-License-Identifier: Apache-2.0 */
/* splitmix.h - the splitmix64 generator: the same numbers from the same seed on every machine.
 *
 * Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014. Period 2^64; not for secrets. For
 * reproducible choices (lib/session/memory_planner.c, content of opcheck's cases); random inputs of the tools come from rng.h. */
#pragma once

#include <stdint.h>

/* Return the next 64 random bits; any state is a valid seed. */
static inline uint64_t splitmix_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
