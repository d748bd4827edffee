/* SPDX-License-Identifier: Apache-2.0 */
/* label_zip.h - the label file within a model.
 *
 * TensorFlow Lite's metadata writer appends the files that belong to a model to it, as a ZIP archive without compression
 * (tensorflow.org/lite/convert/metadata). Its metadata says which is whose; the file with a line for each class is the one here. */
#pragma once

#include <stddef.h>

#include "lib/eval/label.h"

/* Find a text file with n lines in the archive at the end of file[bytes]: `named`, which the metadata names (NULL: none), else the
 * first there is; its name and lines are copied to `a`. *name is NULL if there is no archive, or no such file in it; entries that
 * are compressed or broken are passed over, and counted in *others with all other files. Fails only with ST_NOMEM. */
enum status label_zip_find(const void *file, size_t bytes, const char *named, uint32_t n, struct arena *a, struct label_lines *out,
                           const char **name, uint32_t *others, struct err *err);
