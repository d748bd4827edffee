/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_results.h - the answer of one run as a tree; coverage_results.c puts it together and renders it. */
#pragma once

#include "cmd/coverage/op_coverage.h"
#include "cmd/print/results.h"

enum coverage_part {
    COVERAGE_MODEL,
    COVERAGE_SIGNATURE,
    COVERAGE_ASKED,
    COVERAGE_TABLE, /* of several rule sets: operators by sets, and the answers of each set */
    COVERAGE_OPERATORS,
    COVERAGE_NODES,
    COVERAGE_PARTITIONS,
    COVERAGE_CALLED,
    COVERAGE_GAINS,
    COVERAGE_COST,
    COVERAGE_TOTALS,
    COVERAGE_ANSWER,
    COVERAGE_LOG,
    COVERAGE_REQUIRED,
    COVERAGE_EXTRACTED,
    COVERAGE_HEADLINE,
    COVERAGE_PAGE_ASKED,
    COVERAGE_RULES,
    COVERAGE_REFUSALS,
    COVERAGE_PICTURES,
    COVERAGE_FLAGS,
    COVERAGE_PARTS
};

/* Add the refused operators with reasons, the nodes that limits left out, and the change that gains most; nothing if all nodes are
 * covered. Fails only with ST_NOMEM. */
enum status coverage_add_answer(struct result_section *to, const struct coverage_run *r, struct err *err);

/* Add the answers of rule sets, and put "rules" and "change". */
void coverage_rules_results(struct results *r, const struct coverage_run *run);

/* Add the table of several rule sets side by side, and the result of each. */
void coverage_add_table(struct result_section *to, const struct coverage_run *r);

/* Add the words of TFLite's delegate of the set's time, if the set is about that delegate; `whose`: the name of one of several
 * sets, or NULL. ST_NOMEM. */
enum status coverage_add_log(struct result_section *to, const struct coverage_column *column, const char *whose, struct err *err);
