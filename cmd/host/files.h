/* SPDX-License-Identifier: Apache-2.0 */
/* files.h - raw files of a known size in, whole files out (lib/base/file_write.h). */
#ifndef DELEGAUGE_CMD_FILES_H
#define DELEGAUGE_CMD_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/file_write.h"

/* Read a file that must have exactly `bytes` bytes; else the message gives both sizes. */
enum status file_read_exact(const char *path, void *data, size_t bytes, struct err *err);

/* Read a file of at most `max` bytes into *out, which the caller frees. */
enum status file_read_all(const char *path, size_t max, void **out, size_t *bytes, struct err *err);

/* True if both paths name one regular file, which need not be there yet: the same name in the same folder. */
bool file_is_same(const char *a, const char *b);

/* Make the folder and its parents if they are missing. */
enum status file_make_dir(const char *path, struct err *err);

/* Do file_try_write for a folder in which files are to be written; makes the folder. */
enum status file_try_write_dir(const char *path, struct err *err);

#endif
