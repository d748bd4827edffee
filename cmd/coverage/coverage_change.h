/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_change.h - the difference between two rule sets about one model: nodes that the second no longer takes, and nodes that
 * it takes in addition. It compares answers: a limit on partitions changes the answer of a delegate, but not of a rule
 * set. */
#pragma once

#include <stdint.h>

#include "cmd/print/results.h"
#include "lib/coverage/coverage.h"

/* Lost: the first set's answer is yes, the second's is not. Gained: the reverse. Other: neither is yes, and they differ: from no
 * to crash. */
enum coverage_kind { COVERAGE_LOST, COVERAGE_GAINED, COVERAGE_OTHER, COVERAGE_KINDS };

struct coverage_changed {
    uint32_t node; /* index in the file's list of operators */
    const char *op;
    enum coverage_kind kind;
    enum rules_answer before, after;
    enum reason_code code; /* reason of the second set; of a gained node the first set's */
    const char *reason;
};

/* All zeros unless there are exactly two rule sets. */
struct coverage_change {
    const char *from, *to; /* names of the sets; NULL: there are not two */
    uint32_t nodes, delegated_from, delegated_to;
    uint32_t n, n_of[COVERAGE_KINDS];
    struct coverage_changed *list; /* [n], in the order of nodes */
};

/* Compare the answers of two sets of these names about the same nodes; all texts are copied into the arena. Fails only with
 * ST_NOMEM. */
enum status coverage_change_of(const struct coverage *from, const struct coverage *to, const char *const names[2], struct arena *a,
                               struct coverage_change *out, struct err *err);

/* Add a sentence with the counts, and a line for each kind of change with its first nodes; nothing unless there are two sets. */
void coverage_add_change(struct result_section *to, const struct coverage_change *c);

/* Put "change"; null unless there are two sets. */
void coverage_put_change(struct report *r, struct json *in, const struct coverage_change *c);
