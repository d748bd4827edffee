/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_record.h - the record of cases on the GPU: one table of text, an operator after the other.
 *
 *   ADD
 *     runs                               same shape, odd sizes
 *     UNSUPPORTED_INPUT_TYPE             int64
 *     runs, fp16_storage open:half               specials
 *     runs, exact UNSUPPORTED_OPERATOR           int8
 *
 * An entry is the statement about the case, two blanks or more, the case's name. Lines with # in front are kept at the top. */
#ifndef DELEGAUGE_BENCH_GPU_RECORD_H
#define DELEGAUGE_BENCH_GPU_RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/base/arena.h"
#include "lib/base/err.h"

struct gpu_entry {
    const char *op, *name, *says;
    bool seen; /* gpu_record_find has found it */
};

struct gpu_record {
    const char *path;
    const char *head; /* the lines with # */
    struct gpu_entry *v;
    uint32_t n, room;
    struct arena arena;
};

/* A missing file is an empty record. gpu_record_close frees the record, after a failure too. */
enum status gpu_record_open(const char *path, struct gpu_record *out, struct err *err);
void gpu_record_close(struct gpu_record *r);

/* Return the record's entry about that case, or NULL. */
struct gpu_entry *gpu_record_find(struct gpu_record *r, const char *op, const char *name);

enum status gpu_record_add(struct gpu_record *r, const char *op, const char *name, const char *says, struct err *err);

/* Return true if `op` is one of ops[n]. */
bool gpu_record_is_among(const char *const *ops, size_t n, const char *op);

/* Write r->path anew: for the operators in `ops` (n of them) the entries of `now`, for others the entries of r; operators by
 * name. */
enum status gpu_record_save(const struct gpu_record *r, const struct gpu_record *now, const char *const *ops, size_t n,
                            struct err *err);

#endif
