/* SPDX-License-Identifier: Apache-2.0 */
/* philox.h - Philox 4x32-10: four random numbers from a counter and a key.
 *
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011. Counter-based: no state but the
 * caller's; equal arguments give equal numbers on every machine. RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL, MULTINOMIAL and
 * STABLEHLO_RNG_BIT_GENERATOR use it, as TensorFlow's random operators do.
 *
 * The caller increments the counter from its lowest word; how each operator converts a draw to its results is in ops/random.c and
 * ops/rng_bits.c. Not for cryptography. lib/tensor/rng.h generates test inputs. */
#pragma once

#include <stdint.h>
#include <string.h>

/* Store four uniform 32-bit numbers in out[4]. Each of ten rounds makes two 32 x 32 bit products and mixes in the key, to which
 * Weyl constants are added between rounds. key and counter begin with the lowest word. out must not overlap counter. */
static inline void philox_draw(const uint32_t key[2], const uint32_t counter[4], uint32_t out[4])
{
    uint32_t k0 = key[0], k1 = key[1];

    memcpy(out, counter, 4 * sizeof *out);
    for (int round = 0; round < 10; round++) {
        /* The multipliers and, below, the Weyl constants (of the golden ratio and of sqrt(3) - 1) are the paper's. */
        uint64_t a = (uint64_t)out[0] * 0xD2511F53, b = (uint64_t)out[2] * 0xCD9E8D57;

        out[0] = (uint32_t)(b >> 32) ^ out[1] ^ k0;
        out[2] = (uint32_t)(a >> 32) ^ out[3] ^ k1;
        out[1] = (uint32_t)b;
        out[3] = (uint32_t)a;
        k0 += 0x9E3779B9;
        k1 += 0xBB67AE85;
    }
}
