/* SPDX-License-Identifier: Apache-2.0 */
/* files.h - reading of whole files and folders for output (files are written by lib/base/file_write.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "lib/base/file_write.h"

/* Read a file of exactly `bytes` bytes into data. Fails for any other size; the message gives both. */
enum status file_read_exact(const char *path, void *data, size_t bytes, struct err *err);

/* Read a file of at most `max` bytes into *out, to be freed by the caller. */
enum status file_read_all(const char *path, size_t max, void **out, size_t *bytes, struct err *err);

/* Return true if both paths name one regular file or folder. A file that does not exist yet is compared by folder and name. */
bool file_is_same(const char *a, const char *b);

/* Return true if a name ends in `ending` (".npy"), in either case. */
bool file_ends_in(const char *name, const char *ending);

/* Create the folder and its missing parents. */
enum status file_make_dir(const char *path, struct err *err);

/* Create the folder and check with file_try_write that files can be written there. */
enum status file_try_write_dir(const char *path, struct err *err);
