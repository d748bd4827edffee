/* SPDX-License-Identifier: Apache-2.0 */
/* file_write.h - files that are whole or not there: a process that is killed or finds the disk full leaves no half file under the
 * name. */
#ifndef DELEGAUGE_FILE_WRITE_H
#define DELEGAUGE_FILE_WRITE_H

#include <stddef.h>

#include "lib/base/err.h"

struct file_piece {
    const void *data;
    size_t bytes;
};

/* Write the pieces one after the other, beside `path`, then rename: a reader sees the old file or the new one, whole. A path that
 * is no regular file (a pipe, /dev/full) is written in place. ST_IO if nothing can be written there, ST_FAILED if writing fails
 * half-way: a full disk. */
enum status file_write(const char *path, const struct file_piece *pieces, size_t n, struct err *err);

/* Check whether file_write will be able to write: fails as it would, and changes nothing. A full disk shows only later. */
enum status file_try_write(const char *path, struct err *err);

#endif
