/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_record.h - the record of the GPU's expected answers for all cases: a text file, operator by operator.
 *
 *   ADD
 *     runs                               same shape, odd sizes
 *     UNSUPPORTED_INPUT_TYPE             int64
 *     runs, fp16_storage open:half               specials
 *     runs, exact UNSUPPORTED_OPERATOR           int8
 *
 * An entry is the answer, two blanks or more, and the case's name. Lines that begin with # are kept at the top. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"

struct gpu_entry {
    const char *op, *name, *says;
    bool seen; /* gpu_record_find returned it */
};

struct gpu_record {
    const char *path;
    const char *head; /* lines that begin with # */
    struct gpu_entry *v;
    uint32_t n, room;
    struct arena arena;
};

/* Read a record; a missing file is an empty one. Free with gpu_record_close, after failures too. */
enum status gpu_record_open(const char *path, struct gpu_record *out, struct err *err);
void gpu_record_close(struct gpu_record *r);

/* Return the entry of a case; NULL: none. */
struct gpu_entry *gpu_record_find(struct gpu_record *r, const char *op, const char *name);

enum status gpu_record_add(struct gpu_record *r, const char *op, const char *name, const char *says, struct err *err);

/* Return true if `op` is one of ops[n]. */
bool gpu_record_is_among(const char *const *ops, size_t n, const char *op);

/* Write r->path anew, ordered by operator: entries of `now` for the operators in ops[n], entries of r for the others. */
enum status gpu_record_save(const struct gpu_record *r, const struct gpu_record *now, const char *const *ops, size_t n,
                            struct err *err);
