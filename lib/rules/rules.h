/* SPDX-License-Identifier: Apache-2.0 */
/* rules.h - rule sets: the nodes that a runtime or device accepts, as data that is evaluated node by node.
 *
 * A rule set is a text file in the format of schema/rules/README.md; the sets in schema/rules are built in. No runtime is loaded:
 * the answer depends on the file of rules and the model alone. lib/coverage/coverage.h gives it in the form of a delegate's answer:
 * verdicts, partitions and sums. */
#pragma once

#include "lib/delegate/delegate.h"

/* Largest size of a file of rules; a longer one fails with ST_UNSUPPORTED. */
enum { RULES_MAX_BYTES = 1 << 20 };

/* Answer about a node. INCORRECT: the runtime takes the node and computes other results. CRASH: it takes the node and fails or ends
 * while preparing or running it. Neither counts as covered. */
enum rules_answer { RULES_YES, RULES_NO, RULES_INCORRECT, RULES_CRASH };

/* Return "yes", "no", "incorrect" or "crash". */
const char *rules_answer_name(enum rules_answer answer);

struct ruling {
    enum rules_answer answer;
    struct reason why; /* REASON_NONE if the answer is yes */
};

/* Log that a report of this set imitates in its last lines: none, that of TFLite's GPU delegate of 2019, the same of today, ML
 * Drift's. */
enum rules_log { RULES_LOG_NONE, RULES_LOG_2019, RULES_LOG_NOW, RULES_LOG_DRIFT };

/* A rule set that was read. */
struct rules {
    const char *name, *title; /* "tflite-gpu"; a description in a few words */
    enum rules_log log;
    struct delegate_type type; /* for code that works on delegates: name and title only; cannot be opened */
    int32_t max_partitions;    /* partitions that the runtime delegates by default, the largest first; 0: all */
    struct rules_program *program;
    struct arena arena;
};

/* Return the names of the built-in sets in the order of listings; ends with NULL. */
const char *const *rules_names(void);

/* Open the built-in set `name`, or else the file at that path. Fails with ST_USAGE if there is neither, else as rules_parse; *out
 * is then NULL. */
enum status rules_open(const char *name, struct rules **out, struct err *err);

/* Read a set from text, which may be freed afterwards; `name` begins messages. Fails with ST_USAGE, naming the line and its error,
 * ST_UNSUPPORTED above RULES_MAX_BYTES, or ST_NOMEM; *out is then NULL. */
enum status rules_parse(const char *text, size_t bytes, const char *name, struct rules **out, struct err *err);

/* Free a set; accepts NULL. */
void rules_free(struct rules *r);

/* Judge each node of `g`, whose shapes are inferred or the file's, into out[graph nodes]. Only tensors with content in the file are
 * constants: a node that this program folds is computed at run time there. Fails only with ST_NOMEM. */
enum status rules_judge(const struct rules *r, const struct graph *g, struct ruling *out, struct err *err);
