/* SPDX-License-Identifier: Apache-2.0 */
/* tar.h - reads an untrusted tar archive (POSIX ustar).
 *
 * Strict on purpose: regular files only, short names without folders ("f32.4.tflite"), correct checksums, no extended headers,
 * nothing but zeros after the end. scripts/reference/conformance.py writes such archives, `tar tf` lists them. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

struct tar {
    const char *name; /* beginning of messages */
    const uint8_t *data;
    size_t bytes; /* of the whole archive */
    size_t at;    /* offset of the next header */
};

struct tar_member {
    char name[101];      /* "" past the last member */
    const uint8_t *data; /* in the archive, at a multiple of 512 bytes from its start */
    size_t bytes;
};

/* Begin to read an archive; its bytes are borrowed. */
struct tar tar_open(const char *name, const void *data, size_t bytes);

/* Store the next member in *m. Fails with ST_BAD_MODEL, naming the fault and its byte, if the archive is not as described; *m is
 * then past the last member. */
enum status tar_next(struct tar *t, struct tar_member *m, struct err *err);
