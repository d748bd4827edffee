/* SPDX-License-Identifier: Apache-2.0 */
/* store.h - files that keep costly results for the next start; their content is the caller's business.
 *
 * An entry is one file of a folder, found by a key that names everything its content depends on. A file is never changed: it is
 * written under a temporary name, brought to the disk (fsync), then renamed, so any number of processes and threads may share a
 * folder without locks, and one that is killed leaves at most a temporary file. Any fault of a file is noticed before any of it is
 * used: an entry is there as it was written, or not at all. Files are for the machine that wrote them (byte order).
 *
 *   struct head, 96 bytes    magic, version, number of sections, bytes of the file, hash64 of head and table, key
 *   table, 32 bytes each     kind, offset, bytes and hash64 of a section
 *   sections                 each at the next multiple of STORE_ALIGN, zeros between them; the file ends with the last
 *
 * The table and every section have a hash of 64 bits (hash64.h): good against accidents, not against malice. */
#ifndef DELEGAUGE_STORE_H
#define DELEGAUGE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"
#include "lib/base/sha256.h"

#define STORE_ALIGN        64
#define STORE_SECTIONS_MAX 16

/* A temporary file that was not written to for so long belongs to a process that was killed; the next store_write removes it. */
#define STORE_STALE_S 600

/* Begins the name of every temporary file. */
#define STORE_TEMPORARY ".delegauge-"

/* The identity of an entry: a folder (store_make_dir), the word that begins the names of its files (store_check_token), and the
 * key. The file is DIR/TOKEN_KEY.dgs with the first 32 digits of the key; all of it is in the file. */
struct store_id {
    const char *dir, *token;
    char key[SHA256_HEX_SIZE];
};

/* A piece of an entry. */
struct store_section {
    uint32_t kind; /* the caller's; each kind once */
    const void *data;
    size_t bytes;
};

/* An entry that was found. Sections point into the map, STORE_ALIGN-aligned. Zeroed: none. */
struct store_entry {
    struct store_section sections[STORE_SECTIONS_MAX];
    uint32_t n_sections;
    void *map; /* the file, or NULL */
    size_t map_bytes;
};

/* Check a token: ST_USAGE if it cannot begin the name of a file: 1 to 64 letters, digits, '-', '_' and '.', the first no '.'. */
enum status store_check_token(const char *token, struct err *err);

/* Map the entry. ST_OK with out->map NULL: there is none. ST_IO: the file cannot be read. ST_BAD_MODEL: it is damaged, of another
 * version or key; the message begins with the path. On failure *out is zeroed. */
enum status store_open(const struct store_id *id, struct store_entry *out, struct err *err);

/* Return the section of that kind, or NULL. */
const struct store_section *store_find(const struct store_entry *e, uint32_t kind);

/* Close the entry, and leave it zeroed. Accepts a zeroed one. */
void store_close(struct store_entry *e);

/* The bound on a folder's content; zeroed: no bound. */
struct store_bound {
    uint64_t max_bytes; /* of all its entries, whatever their token; 0: no bound */
    int64_t since;      /* an entry used at that time or later, in seconds of time(), is not removed */
};

/* Make the folder, for its owner alone, if it is not there; never its parent, since the name may be a mistake. ST_IO if the folder
 * is not there and cannot be made. */
enum status store_make_dir(const char *dir, struct err *err);

/* Write the entry, in place of one that is there; n at most STORE_SECTIONS_MAX. First remove the temporary files that killed
 * processes left in the folder, and entries so that this one fits within the bound: first the entries that no store_open or
 * store_write had for longest (their time of modification; if it cannot be set, the time of writing). The folder is made if need
 * be. Processes that write at the same time may exceed the bound by the entries that they write, until the next write. A process
 * that has an entry open keeps its content. ST_IO: the entry cannot be written (a full disk, a folder that cannot be made or is not
 * ours, no room within the bound), and the folder is as before but for the files removed to make room; or the entry is there, and
 * cannot be brought to the disk. */
enum status store_write(const struct store_id *id, const struct store_section *sections, uint32_t n,
                        const struct store_bound *bound, struct err *err);

/* ---- for tests ---- */

/* store_open of a file's bytes in memory, which stay the caller's: out->map is NULL. `data` is STORE_ALIGN-aligned. */
enum status store_parse(const void *data, size_t bytes, const char *key, struct store_entry *out, struct err *err);

/* Write into data[bytes] the hashes that belong there, as far as head and table make sense, and the key that they hold into `key`:
 * for fuzzing the checks that the hashes would hide. */
void store_seal(void *data, size_t bytes, char key[SHA256_HEX_SIZE]);

#endif
