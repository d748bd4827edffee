/* SPDX-License-Identifier: Apache-2.0 */
/* files.h - raw files of a known size in, whole files out. */
#ifndef DELEGAUGE_CMD_FILES_H
#define DELEGAUGE_CMD_FILES_H

#include <stddef.h>

#include "../lib/err.h"

/* Reads a file that must have exactly `bytes` bytes; else the message gives both sizes. */
enum status file_read_exact(const char *path, void *data, size_t bytes, struct err *err);

/* Reads a file of at most `max` bytes into *out, which the caller frees. */
enum status file_read_all(const char *path, size_t max, void **out, size_t *bytes, struct err *err);

struct file_piece {
    const void *data;
    size_t bytes;
};

/* Writes the pieces one after the other, beside `path`, then renames: a reader sees the old file or the new one, whole. A
 * path that is no regular file (a pipe, /dev/full) is written in place. */
enum status file_write(const char *path, const struct file_piece *pieces, size_t n, struct err *err);

/* Whether file_write will be able to: fails as it would, and changes nothing. A full disk shows only later. */
enum status file_try_write(const char *path, struct err *err);

/* Makes the folder and those above it where they are missing. */
enum status file_make_dir(const char *path, struct err *err);

#endif
