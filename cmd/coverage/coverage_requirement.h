/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_requirement.h - what a model must have covered for a script to go on: --require and --max_partitions. */
#ifndef DELEGAUGE_CMD_COVERAGE_REQUIREMENT_H
#define DELEGAUGE_CMD_COVERAGE_REQUIREMENT_H

#include "lib/coverage/coverage.h"

enum requirement_kind { REQUIRE_FULL, REQUIRE_PERCENT, REQUIRE_OP, REQUIRE_PARTITIONS };

struct requirement {
    enum requirement_kind kind;
    char text[96];   /* as it was asked for: "90%" */
    const char *op;  /* of REQUIRE_OP; within text */
    double least;    /* of REQUIRE_PERCENT, of the nodes that are to run */
    uint32_t most;   /* of REQUIRE_PARTITIONS */
    bool met;        /* since requirements_judge */
    char found[160]; /* since then, the numbers: "61 of 64 nodes are covered" */
};

/* Zeroed: nothing is required. */
struct requirements {
    struct requirement list[16];
    uint32_t n;
};

/* Reads "full,90%,op:CONV_2D" and, unless it is negative, max_partitions. ST_USAGE with what is wrong. */
enum status requirements_read(const char *text, int32_t max_partitions, struct requirements *out, struct err *err);

/* Holds each against a coverage; whether all are met. of_cpu: it has no partitions, so REQUIRE_PARTITIONS is met; it is not where
 * the model runs nowhere. An operator that the model does not have is not covered: it may be misspelt. */
bool requirements_judge(struct requirements *r, const struct coverage *c, bool of_cpu);

#endif
