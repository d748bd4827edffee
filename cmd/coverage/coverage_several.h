/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_several.h - the answers about several models: a line and an entry of the report for each, and their totals. */
#ifndef DELEGAUGE_CMD_COVERAGE_SEVERAL_H
#define DELEGAUGE_CMD_COVERAGE_SEVERAL_H

#include "cmd/coverage/op_coverage.h"

/* The answer of one of several rule sets about a model. */
struct coverage_row_set {
    const char *name, *title;
    struct coverage_answers answers;
    struct requirements requirements; /* judged */
};

/* One model, and the answer of the delegate or the first rule set about it; the row of totals holds the counts alone. */
struct coverage_row {
    const char *path;
    enum status failed;                      /* ST_OK: the model was asked about */
    const char *reason;                      /* reason of the failure; else of the first node that is not covered, or "" */
    uint32_t nodes, covered, folded, to_run; /* as in struct coverage */
    uint32_t partitions;
    uint64_t macs, macs_covered, bytes_in, bytes_out;
    bool runs_nowhere, met;           /* met: true if all requirements are met */
    struct requirements requirements; /* judged */
    struct coverage_row_set *sets;    /* [n_sets] rule sets of --rules, the first again among them; none for a model that failed */
    uint32_t n_sets;
};

struct coverage_several {
    struct coverage_row *rows; /* [n], of which n_asked are filled: Ctrl-C */
    struct coverage_row total;
    bool of_cpu; /* the CPU kernels were asked: there are no partitions */
    uint32_t n, n_asked, n_failed, n_full, n_met;
    struct arena arena;
};

/* Write the report to --json: "op_coverage_models" in schema/json/report.schema.json. Fails as report_write does. */
enum status coverage_several_write_json(const struct coverage_run *r, const struct coverage_several *s, struct err *err);

#endif
