/* SPDX-License-Identifier: Apache-2.0 */
/* op_coverage.h - one question about coverage and its answer. op_coverage.c fills it, coverage_results.h has its results.
 *
 * Nothing is run. A delegate answers for the least that any of its devices must offer, without asking one; with --device it answers
 * for its device, whose limits count, too; with --device=NAME for a device that is not here, by the limits that are known of it. */
#pragma once

#include "cmd/coverage/coverage_change.h"
#include "cmd/coverage/coverage_cost.h"
#include "cmd/coverage/coverage_extract.h"
#include "cmd/coverage/coverage_fix.h"
#include "cmd/coverage/coverage_requirement.h"
#include "cmd/print/results.h"
#include "cmd/tool/partition_check.h"
#include "cmd/tool/tool.h"
#include "lib/coverage/coverage.h"

/* Values that the rows of the table fill; texts point into argv. */
struct coverage_flags {
    const char *graph, *delegate; /* delegate: "none" asks the CPU kernels, of all subgraphs */
    const char *signature;        /* its key; "": the first there is */
    const char *layers, *shapes;  /* input_spec.h; "": the shapes of the file */
    const char *require;          /* coverage_requirement.h */
    const char *rules;            /* names and files with commas between; "": the rules of `delegate` */
    int32_t max_partitions;       /* -1: any number */
    const char *html, *dot;       /* files to write */
    const char *markdown;         /* likewise; "-": standard output */
    const char *node_data;        /* a folder */
    const char *extract;          /* likewise; coverage_extract.h */
    const char *fix;              /* the file to write; "": none */
    const char *times;            /* coverage_cost.h; "": none were measured */
    bool list, inline_weights;    /* inline_weights: of --extract_model */
    bool list_inputs;             /* print them and end */
    const char *extract_model;    /* NAME=FILE; "": none */
    struct partition_flags partition;
    bool device;       /* true too for a device that is known by name */
    const char *known; /* name of the device whose limits count without it; "": none */
};

extern const struct flag coverage_flag_table[]; /* for struct coverage_flags */
extern const struct cli_help coverage_help;     /* the short --help */

/* The answer of one rule set, a column of the table. */
enum { COVERAGE_MOST_COLUMNS = 16 };

struct coverage_column {
    const char *name, *title;         /* "tflite-gpu"; its description */
    struct rules *rules;              /* NULL: a delegate was asked ("this", "this-es31") */
    const struct delegate_type *type; /* type whose label partitions have; NULL: the CPU kernels were asked */
    struct delegate *delegate;        /* delegate that was asked; NULL: none */
    bool owns_delegate;               /* it is static, and ends with the column */
    struct coverage
        *coverage;       /* coverage_run.coverage for the first column, else `own`; all have the same nodes in the same order */
    struct coverage own; /* coverage that this column owns */
    struct requirements requirements; /* judged; for the first column the requirements of coverage_run */
};

/* Zeroed to begin with. */
struct coverage_run {
    struct tool tool;
    struct coverage_flags flags;
    const char *path;      /* path of the model, as it was given */
    const char *signature; /* key of the signature that is asked about; "": no signature, but the primary subgraph, or all */
    const struct delegate_type *chosen; /* first type that flags ask for; NULL: the CPU kernels are asked */
    const struct delegate_type *type;   /* `chosen`, or the type of the first rule set */
    struct delegate *delegate;          /* asked[0], or the delegate of the first rule set; NULL: none is asked */
    struct delegate
        *asked[MAX_DELEGATES + 1]; /* delegates in their order; tool.delegates owns them, but if is_static, this struct does */
    bool is_static;                /* the delegate has no device: it answers, but runs nothing */
    char label[64];                /* label of all: "GPU and dummy"; "" if no delegate or a rule set is asked */
    struct coverage coverage;
    struct coverage_cost cost; /* cost of that coverage; zeros for the CPU kernels */
    struct coverage_fix fix;
    struct requirements requirements;
    struct coverage_column columns[COVERAGE_MOST_COLUMNS]; /* [n_columns] rule sets that --rules asks for, the first one's answer
                                                              above; none without the flag */
    uint32_t n_columns;
    struct coverage_change change; /* from the first column to the second, if there are just these two */
    bool device_asked;             /* true if a rule set asked the device */
    char *rules_list;              /* a copy of --rules that column names point into */
    struct coverage_extract extracted;
    struct results results; /* after coverage_say */
    uint32_t n_refusals;    /* different ones: rows of the table of refusals */
};

/* Open a delegate for the device of --device=NAME. Fails as delegates_open_known does. */
enum status coverage_open_known(struct coverage_run *r, const struct delegate_wanted *w, struct delegate **out, struct err *err);

/* Ask every rule set of --rules, in order, judge the requirements of each, and compare two of them. */
enum status coverage_ask_rules(struct coverage_run *r, struct err *err);

/* Compare the two rule sets that were asked, with texts in the arena; zeros in *out unless there are exactly two. Fails only with
 * ST_NOMEM. */
enum status coverage_compare_rules(const struct coverage_run *r, struct arena *a, struct coverage_change *out, struct err *err);

/* True if the requirements hold for all rule sets. */
bool coverage_rules_meet(const struct coverage_run *r);

/* Free the columns that coverage_ask_rules made; accepts zeros. */
void coverage_free_rules(struct coverage_run *r);

/* Numbers of nodes by the answer of a rule set, and the delegation that follows; and the functions that count them and put them
 * into an object. */
struct coverage_answers {
    uint32_t of[4]; /* number of nodes by enum rules_answer */
    uint32_t delegated, partitions;
};
struct coverage_answers coverage_answers_of(const struct coverage *c);
void coverage_put_answers(struct report *r, struct json *in, const struct coverage_answers *answers);

/* Put "required" into an object. */
void coverage_put_requirements(struct report *r, struct json *in, const struct requirements *q);

/* True if a delegate or a rule set is asked, about one subgraph; else the CPU kernels are asked, about all. */
static inline bool coverage_asks_one(const struct coverage_run *r)
{
    return r->type || *r->flags.rules;
}

/* Give the opened model's inputs the shapes of --input_layer_shape, in memory. ST_USAGE for names that no input has, shapes that
 * are none, and beside --delegate=none or --fix. */
enum status coverage_take_shapes(struct coverage_run *r, struct err *err);

/* Open the model at `path`, and fill all but the cost and the extracted partitions. Call coverage_forget_model before the next
 * model, and after failures too. */
enum status coverage_ask_model(struct coverage_run *r, const char *path, struct err *err);
void coverage_forget_model(struct coverage_run *r);

/* True if the model meets the requirements: for the CPU kernels, also a kernel for every node. */
bool coverage_is_met(const struct coverage_run *r);

/* True if the command line names several models, or a folder of them. coverage_several then does all of the work, with its output;
 * it returns the exit status of the first model that failed, else as for a single model, met if all meet it. */
bool coverage_is_several(const struct coverage_run *r);
int coverage_several(struct coverage_run *r);

/* True if --list or --extract_model was given. coverage_bundle then does all of the work, with its output: it lists the sections of
 * the bundle or model, writes one model, and with --json a document of its own. It returns the exit status: of the first model that
 * could not be opened, else 0. */
bool coverage_wants_bundle(const struct coverage_run *r);
int coverage_bundle(struct coverage_run *r);

/* Build r->results and print the answer as text. Fails only with ST_NOMEM. */
enum status coverage_say(struct coverage_run *r, struct err *err);

/* Add the rest of the results, once all work is done; write the JSON document to --json. They fail with ST_NOMEM, the second as
 * report_write does too. */
enum status coverage_results_finish(struct coverage_run *r, struct err *err);
enum status coverage_write_json(const struct coverage_run *r, struct err *err);

/* Check the outputs before any work: ST_USAGE if two of the files to write would be one file, or two would go to standard
 * output. */
enum status coverage_check_outputs(const struct coverage_run *r, struct err *err);

/* Write all outputs that were asked for, the JSON document among them. Fails as file_write does, and with ST_NOMEM. */
enum status coverage_write_outputs(struct coverage_run *r, struct err *err);
