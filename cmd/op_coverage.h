/* SPDX-License-Identifier: Apache-2.0 */
/* op_coverage.h - one question about coverage and its answer. Filled by op_coverage.c, printed by coverage_text.c and
 * coverage_json.c. */
#ifndef DELEGAUGE_CMD_OP_COVERAGE_H
#define DELEGAUGE_CMD_OP_COVERAGE_H

#include "../lib/coverage.h"
#include "tool.h"

struct coverage_flags {
    const char *graph, *delegate;
    struct partition_options partition;
    bool no_device;
};

extern const struct flag coverage_flag_table[]; /* for struct coverage_flags */

struct coverage_run {
    struct tool tool;
    struct coverage_flags flags;
    const struct delegate_type *type; /* NULL: the CPU kernels are asked */
    struct delegate *delegate;
    bool is_static; /* the delegate has no device */
    char why_static[512];
    struct coverage coverage;
};

/* Fails only with ST_NOMEM. */
enum status coverage_say(const struct coverage_run *r, struct err *err);
enum status coverage_write_json(const struct coverage_run *r, struct err *err);

#endif
