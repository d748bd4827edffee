/* SPDX-License-Identifier: Apache-2.0 */
/* zip.h - the directory of a ZIP archive: the files in it and their places, nothing unpacked.
 *
 * MediaPipe's .task files are such archives, and TensorFlow Lite's metadata writer appends one to a model; both store their files
 * without compression, so that they can be mapped. Source of the format: PKWARE's APPNOTE, 4.3 to 4.5. */
#pragma once

#include "lib/base/arena.h"
#include "lib/model/file_map.h"

struct zip_entry {
    const char *name;
    uint64_t at, bytes;  /* place of its content in the file */
    const char *refused; /* reason why its content is not there as it is: "compressed (method 8)"; NULL: it is */
    uint64_t header;     /* place of its local header */
};

struct zip {
    struct zip_entry *entries; /* [n] in the directory's order, without folders */
    uint32_t n;
};

/* Read the directory of the archive at the end of a range of the file, which may begin with something else; everything lies in
 * `a`. Fails with ST_BAD_MODEL if there is no archive or it is cut, if entries overlap, lie outside or share a name; with
 * ST_UNSUPPORTED for parts of an archive; with ST_NOMEM, ST_IO. */
enum status zip_read(const struct file_map *f, uint64_t from, uint64_t bytes, struct arena *a, struct zip *out, struct err *err);

/* Return the file of that name if its content is there as it is; else NULL. */
const struct zip_entry *zip_find(const struct zip *z, const char *name);
