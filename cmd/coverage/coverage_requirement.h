/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_requirement.h - the coverage that a model must have for a script to go on: --require and --max_partitions. */
#pragma once

#include "lib/coverage/coverage.h"

enum requirement_kind { REQUIRE_FULL, REQUIRE_PERCENT, REQUIRE_OP, REQUIRE_PARTITIONS };

struct requirement {
    enum requirement_kind kind;
    char text[96];   /* as it was asked for: "90%" */
    const char *op;  /* operator of REQUIRE_OP; points into `text` */
    double least;    /* percentage of REQUIRE_PERCENT, of the nodes that are to run */
    uint32_t most;   /* greatest number of partitions of REQUIRE_PARTITIONS */
    bool met;        /* set by requirements_judge */
    char found[160]; /* set likewise, the numbers: "61 of 64 nodes are covered" */
};

/* Zeroed: nothing is required. */
struct requirements {
    struct requirement list[16];
    uint32_t n;
};

/* Read "full,90%,op:CONV_2D" and, unless it is negative, max_partitions. ST_USAGE with the fault in the message. */
enum status requirements_read(const char *text, int32_t max_partitions, struct requirements *out, struct err *err);

/* Judge each requirement by a coverage. True if all are met. of_cpu: the coverage has no partitions, so REQUIRE_PARTITIONS is met,
 * unless the model runs nowhere. An operator that the model does not have is not covered: it may be misspelt. */
bool requirements_judge(struct requirements *r, const struct coverage *c, bool of_cpu);
