/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_extract.h - --extract_partitions: each partition as a model of its own. */
#pragma once

#include "cmd/print/results.h"
#include "lib/coverage/coverage.h"

struct extracted_partition {
    const char *path; /* NULL: not written */
    size_t bytes;     /* of the file */
    const char *why;  /* reason why it was not written; else NULL */
};

struct coverage_extract {
    bool asked;
    struct extracted_partition *list; /* [n] by partition */
    uint32_t n, n_missing;
    struct arena arena;
};

/* Write each partition i of `c` to DIR/partition_i.tflite: its nodes and their constants, inputs and outputs with their names; and
 * remove files of such names with higher numbers, which an earlier run left. Partitions that cannot be a model of their own are
 * counted and explained in *out. `model`: the path of the whole model; ST_USAGE if it would be overwritten. Else fails as
 * model_write does, and with ST_NOMEM. Free with coverage_extract_free, after failures too. */
enum status coverage_extract_run(const struct coverage *c, const char *dir, const char *model, struct coverage_extract *out,
                                 struct err *err);
void coverage_extract_free(struct coverage_extract *x);

/* Add the result as lines; and put it as "extracted" into the report's root, null if not asked for. */
void coverage_extract_results(struct result_section *to, const struct coverage_extract *x);
void coverage_extract_put(struct report *r, const struct coverage_extract *x);
