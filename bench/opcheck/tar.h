/* SPDX-License-Identifier: Apache-2.0 */
/* tar.h - reading a plain tar archive (POSIX ustar) that is not trusted.
 *
 * Strict on purpose: regular files only, with short names without folders ("f32.4.tflite"), every header's checksum right, no
 * extended headers, and nothing but zeros after the end. scripts/reference/conformance.py writes such archives and `tar tf` lists
 * them. */
#ifndef DELEGAUGE_BENCH_TAR_H
#define DELEGAUGE_BENCH_TAR_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

struct tar {
    const char *name; /* begins the messages */
    const uint8_t *data;
    size_t bytes; /* of data, all of it */
    size_t at;    /* offset of the next header */
};

struct tar_member {
    char name[101];      /* "" past the last member */
    const uint8_t *data; /* within the archive, at a multiple of 512 bytes from its start */
    size_t bytes;
};

/* Borrows the bytes of a whole archive. */
struct tar tar_open(const char *name, const void *data, size_t bytes);

/* Store the next member, in the order of the archive. ST_BAD_MODEL: it is not such an archive; the message says the fault and its
 * byte, and *m is past the last member. */
enum status tar_next(struct tar *t, struct tar_member *m, struct err *err);

#endif
