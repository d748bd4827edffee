/* SPDX-License-Identifier: Apache-2.0 */
/* inference_diff.h - one comparison of a model with itself: the reference kernels against a delegate or the fast kernels.
 * diff_compare.c opens and runs it, diff_trials.c makes further trials, diff_results.h has its results.
 *
 * Each run draws new inputs (normally distributed, as TFLite's tool does), gives all sides the same bytes, resets their variables
 * and invokes each three times, so that latencies do not come from cold caches; the outputs of the last invocation are compared.
 * The reference runs each input once, whatever the number of trials (lib/compare/trial.h) held against it. */
#pragma once

#include "cmd/diff/bisection.h"
#include "cmd/diff/error_maps.h"
#include "cmd/diff/extraction.h"
#include "cmd/diff/matrix.h"
#include "cmd/diff/reference_tensors.h"
#include "cmd/diff/repair.h"
#include "cmd/diff/second_model.h"
#include "cmd/diff/stored_sides.h"
#include "cmd/diff/why.h"
#include "cmd/input/inputs.h"
#include "cmd/tool/generation_flags.h"
#include "cmd/tool/partition_check.h"
#include "cmd/tool/tflite_flags.h"
#include "cmd/tool/tool.h"
#include "lib/compare/op_alone.h"
#include "lib/compare/recording.h"
#include "lib/compare/trial.h"

/* Values that the rows of the table fill; texts point into argv, "" if not given. */
struct diff_flags {
    const char *model_file, *graph, *reference, *reference_model, *reference_tensors, *signature, *delegate;
    bool list_inputs;              /* print them and end */
    enum cpu_mode cpu_kernels;     /* mode of the test side; the reference side is always CPU_REFERENCE on one thread */
    int32_t num_runs, num_threads; /* num_threads: of the test side */
    const char *atol, *tolerance, *rtol, *max_ulp, *fail_on; /* as typed: lib/compare/tolerance.h has their grammar */
    int32_t preset;                                          /* position in diff_presets */
    int32_t repeat;                                          /* invocations a run */
    double max_secs;                                         /* no run begins after so long; 0: no bound */
    struct partition_flags partition;
    struct tflite_delegate_flags tflite_delegates;
    const char *require;                /* partition_check.h */
    double require_percent;             /* the share that `require` asks for; 100 also sets require_full_delegation */
    int32_t min_delegated;              /* fewer nodes on the delegate: the comparison has failed */
    bool require_full_delegation;       /* the comparison has failed if any node stays on the CPU */
    bool per_op;                        /* compare every node's outputs, not only the model's */
    int32_t reference_precision;        /* enum session_precision of the reference */
    int32_t reference_hybrid;           /* 1: the reference multiplies floats if weights have 8 bits (lib/graph/float_weights.h) */
    const char *delegates, *precisions; /* lists of names: the rows of the matrix */
    int32_t repeat_loads;               /* fresh loads that are held against each other; 0: none */
    const char *all_runtimes;           /* file with a line for each row of the matrix; "": none */
    bool why;                           /* look for values that half precision cannot hold, and whether it explains the error */
    bool auto_fp32;                     /* search for nodes to keep in float32 */
    const char *repair;                 /* path of the rewritten model; "": none */
    const char *extract;                /* path of the part that shows the difference; "": none */
    const char *markdown;               /* the file, "-" or "" */
    const char *html;                   /* the file of the page; "" for none */
    const char *node_data;              /* folder of errors by node, for viewers; "" for none */
    bool bisect;                        /* search for the nodes that make the difference, trial by trial */
};

extern const struct flag diff_flag_table[]; /* for struct diff_flags */
extern const struct cli_help diff_help;     /* the short --help */
extern const char *const diff_presets[];    /* the words of --preset; ends with NULL */

/* Return the path that --model_file or --graph names; "" if neither was given. */
const char *diff_model_path(const struct diff_flags *f);

/* The side that others are compared with. Owned by the comparison. */
struct side {
    struct session *session;
    struct samples samples; /* microseconds of each invocation */
    struct stats figures;   /* statistics of the samples */
    uint32_t unsteady;      /* number of runs in which its invocations of one input gave different bits */
};

/* Loads of --repeat_loads: their number, and how many gave other bits than the first. */
struct loads {
    uint32_t n, different;
};

/* The delegate that --reference names, which runs whole models; zeros without the flag. */
struct reference_runtime {
    struct delegate_choice *choice; /* NULL: the reference kernels */
    const struct flag *flag;        /* the one that chooses its accelerator, or NULL; and its value */
    const char *value;
    struct delegate *opened; /* owned */
};

/* Zeroed to begin with. */
struct comparison {
    struct tool tool;
    struct diff_flags flags;
    struct input_flags input_flags;
    struct generation_flags generation;
    struct inputs inputs;
    struct tolerances tolerances; /* tolerances of the command line */
    struct side reference;
    struct trial test;          /* trial that the command line asks for */
    struct recording recording; /* the reference's runs, if keep_runs: comparison_try works with them */
    bool keep_runs;             /* set before the first run by the functions that make further trials after the last */
    struct op_alone alone;      /* single nodes on the delegate; its session is NULL without --per_op or without a delegate */
    const struct op_diff *first_drift, *worst_op; /* entries of test.ops: the first with drift, the one to blame; NULL: none */
    const struct profile_row *pieces;             /* [n_pieces] pieces of work of a run of the test side; with --per_op */
    size_t n_pieces;
    struct matrix matrix; /* further test sides, and `test` among them */
    struct bisection bisect;
    struct extraction extraction;
    struct why why;
    struct remedy remedy;
    struct repair repair;
    struct reference_runtime runtime;
    struct loads loads;
    struct second_model second; /* model that the reference runs, if it is another one */
    struct name_diffs names;    /* tensors of one name on both sides: of two models with --per_op, or of --reference_tensors */
    struct reference_tensors tensors;
    struct error_maps maps;
    struct report *report_to; /* of all signatures: the report becomes member "report" of report_in; NULL: it is a file */
    struct json *report_in;
    bool among_signatures, reported; /* one of several; the report is in report_in */
    enum status failed;              /* why there are no results, with the message; ST_OK: there are */
    struct err failure;
    struct stored_sides stored; /* sides and inputs that come from folders or go to folders */
};

/* Set up a zeroed comparison from a command line, as tool_begin does, with its results; run it, and return its exit status; free
 * all but its tool, which tool_end ends. */
int comparison_begin(struct comparison *c, int argc, char **argv);
int comparison_main(struct comparison *c);
void comparison_free(struct comparison *c);

/* True for --signature=all. Then compare each signature by itself, say which passed, and write one report of all
 * ("inference_diff_signatures"). Returns the exit status: of the first that did not run, else whether all passed. */
bool diff_signatures_wanted(const struct comparison *c);
int diff_signatures_main(struct comparison *asked);

/* Return the options of a test side as the command line has them, on delegate `d` (NULL: the CPU kernels), or on all delegates if
 * `d` is the first of several that were asked for. A trial changes the options that it is about (partition.first_node, .end_node,
 * mode). */
struct session_options comparison_options(const struct comparison *c, struct delegate *d);

/* Return the demands of the command line on a test side. */
struct trial_terms comparison_terms(const struct comparison *c);

/* Read the flags of tolerances into c->tolerances; comparison_check_tolerances checks them against the model, once the reference is
 * prepared. ST_USAGE as lib/compare/tolerance.h has it, and if --atol and its other name are both given. */
enum status comparison_read_tolerances(struct comparison *c, struct err *err);
enum status comparison_check_tolerances(const struct comparison *c, struct err *err);

/* Write bits of FAIL_ON_* as text: "max, mean". Returns `out`. */
#define DIFF_FAILED_SIZE 64
const char *diff_failed_text(unsigned failed, char out[DIFF_FAILED_SIZE]);

/* Make one more trial over the runs that c->recording holds: open it with these options, run, finish and judge it. `times`:
 * invocations a run, 1 if nobody needs their durations. The delegate must be open, and outlive the trial; so must the reference's
 * session, whose inputs and outputs are overwritten. Ctrl-C ends it after the run that is under way. The trial is the caller's to
 * free, after failures too. Fails as trial_open and trial_run do; a partition that is empty because of the options is no failure:
 * look at t->assignment. */
enum status comparison_try(struct comparison *c, const struct session_options *opt, int times, struct trial *t, struct err *err);

/* For --per_op: open the sessions of single nodes, with the sides; run the nodes, after each run; and find the node to blame and
 * the nodes that the delegate computes together, after c->test was judged. Do nothing without the flag. Fail as compiling and
 * running do. */
enum status diff_ops_open(struct comparison *c, struct err *err);
enum status diff_ops_add(struct comparison *c, struct err *err);
enum status diff_ops_finish(struct comparison *c, struct err *err);

/* Return the piece of work of the delegate that computes the node; NULL if unknown. */
const struct profile_row *diff_ops_piece(const struct comparison *c, const struct node *node);

/* True if the demands of the command line are met: by c->test, or by all rows of the matrix. Call it after they were judged. */
bool comparison_passed(const struct comparison *c);

/* Make the rows of --delegates and --precisions. ST_USAGE for names that this build or the delegate does not know, for names given
 * twice, and beside flags that choose one of them; after delegates_choose. */
enum status diff_matrix_read(struct comparison *c, struct err *err);

/* Read the lines of --all_runtimes into rows, behind one of the CPU kernels. Fails with ST_USAGE, naming the file, and with ST_IO.
 */
enum status diff_runtimes_read(struct comparison *c, struct err *err);

/* Open the delegate of the first row, or without rows the one that was asked for. */
enum status diff_matrix_open_delegate(struct comparison *c, struct err *err);

/* Store the choice that delegate i of c->tool.delegates.all was opened from, and a copy of its options, in `a`. Fails with
 * ST_NOMEM. */
enum status diff_matrix_options(const struct comparison *c, uint32_t i, struct arena *a, const struct delegate_choice **choice,
                                void **options, struct err *err);

/* Open the other rows, once c->test is open; run them with the reference's present inputs and outputs, as trial_run does c->test;
 * and judge them. Each row keeps its own failure. */
void diff_matrix_open(struct comparison *c);
void diff_matrix_run(struct comparison *c);
void diff_matrix_finish(struct comparison *c);
void diff_matrix_free(struct matrix *m);

/* Check the flags: ST_USAGE beside flags that keep nodes from the delegate by the size of its partitions, since the search ignores
 * them. */
enum status diff_bisect_check(const struct comparison *c, struct err *err);

/* Search, with the reference's kernels for nodes that the delegate does not have; after c->test was judged, with c->keep_runs set
 * before the first run. Fails as comparison_try does; Ctrl-C ends it early. */
enum status diff_bisect_run(struct comparison *c, struct err *err);

/* Free everything that it owns; accepts zeros. */
void diff_bisect_free(struct bisection *b);

/* For --all_runtimes: search each row whose outputs are off for the nodes to blame, into row->wrong. Fails as diff_bisect_run, but
 * that a row which fails has no nodes. */
enum status diff_bisect_rows(struct comparison *c, struct err *err);

/* Check the flags, once the delegate is chosen: ST_USAGE if --why, --auto_fp32 and --reference_precision contradict each other or
 * the delegate. */
enum status diff_why_check(const struct comparison *c, struct err *err);

/* Examine the reference's runs for --why, --auto_fp32 and --reference_precision; after c->test was judged, with c->keep_runs set
 * before the first run. Fails as comparison_try does; Ctrl-C ends it early. */
enum status diff_why_run(struct comparison *c, struct err *err);
void diff_why_free(struct why *w);

/* Search for the nodes to keep in float32 or on the CPU, after diff_why_run. Fails as comparison_try and opening the delegate
 * do. */
enum status diff_fp32_run(struct comparison *c, struct err *err);
void diff_fp32_free(struct remedy *r);

/* For --repair: rewrite the model so that half precision holds its values, prove it in float32 and on the test side (without a
 * delegate on an emulation), and write it if its float32 results stayed and its verdict did not become worse; after diff_why_run.
 * The check, before anything runs: ST_USAGE for flags that contradict it, and for the model's own path. Fails as trials and
 * file_write do. */
enum status diff_repair_check(const struct comparison *c, struct err *err);
enum status diff_repair_run(struct comparison *c, struct err *err);
void diff_repair_free(struct repair *r);

/* For --repeat_loads: load and run the model as often on the inputs of the first run, after the last run, with c->keep_runs set
 * before the first; other bits fail the comparison. Fails as comparison_try does; Ctrl-C ends it early. */
enum status diff_loads_run(struct comparison *c, struct err *err);

/* Read --reference, after delegates_choose and before delegates_check: ST_USAGE for names that this build does not know, and beside
 * flags that need the reference kernels. */
enum status diff_reference_read(struct comparison *c, struct err *err);

/* Open the delegate that --reference names, and put it into the options of the reference's session; do nothing without the flag.
 * Fails as opening a delegate does. Once the session is prepared, check that it has the model: ST_FAILED with its reason. */
enum status diff_reference_open(struct comparison *c, struct session_options *opt, struct err *err);
enum status diff_reference_check(const struct comparison *c, const struct session *s, struct err *err);
void diff_reference_free(struct reference_runtime *r);

/* Generate tokens on both sides in lock step, for --prefill and --decode: each side reads the prompt and the tokens that the
 * reference makes. Prints the first token that differs and the node to blame, and writes --json ("inference_diff_generation").
 * Returns the exit status. */
int diff_generation_main(struct comparison *c);

/* Return the model that the reference runs, and its subgraph: c->tool.model, if --reference_model names no other. */
const struct model *diff_reference_model(const struct comparison *c, uint32_t *subgraph);

/* Open --reference_model and pair inputs and outputs, once c->tool.model is open. ST_USAGE if other flags need a single model, or
 * the models do not match; else it fails as model_open and signatures_choose do. */
enum status diff_models_open(struct comparison *c, struct err *err);

/* For --per_op of two models: compare tensors by name. Begin once both sides are open, and add after each run. ST_NOMEM. */
enum status diff_models_begin(struct comparison *c, struct err *err);
void diff_models_add(struct comparison *c);

/* List the folder of --reference_tensors, once the model is open. Once both sides are, read the files of inputs and of tensors that
 * the test side shows, and begin to compare them with c->names; print which files are left out. Give the reference's inputs the
 * content of their files, after all other inputs are filled. Find where the first error begins, and fail the trial that has one,
 * after c->test was judged. All do nothing without the flag; ST_USAGE for folders and files that cannot be used, and ST_NOMEM. */
enum status diff_tensors_open(struct comparison *c, struct err *err);
enum status diff_tensors_begin(struct comparison *c, struct err *err);
enum status diff_tensors_inputs(struct comparison *c, struct err *err);
enum status diff_tensors_finish(struct comparison *c, struct err *err);
void diff_tensors_free(struct reference_tensors *r);

/* Return the number of files of which this became. */
uint32_t diff_tensors_count(const struct reference_tensors *r, enum tensor_use use);

/* Return an input of the model that has no file and is read by a node in which the first error may begin; NULL for none. */
const struct tensor *diff_tensors_unsure_input(const struct comparison *c);

/* True if the nodes of the one model are compared one by one: --per_op without a second model. */
bool diff_ops_wanted(const struct comparison *c);

/* Print the pairs, once both sides are open. Fails only with ST_NOMEM. */
enum status diff_models_say_pairs(const struct comparison *c, struct err *err);
void diff_models_free(struct second_model *m);

/* Read the manifests, once the model is open and before the sides are: as many runs are made as are stored, if --num_runs is not
 * given. ST_USAGE if flags or folders contradict each other; else it fails as stored_open does. */
enum status diff_stored_open(struct comparison *c, struct err *err);

/* Begin the folders that are to be written, once both sides are open. Fails as stored_begin does. */
enum status diff_stored_begin(struct comparison *c, struct err *err);

/* Fill the reference's inputs for run `run`, from a folder or as the flags of inputs say, and store them if asked for. ST_USAGE if
 * stored outputs belong to other inputs. */
enum status diff_stored_inputs(struct comparison *c, uint32_t run, struct err *err);

/* Store the outputs of both sides if asked for, after both have run. */
enum status diff_stored_outputs(struct comparison *c, struct err *err);

/* Write the manifests, after the last run. */
enum status diff_stored_end(struct comparison *c, struct err *err);

void diff_stored_free(struct stored_sides *d);

/* Put the delegates of the test side into test->delegates, for a model made of nodes of `g` (delegate_type.options_of_part): those
 * that are open, or others with such options, which *out owns. Fails as opening does. */
enum status part_delegates_open(struct comparison *c, const struct graph *g, const uint32_t *numbers, struct part_delegates *out,
                                struct session_options *test, struct err *err);
void part_delegates_free(struct part_delegates *p);

/* For --extract: write the part of the model that --per_op or --bisect, which go before it, found to be at fault, if it shows the
 * difference by itself. Does nothing without the flag. Fails as sessions and writing do. */
enum status diff_extract_run(struct comparison *c, struct err *err);
void diff_extract_free(struct extraction *x);

/* For --html: keep maps of errors from the first run on, once the sides are open; choose which to show, after the last.
 * Opening fails only with ST_NOMEM. */
enum status diff_maps_open(struct comparison *c, struct err *err);
void diff_maps_choose(struct comparison *c);
void diff_maps_free(struct error_maps *m);

/* Return how many nodes of delegates differ from the reference by design (lib/graph/float_weights.h); 0 with
 * --reference_hybrid=float. Their operators, each once, go to ops[size], unless size is 0. */
uint32_t diff_hybrid_nodes(const struct comparison *c, char *ops, size_t size);

/* Print figures and verdict as text, warnings among them; write them to --json and to --html. The text is there even if a file
 * cannot be written. */
enum status comparison_report(struct comparison *c, struct err *err);

/* Write the errors by node for Model Explorer to --node_data_dir: a file for each kind of error that is known of any node; other
 * files of these names are removed. The check, before anything runs: ST_USAGE if no node is looked at. */
enum status diff_node_data_check(const struct comparison *c, struct err *err);
enum status diff_node_data_write(const struct comparison *c, struct err *err);
