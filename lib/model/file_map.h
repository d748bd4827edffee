/* SPDX-License-Identifier: Apache-2.0 */
/* file_map.h - ranges of a file in memory, mapped one by one: a file of many gigabytes costs the pages that are read.
 *
 * The file must not change while a range of it is in use. Bytes in memory pass for a file, for tests and fuzzing. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/err.h"

struct file_map {
    int fd;                /* -1: `memory` is the content */
    const uint8_t *memory; /* borrowed */
    uint64_t bytes;
};

/* A part of a file. */
struct file_range {
    const uint8_t *data; /* NULL if it is empty */
    size_t bytes;
    void *pages; /* the mapping around it; NULL: none */
    size_t pages_bytes;
};

/* Open a regular file; messages begin with `path`. Fails with ST_IO. */
enum status file_map_open(const char *path, struct file_map *out, struct err *err);

/* Make *out a file of data[bytes], which is borrowed. */
void file_map_memory(const void *data, size_t bytes, struct file_map *out);

/* Close the file; its ranges stay. Accepts zeros and what is closed. */
void file_map_close(struct file_map *f);

/* Return true if the range lies within the file. */
bool file_map_has(const struct file_map *f, uint64_t at, uint64_t bytes);

/* Map a range that lies within the file; messages have no path. Fails with ST_NOMEM if it does not fit the address space, with
 * ST_IO. */
enum status file_map_range(const struct file_map *f, uint64_t at, uint64_t bytes, struct file_range *out, struct err *err);

/* Unmap the range. Accepts zeros. */
void file_unmap(struct file_range *r);

/* Copy a range. Return false if it is outside the file, or cannot be read. */
bool file_map_copy(const struct file_map *f, uint64_t at, size_t bytes, void *to);
