/* SPDX-License-Identifier: Apache-2.0 */
/* store_impl.h - a stored file's first bytes, as the reader and the writer of store.h know them.
 *
 * The head with its rows, then each section at the place that store_align gives it, with zeros between; numbers in the byte order
 * of the machine, since an entry is of no use to another. The reader trusts no member before it was held against the file's length
 * and hashes. */
#ifndef DELEGAUGE_STORE_IMPL_H
#define DELEGAUGE_STORE_IMPL_H

#include "lib/base/store.h"

#define STORE_MAGIC   "dgauge\r\n" /* a transfer as text would change it */
#define STORE_VERSION 1

/* A section: store_section.kind, its place counted from the file's beginning, its length, hash64 of its bytes. */
struct store_row {
    uint32_t kind, zero; /* zero: 0, as padding would be */
    uint64_t offset, bytes, hash;
};

struct store_head {
    char magic[8];
    uint32_t version, n_sections;
    uint64_t bytes;                            /* of the file */
    uint64_t hash;                             /* of the head, this member 0, and the rows that are there */
    char key[SHA256_HEX_SIZE - 1];             /* of the entry, in full: the file's name has its first half */
    struct store_row rows[STORE_SECTIONS_MAX]; /* [n_sections] are there */
};

/* Bytes of a head with n rows: the earliest place of the first section, before alignment. */
#define STORE_HEAD_BYTES(n) (offsetof(struct store_head, rows) + (n) * sizeof(struct store_row))

/* Return the first place of a section at or after `offset`, which is below 2^63. */
static inline uint64_t store_align(uint64_t offset)
{
    return (offset + STORE_ALIGN - 1) / STORE_ALIGN * STORE_ALIGN;
}

/* Return the hash of a head with n_sections <= STORE_SECTIONS_MAX. */
uint64_t store_head_hash(const struct store_head *h);

/* Remove entries until there is room for `bytes` in place of the entry at `id` (store_write). ST_IO: too much is in use, and
 * nothing was removed. */
enum status store_make_room(const struct store_id *id, uint64_t bytes, const struct store_bound *bound, struct err *err);

/* Write "DIR/TOKEN_KEY.dgs"; ST_IO if it is too long for path[size]. */
enum status store_path(const struct store_id *id, char *path, size_t size, struct err *err);

#endif
