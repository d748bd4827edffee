/* SPDX-License-Identifier: Apache-2.0 */
/* hash64.h - a fast hash of many bytes, to notice accidents: torn files, flipped bits. No protection against malice.
 *
 * Changes within one aligned word of eight bytes are always seen, any other accident is missed with a probability of about 2^-64.
 * About as fast as memory is read. The same on every machine of one byte order. */
#ifndef DELEGAUGE_HASH64_H
#define DELEGAUGE_HASH64_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash64(const void *data, size_t bytes);

/* hash64 and a second hash of the same form and other constants, for data that must be told from everything else there is: together
 * accidents are missed with a probability of about 2^-128. Takes twice as long. */
void hash128(const void *data, size_t bytes, uint64_t out[2]);

#endif
