/* SPDX-License-Identifier: Apache-2.0 */
/* sha256.h - SHA-256 (FIPS 180-4), to identify models. */
#pragma once

#include <stddef.h>

#define SHA256_HEX_SIZE 65

/* Write the hash of data[bytes] as 64 lower-case hexadecimal digits, as sha256sum prints it, and return `out`. */
const char *sha256_hex(const void *data, size_t bytes, char out[SHA256_HEX_SIZE]);
