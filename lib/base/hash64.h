/* SPDX-License-Identifier: Apache-2.0 */
/* hash64.h - a fast checksum against accidents such as torn files and flipped bits, not against malice.
 *
 * Detects every change within one aligned word of eight bytes, and misses other accidents with a probability of about 2^-64. About
 * as fast as reading memory. Equal on all machines of one byte order. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Return the hash of data[bytes]. */
uint64_t hash64(const void *data, size_t bytes);

/* Compute hash64 and a second hash with other constants, for use as an identity: collisions by accident have a probability of about
 * 2^-128. Takes twice as long. */
void hash128(const void *data, size_t bytes, uint64_t out[2]);
