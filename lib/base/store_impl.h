/* SPDX-License-Identifier: Apache-2.0 */
/* store_impl.h - the head of a stored file, shared by reader and writer of store.h.
 *
 * The head with its rows comes first, then each section at the offset of store_align, with zeros in between; numbers are in the
 * machine's byte order, since entries are for this machine only. The reader checks each member against the file's length and hashes
 * before it uses it. */
#pragma once

#include "lib/base/store.h"

#define STORE_MAGIC   "dgauge\r\n" /* with a line end, which a transfer in text mode would change */
#define STORE_VERSION 1

/* A section's row in the table. */
struct store_row {
    uint32_t kind, zero;          /* store_section.kind; 0 in the place of padding */
    uint64_t offset, bytes, hash; /* offset from the start of the file, length, hash64 of the content */
};

struct store_head {
    char magic[8];
    uint32_t version, n_sections;
    uint64_t bytes;                            /* size of the file */
    uint64_t hash;                             /* hash64 of head and rows, with 0 in this member */
    char key[SHA256_HEX_SIZE - 1];             /* the whole key; the file's name has its first half */
    struct store_row rows[STORE_SECTIONS_MAX]; /* [n_sections] are in the file */
};

/* Bytes of a head with n rows; the first section follows, aligned. */
#define STORE_HEAD_BYTES(n) (offsetof(struct store_head, rows) + (n) * sizeof(struct store_row))

/* Round `offset`, below 2^63, up to the next possible offset of a section. */
static inline uint64_t store_align(uint64_t offset)
{
    return (offset + STORE_ALIGN - 1) / STORE_ALIGN * STORE_ALIGN;
}

/* Return the hash of a head with n_sections <= STORE_SECTIONS_MAX. */
uint64_t store_head_hash(const struct store_head *h);

/* Remove entries until `bytes` fit the bound in place of the entry `id` (store_write). Fails with ST_IO, with nothing removed, if
 * too much is in use. */
enum status store_make_room(const struct store_id *id, uint64_t bytes, const struct store_bound *bound, struct err *err);

/* Write "DIR/TOKEN_KEY.dgs" to path[size]. Fails with ST_IO if it is too long. */
enum status store_path(const struct store_id *id, char *path, size_t size, struct err *err);
