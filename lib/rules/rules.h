/* SPDX-License-Identifier: Apache-2.0 */
/* rules.h - rule sets: what some runtime or device accepts, written down as data, and asked node by node.
 *
 * A rule set is a text file; schema/rules/README.md is its format, schema/rules/X.rules are the built-in ones, which the build
 * embeds. Nothing is opened, loaded or run: the answer comes from the file of rules and the model alone. lib/coverage/coverage.h
 * has the answers of a set in the form of any delegate's: verdicts, partitions and sums. */
#ifndef DELEGAUGE_RULES_H
#define DELEGAUGE_RULES_H

#include "lib/delegate/delegate.h"

/* Most that a file of rules may hold; a longer one is ST_UNSUPPORTED. */
enum { RULES_MAX_BYTES = 1 << 20 };

/* What a set says of a node. INCORRECT and CRASH: the runtime takes the node, and then gives other results, or fails or ends when
 * it is made ready or run; neither is covered. */
enum rules_answer { RULES_YES, RULES_NO, RULES_INCORRECT, RULES_CRASH };

/* "yes", "no", "incorrect", "crash" */
const char *rules_answer_name(enum rules_answer answer);

struct ruling {
    enum rules_answer answer;
    struct reason why; /* REASON_NONE where the answer is yes */
};

/* Whose words a report of this set ends with: nobody's; those of TFLite's delegate as of 2019; as it is now; ML Drift's. */
enum rules_log { RULES_LOG_NONE, RULES_LOG_2019, RULES_LOG_NOW, RULES_LOG_DRIFT };

/* One set, read. */
struct rules {
    const char *name, *title; /* "tflite-gpu"; what it is, in a few words */
    enum rules_log log;
    struct delegate_type type; /* for who asks delegates: name and title; it can open nothing */
    int32_t max_partitions;    /* that the runtime hands over where nothing is said, the largest first; 0: all */
    struct rules_program *program;
    struct arena arena;
};

/* The names of the built-in sets, in the order in which they are listed; ends with NULL. */
const char *const *rules_names(void);

/* Opens a built-in set, or, where none has that name, the file of that path. On failure *out is NULL: ST_USAGE where there is
 * neither, else as rules_parse. */
enum status rules_open(const char *name, struct rules **out, struct err *err);

/* Reads a set from text, which is not needed afterwards; `name` begins messages. ST_USAGE with the line and what is wrong with it,
 * ST_UNSUPPORTED above RULES_MAX_BYTES, ST_NOMEM. *out is NULL after a failure. */
enum status rules_parse(const char *text, size_t bytes, const char *name, struct rules **out, struct err *err);

/* Accepts NULL. */
void rules_free(struct rules *r);

/* What the set says of each node of a graph whose shapes are inferred, or are the file's: out[graph nodes]. Constants are those of
 * the file; what is folded here is computed anew there. ST_NOMEM. */
enum status rules_judge(const struct rules *r, const struct graph *g, struct ruling *out, struct err *err);

#endif
