/* SPDX-License-Identifier: Apache-2.0 */
/* sha256.h - the SHA-256 of some bytes (FIPS 180-4), to tell one model from another. */
#ifndef DELEGAUGE_SHA256_H
#define DELEGAUGE_SHA256_H

#include <stddef.h>

#define SHA256_HEX_SIZE 65

/* Writes it as 64 hexadecimal digits, as sha256sum prints it, and returns `out`. */
const char *sha256_hex(const void *data, size_t bytes, char out[SHA256_HEX_SIZE]);

#endif
