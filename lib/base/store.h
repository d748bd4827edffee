/* SPDX-License-Identifier: Apache-2.0 */
/* store.h - a cache of files that keep costly results for the next start, with any content.
 *
 * An entry is one file of a folder, found by a key that identifies everything on which its content depends. Files never change:
 * each is written under a temporary name, synchronized (fsync), then renamed, so that any number of processes and threads may share
 * a folder without locks, and a killed one leaves at most a temporary file. A file is verified before any of it is used: an entry
 * is as it was written, or absent. Files are for the machine that wrote them (byte order).
 *
 *   struct head, 96 bytes    magic, version, number of sections, bytes of the file, hash64 of head and table, key
 *   table, 32 bytes each     kind, offset, bytes and hash64 of a section
 *   sections                 each at the next multiple of STORE_ALIGN, zeros between them; the file ends with the last
 *
 * The table and every section have a hash of 64 bits (hash64.h): good against accidents, not against malice. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/sha256.h"

#define STORE_ALIGN        64
#define STORE_SECTIONS_MAX 16

/* Seconds without a write after which a temporary file counts as left by a killed process; the next store_write removes it. */
#define STORE_STALE_S 600

/* The prefix of temporary files' names. */
#define STORE_TEMPORARY ".delegauge-"

/* The identity of an entry: a folder (store_make_dir), a prefix of file names (store_check_token), and the key. The file is
 * DIR/TOKEN_KEY.dgs with the first 32 digits of the key; the file contains the whole key. */
struct store_id {
    const char *dir, *token;
    char key[SHA256_HEX_SIZE];
};

/* A piece of an entry. */
struct store_section {
    uint32_t kind; /* chosen by the caller; unique within an entry */
    const void *data;
    size_t bytes;
};

/* An open entry. Sections point into the mapped file, aligned to STORE_ALIGN. Zeroed: none. */
struct store_entry {
    struct store_section sections[STORE_SECTIONS_MAX];
    uint32_t n_sections;
    void *map; /* [map_bytes] the mapped file, or NULL */
    size_t map_bytes;
};

/* Check a token. Fails with ST_USAGE unless it is 1 to 64 letters, digits, '-', '_' and '.', and does not begin with '.'. */
enum status store_check_token(const char *token, struct err *err);

/* Map the entry; if there is none, return ST_OK with out->map NULL. Fails with ST_IO if the file cannot be read, with ST_BAD_MODEL
 * if it is damaged or has another version or key; the message begins with the path, and *out is zeroed. */
enum status store_open(const struct store_id *id, struct store_entry *out, struct err *err);

/* Return the section of that kind, or NULL. */
const struct store_section *store_find(const struct store_entry *e, uint32_t kind);

/* Close the entry, and leave it zeroed. Accepts a zeroed one. */
void store_close(struct store_entry *e);

/* A bound on a folder's content; zeroed: no bound. */
struct store_bound {
    uint64_t max_bytes; /* sum over all entries, with any token; 0: no bound */
    int64_t since;      /* time() in seconds: entries used then or later are not removed */
};

/* Make the folder, accessible to its owner only, unless it exists. Does not make its parent, since the name may be a mistake. Fails
 * with ST_IO. */
enum status store_make_dir(const char *dir, struct err *err);

/* Write the entry with n <= STORE_SECTIONS_MAX sections, replacing an existing one; make the folder if need be. Before, remove
 * temporary files of killed processes, and enough entries for this one to fit the bound: least recently used by store_open or
 * store_write first (by time of modification; if that cannot be set, by time of writing). Open entries keep their content.
 * Processes that write at the same time may exceed the bound by their entries until the next write. Fails with ST_IO if the entry
 * cannot be written (a full disk, a folder that cannot be made or is not ours, no room within the bound), with the folder unchanged
 * but for removed files; or if the written entry cannot be synchronized to the disk. */
enum status store_write(const struct store_id *id, const struct store_section *sections, uint32_t n,
                        const struct store_bound *bound, struct err *err);

/* ---- for tests ---- */

/* Open an entry in memory, as store_open does: data, aligned to STORE_ALIGN, is borrowed, and out->map is NULL. */
enum status store_parse(const void *data, size_t bytes, const char *key, struct store_entry *out, struct err *err);

/* Write the right hashes into data[bytes], as far as head and table are valid, and copy its key to `key`: lets a fuzzer reach the
 * checks behind the hashes. */
void store_seal(void *data, size_t bytes, char key[SHA256_HEX_SIZE]);
