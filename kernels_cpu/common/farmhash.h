/* SPDX-License-Identifier: Apache-2.0 */
/* farmhash.h - FarmHash's 64-bit fingerprint, the hash function of LSH_PROJECTION. */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Return the fingerprint of n bytes: the same on every machine, whatever its byte order or alignment. Source: Google's FarmHash
 * 1.1, farmhashna::Hash64, which Fingerprint64 keeps stable. */
uint64_t farmhash_fingerprint64(const void *data, size_t n);
