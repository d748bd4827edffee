/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_extract.h - --extract_partitions: each partition as a model of its own. */
#ifndef DELEGAUGE_CMD_COVERAGE_EXTRACT_H
#define DELEGAUGE_CMD_COVERAGE_EXTRACT_H

#include "cmd/print/report.h"
#include "lib/coverage/coverage.h"

struct extracted_partition {
    const char *path; /* NULL: not written */
    size_t bytes;     /* of the file */
    const char *why;  /* it was not written; else NULL */
};

struct coverage_extract {
    bool asked;
    struct extracted_partition *list; /* [n] by partition */
    uint32_t n, n_missing;
    struct arena arena;
};

/* Writes partition i of `c` to DIR/partition_i.tflite: its nodes and their constants, inputs and outputs with their names; and
 * removes files of such names with higher numbers, which an earlier run left. What cannot be a model of its own is counted and
 * explained in *out. `model`: the path of the whole; ST_USAGE where it would be overwritten. Else fails as model_write does, and
 * with ST_NOMEM. Free with coverage_extract_free, after failures too. */
enum status coverage_extract_run(const struct coverage *c, const char *dir, const char *model, struct coverage_extract *out,
                                 struct err *err);
void coverage_extract_free(struct coverage_extract *x);

/* As text; and as "extracted" of the report's root, null where nobody asked. */
void coverage_extract_say(const struct coverage_extract *x);
void coverage_extract_put(struct report *r, const struct coverage_extract *x);

#endif
