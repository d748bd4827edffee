/* SPDX-License-Identifier: Apache-2.0 */
/* rules.h - rule sets: the nodes that some runtime or device accepts, written down as data, and asked node by node.
 *
 * A rule set is a text file; schema/rules/README.md is its format, schema/rules/X.rules are the built-in ones, which the build
 * embeds. Nothing is opened, loaded or run: the answer comes from the file of rules and the model alone. lib/coverage/coverage.h
 * gives the answers of a set in the form of any delegate's: verdicts, partitions and sums. */
#ifndef DELEGAUGE_RULES_H
#define DELEGAUGE_RULES_H

#include "lib/delegate/delegate.h"

/* Largest size of a file of rules in bytes; a longer one is ST_UNSUPPORTED. */
enum { RULES_MAX_BYTES = 1 << 20 };

/* Answer of a set about a node. INCORRECT and CRASH: the runtime takes the node, and then gives other results, or fails or ends
 * when it is made ready or run; neither is covered. */
enum rules_answer { RULES_YES, RULES_NO, RULES_INCORRECT, RULES_CRASH };

/* Return "yes", "no", "incorrect" or "crash". */
const char *rules_answer_name(enum rules_answer answer);

struct ruling {
    enum rules_answer answer;
    struct reason why; /* REASON_NONE if the answer is yes */
};

/* Log that a report of this set imitates in its last lines: none; TFLite's delegate as of 2019; the same as it is now; ML
 * Drift's. */
enum rules_log { RULES_LOG_NONE, RULES_LOG_2019, RULES_LOG_NOW, RULES_LOG_DRIFT };

/* A set that was read. */
struct rules {
    const char *name, *title; /* "tflite-gpu"; its description, in a few words */
    enum rules_log log;
    struct delegate_type type; /* for callers that ask delegates: name and title; it can open nothing */
    int32_t max_partitions; /* partitions that the runtime hands over unless the user says otherwise, the largest first; 0: all */
    struct rules_program *program;
    struct arena arena;
};

/* Return the names of the built-in sets, in the order in which they are listed; ends with NULL. */
const char *const *rules_names(void);

/* Open a built-in set, or, if none has that name, the file of that path. On failure *out is NULL: ST_USAGE if there is neither,
 * else as rules_parse. */
enum status rules_open(const char *name, struct rules **out, struct err *err);

/* Read a set from text, which is not needed afterwards; `name` begins messages. ST_USAGE with the line and its error,
 * ST_UNSUPPORTED above RULES_MAX_BYTES, ST_NOMEM. *out is NULL after a failure. */
enum status rules_parse(const char *text, size_t bytes, const char *name, struct rules **out, struct err *err);

/* Free a set; NULL is accepted. */
void rules_free(struct rules *r);

/* Judge each node of a graph whose shapes are inferred, or are the file's: out[graph nodes]. Constants are the file's; a node that
 * is folded here is computed anew there. ST_NOMEM. */
enum status rules_judge(const struct rules *r, const struct graph *g, struct ruling *out, struct err *err);

#endif
