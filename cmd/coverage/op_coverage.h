/* SPDX-License-Identifier: Apache-2.0 */
/* op_coverage.h - one question about coverage and its answer. Filled by op_coverage.c, printed by coverage_text.c and
 * coverage_json.c.
 *
 * Nothing is run. A delegate answers about the least that any of its devices must offer, without asking one; with --device about
 * its device, whose limits count, too. */
#ifndef DELEGAUGE_CMD_OP_COVERAGE_H
#define DELEGAUGE_CMD_OP_COVERAGE_H

#include "cmd/coverage/coverage_cost.h"
#include "cmd/coverage/coverage_extract.h"
#include "cmd/coverage/coverage_fix.h"
#include "cmd/coverage/coverage_requirement.h"
#include "cmd/tool/partition_check.h"
#include "cmd/tool/tool.h"
#include "lib/coverage/coverage.h"

/* What the rows of the table fill; texts point into argv. */
struct coverage_flags {
    const char *graph, *delegate; /* delegate: "none" asks the CPU kernels, of all subgraphs */
    const char *signature;        /* its key; "": the first there is */
    const char *require;          /* coverage_requirement.h */
    const char *rules;            /* names and files with commas between; "": what `delegate` says */
    int32_t max_partitions;       /* -1: any number */
    const char *html, *dot;       /* files to write */
    const char *markdown;         /* likewise; "-": standard output */
    const char *node_data;        /* a folder */
    const char *extract;          /* likewise; coverage_extract.h */
    const char *fix;              /* the file to write; "": none */
    const char *times;            /* coverage_cost.h; "": none were measured */
    struct partition_flags partition;
    bool device;
};

extern const struct flag coverage_flag_table[]; /* for struct coverage_flags */

/* The answer of one rule set, a column of the table. */
enum { COVERAGE_MOST_COLUMNS = 16 };

struct coverage_column {
    const char *name, *title;         /* "tflite-gpu"; what it is */
    struct rules *rules;              /* NULL: a delegate was asked ("this", "this-es31") */
    const struct delegate_type *type; /* whose label partitions have; NULL: the CPU kernels were asked */
    struct delegate *delegate;        /* that was asked; NULL: none */
    bool owns_delegate;               /* it is static, and ends with the column */
    struct coverage *coverage;        /* of the first column: coverage_run.coverage; all have the same nodes in the same order */
    struct coverage own;              /* where that is this column's own */
    struct requirements requirements; /* judged; of the first column those of coverage_run */
};

/* Zeroed to begin with. */
struct coverage_run {
    struct tool tool;
    struct coverage_flags flags;
    const char *path;                   /* of the model, as it was given */
    const char *signature;              /* key of the one that is asked about; "": of none, but the primary subgraph, or all */
    const struct delegate_type *chosen; /* the first that flags ask for; NULL: the CPU kernels are asked */
    const struct delegate_type *type;   /* that, or the first rule set's */
    struct delegate *delegate;          /* asked[0], or that of the first rule set; NULL: none is asked */
    struct delegate *asked[MAX_DELEGATES + 1]; /* in their order; tool.delegates owns them, but where is_static: then this struct
                                                * does */
    bool is_static;                            /* the delegate has no device: it answers, but runs nothing */
    char label[64];                            /* of all: "GPU and dummy"; "" where none or a rule set is asked */
    struct coverage coverage;
    struct coverage_cost cost; /* of that coverage; zeros for the CPU kernels */
    struct coverage_fix fix;
    struct requirements requirements;
    struct coverage_column columns[COVERAGE_MOST_COLUMNS]; /* [n_columns] what --rules asks for, the first one's answer above; none
                                                            * without the flag */
    uint32_t n_columns;
    bool device_asked; /* by a rule set */
    char *rules_list;  /* a copy of --rules that column names point into */
    struct coverage_extract extracted;
};

/* How many covered nodes differ from the CPU's by design (lib/graph/float_weights.h); 0 where they do not. Their operators, each
 * once, in ops[size], which may be NULL with size 0. */
uint32_t coverage_hybrid_nodes(const struct coverage_run *r, char *ops, size_t size);

/* Asks every rule set of --rules, in order, and judges the requirements of each. */
enum status coverage_ask_rules(struct coverage_run *r, struct err *err);

/* Whether the requirements hold for all of them. */
bool coverage_rules_meet(const struct coverage_run *r);

/* Ends what coverage_ask_rules made; accepts zeros. */
void coverage_free_rules(struct coverage_run *r);

/* The table of several rule sets side by side, and what each comes to. */
void coverage_say_table(const struct coverage_run *r);

/* Ends a report in the words that TFLite's delegate of the set's time has, where it is a set about that. ST_NOMEM. */
enum status coverage_say_log(const struct coverage_column *column, struct err *err);

/* "rules" of the JSON document: one entry for each set. */
struct report;
struct json;
void coverage_put_rules(struct report *r, const struct coverage_run *run);

/* How many nodes have which answer of a rule set, and what comes of it; and these as members of an object. */
struct coverage_answers {
    uint32_t of[4]; /* by enum rules_answer */
    uint32_t delegated, partitions;
};
struct coverage_answers coverage_answers_of(const struct coverage *c);
void coverage_put_answers(struct report *r, struct json *in, const struct coverage_answers *answers);

/* "required" of an object. */
void coverage_put_requirements(struct report *r, struct json *in, const struct requirements *q);

/* Whether a delegate or a rule set is asked, about one subgraph; else the CPU kernels are, about all. */
static inline bool coverage_asks_one(const struct coverage_run *r)
{
    return r->type || *r->flags.rules;
}

/* Opens the model at `path`, and fills all but the cost and what is extracted of it. Of the next model after coverage_forget_model,
 * which is to be called after failures too. */
enum status coverage_ask_model(struct coverage_run *r, const char *path, struct err *err);
void coverage_forget_model(struct coverage_run *r);

/* Whether the model that was asked about has what is required: for the CPU kernels, one for every node, too. */
bool coverage_is_met(const struct coverage_run *r);

/* Whether the command line names several models, or a folder of them; and then all of it, with its output. Returns the exit
 * status: that of the first model that failed, else as for one of them, met where all meet it. */
bool coverage_is_several(const struct coverage_run *r);
int coverage_several(struct coverage_run *r);

/* Print the answer: as text to standard output, and as a JSON document to --json. The first fails only with ST_NOMEM, the second as
 * report_write does too. */
enum status coverage_say(const struct coverage_run *r, struct err *err);
enum status coverage_write_json(const struct coverage_run *r, struct err *err);

/* ST_USAGE where two of the files to write would be one file, or two would go to standard output. To be asked before any work. */
enum status coverage_check_outputs(const struct coverage_run *r, struct err *err);

/* Writes all that were asked for, the JSON document among them. Fails as file_write does, and with ST_NOMEM. */
enum status coverage_write_outputs(const struct coverage_run *r, struct err *err);

#endif
