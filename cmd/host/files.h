/* SPDX-License-Identifier: Apache-2.0 */
/* files.h - raw files of a known size in, whole files out (lib/base/file_write.h). */
#ifndef DELEGAUGE_CMD_FILES_H
#define DELEGAUGE_CMD_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/file_write.h"

/* Reads a file that must have exactly `bytes` bytes; else the message gives both sizes. */
enum status file_read_exact(const char *path, void *data, size_t bytes, struct err *err);

/* Reads a file of at most `max` bytes into *out, which the caller frees. */
enum status file_read_all(const char *path, size_t max, void **out, size_t *bytes, struct err *err);

/* Whether both paths name one regular file, which need not be there yet: that is one name in one folder. */
bool file_is_same(const char *a, const char *b);

/* Makes the folder and those above it where they are missing. */
enum status file_make_dir(const char *path, struct err *err);

/* file_try_write for a folder in which files are to be written; makes it. */
enum status file_try_write_dir(const char *path, struct err *err);

#endif
