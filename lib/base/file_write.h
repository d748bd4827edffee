/* SPDX-License-Identifier: Apache-2.0 */
/* file_write.h - atomic writing of files: a killed process or a full disk leaves no partial file under the name. */
#pragma once

#include <stddef.h>

#include "lib/base/err.h"

struct file_piece {
    const void *data;
    size_t bytes;
};

/* Write the pieces one after the other to a temporary file beside `path`, then rename it: readers see the old file or the complete
 * new one. A path that is no regular file (a pipe, /dev/full) is written in place. Fails with ST_IO if no file can be created
 * there, with ST_FAILED if writing fails later (a full disk). */
enum status file_write(const char *path, const struct file_piece *pieces, size_t n, struct err *err);

/* Check that file_write can write to `path`, without changing anything; fails as it would. A full disk shows only in file_write. */
enum status file_try_write(const char *path, struct err *err);
