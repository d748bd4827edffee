/* SPDX-License-Identifier: Apache-2.0 */
/* binaries.h - programs as the driver compiled them, to be given back to it at the next start instead of their sources.
 *
 * A block of binaries is made of records: struct gl_binary, then its bytes, up to a multiple of 8. It is good for the driver that
 * made it, of the same version; the driver itself has the last word (GL_LINK_STATUS after glProgramBinary). */
#pragma once

#include <stddef.h>

#include "lib/gl/device/program.h"

struct gl_binary {
    char hash[SHA256_HEX_SIZE - 1]; /* of the program's source */
    uint32_t format, bytes;
};

/* Whether the driver has a format for binaries. The context is current. */
bool gl_binaries_can(void);

/* Builds the programs of the set that are not built yet from those in block[bytes] that have their hash; true: now all are built.
 * The block may be anything: it is held against its end. The context is current. */
bool gl_binaries_load(struct gl_program_set *set, const void *block, size_t bytes);

/* A block of the programs of the set, which are built, and were compiled to be kept (gl_building) or loaded; of no bytes where the
 * driver does not give all of them. *block is malloc'ed, the caller's to free. Fails only with ST_NOMEM. */
enum status gl_binaries_save(const struct gl_program_set *set, void **block, size_t *bytes, struct err *err);
