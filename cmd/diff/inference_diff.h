/* SPDX-License-Identifier: Apache-2.0 */
/* inference_diff.h - one comparison of a model with itself: the reference kernels against a delegate or the fast kernels.
 * Opened and run by inference_diff.c, further trials of it by diff_trials.c, printed by diff_text.c and diff_json.c.
 *
 * Each run draws new inputs (normally distributed, as TFLite's tool does), gives all sides the same bytes, resets their variables
 * and invokes each three times, so that latencies are not those of cold caches; the outputs of the last invocation are compared.
 * The reference runs each input once, whatever the number of trials (lib/compare/trial.h) held against it. */
#ifndef DELEGAUGE_CMD_INFERENCE_DIFF_H
#define DELEGAUGE_CMD_INFERENCE_DIFF_H

#include "cmd/diff/bisection.h"
#include "cmd/diff/error_maps.h"
#include "cmd/diff/extraction.h"
#include "cmd/diff/matrix.h"
#include "cmd/diff/second_model.h"
#include "cmd/diff/stored_sides.h"
#include "cmd/diff/why.h"
#include "cmd/input/inputs.h"
#include "cmd/print/text_table.h"
#include "cmd/tool/partition_check.h"
#include "cmd/tool/tflite_flags.h"
#include "cmd/tool/tool.h"
#include "lib/compare/op_alone.h"
#include "lib/compare/recording.h"
#include "lib/compare/trial.h"

/* What the rows of the table fill; texts point into argv, "" where not given. */
struct diff_flags {
    const char *model_file, *graph, *reference_model, *signature, *delegate;
    enum cpu_mode cpu_kernels;     /* of the test side; the reference side is always CPU_REFERENCE on one thread */
    int32_t num_runs, num_threads; /* num_threads: of the test side */
    const char *atol, *tolerance, *rtol, *max_ulp, *fail_on; /* as typed: lib/compare/tolerance.h has their grammar */
    int32_t preset;                                          /* position in diff_presets */
    int32_t repeat;                                          /* invocations a run */
    double max_secs;                                         /* no run begins after so long; 0: no bound */
    struct partition_flags partition;
    struct tflite_delegate_flags tflite_delegates;
    int32_t min_delegated;        /* fewer nodes on the delegate: the comparison has failed */
    bool require_full_delegation; /* so it has where any node stays on the CPU */
    bool per_op;                  /* compare every node's outputs, not only the model's */
    int32_t reference_precision;  /* enum session_precision of the reference */
    int32_t reference_hybrid;     /* 1: the reference multiplies floats where weights have 8 bits (lib/graph/float_weights.h) */
    const char *delegates, *precisions; /* lists of names: the rows of the matrix */
    bool why;                           /* look for what half precision cannot hold, and whether it explains the error */
    bool auto_fp32;                     /* search for nodes to keep in float32 */
    const char *extract;                /* where to write the part that shows the difference; "": nowhere */
    const char *html;                   /* the file of the page; "" for none */
    const char *node_data;              /* folder of errors by node, for viewers; "" for none */
    bool bisect;                        /* search for the nodes that make the difference, trial by trial */
};

extern const struct flag diff_flag_table[]; /* for struct diff_flags */
extern const char *const diff_presets[];    /* the words of --preset; ends with NULL */

/* What --model_file or --graph named; "" where neither was given. */
const char *diff_model_path(const struct diff_flags *f);

/* The side that others are held against. Owned by the comparison. */
struct side {
    struct session *session;
    struct samples samples; /* microseconds of each invocation */
    struct stats figures;   /* of them */
    uint32_t unsteady;      /* runs in which its invocations of one input gave different bits */
};

/* Zeroed to begin with. */
struct comparison {
    struct tool tool;
    struct diff_flags flags;
    struct input_flags input_flags;
    struct inputs inputs;
    struct tolerances tolerances; /* what the command line allows */
    struct side reference;
    struct trial test;          /* what the command line asks for */
    struct recording recording; /* the reference's runs, where keep_runs: what comparison_try works with */
    bool keep_runs;             /* set before the first run by whoever makes further trials after the last */
    struct op_alone alone;      /* single nodes on the delegate; its session is NULL without --per_op or without a delegate */
    const struct op_diff *first_drift, *worst_op; /* of test.ops: where it is first seen, what is to blame; NULL: nothing */
    const struct profile_row *pieces;             /* [n_pieces] of which a run of the test side consists; with --per_op */
    size_t n_pieces;
    struct matrix matrix; /* further test sides, and `test` among them */
    struct bisection bisect;
    struct extraction extraction;
    struct why why;
    struct remedy remedy;
    struct second_model second; /* what the reference runs, where it is another model */
    struct error_maps maps;
    struct stored_sides stored; /* sides and inputs that come from folders, or go to some */
};

/* The options of a test side as the command line has them, on delegate `d` (NULL: the CPU kernels), and where that is the first of
 * several that were asked for, on all of them; who makes a trial changes in
 * them what it is about (partition.first_node, .end_node, mode). */
struct session_options comparison_options(const struct comparison *c, struct delegate *d);

/* What the command line demands of a test side. */
struct trial_terms comparison_terms(const struct comparison *c);

/* Reads the flags of tolerances into c->tolerances; comparison_check_tolerances holds them against the model, once the reference is
 * prepared. ST_USAGE as lib/compare/tolerance.h has it, and where --atol and its other name are both given. */
enum status comparison_read_tolerances(struct comparison *c, struct err *err);
enum status comparison_check_tolerances(const struct comparison *c, struct err *err);

/* "max, mean", of bits of FAIL_ON_*. Returns `out`. */
#define DIFF_FAILED_SIZE 64
const char *diff_failed_text(unsigned failed, char out[DIFF_FAILED_SIZE]);

/* Makes one more trial over the runs that c->recording holds: opens it with these options, runs, finishes and judges it. `times`:
 * invocations a run, 1 where nobody asks how long they take. The delegate must be open, and outlive the trial; so must the
 * reference's session, whose inputs and outputs are overwritten. Ctrl-C ends it after the run that is under way. The trial is the
 * caller's to free, after failures too. Fails as trial_open and trial_run do; a partition that is empty because of the options is
 * no failure: look at t->assignment. */
enum status comparison_try(struct comparison *c, const struct session_options *opt, int times, struct trial *t, struct err *err);

/* --per_op: opens what single nodes need, with the sides; runs them, after each run; and finds out what is to blame, and what the
 * delegate computes together, after c->test was judged. Do nothing without the flag. Fail as compiling and running do. */
enum status diff_ops_open(struct comparison *c, struct err *err);
enum status diff_ops_add(struct comparison *c, struct err *err);
enum status diff_ops_finish(struct comparison *c, struct err *err);

/* The piece of work of the delegate that computes the node; NULL where nobody knows. */
const struct profile_row *diff_ops_piece(const struct comparison *c, const struct node *node);

/* The table of nodes and what it comes to, which the second says alone; "ops" of the report, null without --per_op. */
void diff_ops_say(const struct comparison *c);
void diff_ops_say_found(const struct comparison *c);
void diff_ops_put(struct report *r, const struct comparison *c);

/* A difference with its worst element as member `key`, of tensors such as t; null unless `any`. */
void diff_put(struct report *r, struct json *in, const char *key, const struct tensor *t, const struct diff *d, bool any);

/* Whether what the command line demands is met: by c->test, or by all rows of the matrix. After they were judged. */
bool comparison_passed(const struct comparison *c);

/* Makes the rows of --delegates and --precisions. ST_USAGE for names that this build or the delegate does not know, for names given
 * twice, and beside flags that choose one of them; after delegates_choose. */
enum status diff_matrix_read(struct comparison *c, struct err *err);

/* Opens the delegate of the first row, or the one that was asked for where there are none. */
enum status diff_matrix_open_delegate(struct comparison *c, struct err *err);

/* Opens the other rows, once c->test is open; runs them with what the reference has now, as trial_run does c->test; and judges
 * them. Failures are the rows'. */
void diff_matrix_open(struct comparison *c);
void diff_matrix_run(struct comparison *c);
void diff_matrix_finish(struct comparison *c);
void diff_matrix_free(struct matrix *m);

/* Table and sentences, and instead of comparison_say_verdict's the verdict on all rows; "matrix" of the report, null without rows.
 * Fails only with ST_NOMEM. The table alone has its cells in `t`, to be emptied by the caller. */
enum status diff_matrix_say(const struct comparison *c, struct err *err);
void diff_matrix_table(const struct comparison *c, struct text_table *t);
void diff_matrix_say_notes(const struct comparison *c);
void diff_matrix_say_verdict(const struct comparison *c);
void diff_matrix_put(struct report *r, const struct comparison *c);

/* "failed_on", and an object of "outputs", as the report has them of a trial. */
void diff_put_failed_on(struct report *r, struct json *in, unsigned failed);
void diff_put_output(struct report *r, struct json *list, const struct trial *trial, uint32_t i);

/* ST_USAGE beside flags that keep nodes from the delegate by the size of its partitions, which the search does not keep to. */
enum status diff_bisect_check(const struct comparison *c, struct err *err);

/* Searches, with the reference's kernels where the delegate has no node; after c->test was judged, with c->keep_runs set before the
 * first run. Fails as comparison_try does; Ctrl-C ends it early. */
enum status diff_bisect_run(struct comparison *c, struct err *err);

/* What was tried, the steps, and what was found, as text; the first and the last alone. */
void diff_bisect_say(const struct comparison *c);
void diff_bisect_say_terms(const struct comparison *c);
void diff_bisect_say_found(const struct comparison *c);

/* "bisect" of the report, null where there was none. */
void diff_bisect_put(struct report *r, const struct comparison *c);

/* Frees what it owns; accepts zeros. */
void diff_bisect_free(struct bisection *b);

/* ST_USAGE where --why, --auto_fp32 and --reference_precision contradict each other or the delegate; once that is chosen. */
enum status diff_why_check(const struct comparison *c, struct err *err);

/* What --why, --auto_fp32 and --reference_precision want to know of the reference's runs; after c->test was judged, with
 * c->keep_runs set before the first run. Fails as comparison_try does; Ctrl-C ends it early. */
enum status diff_why_run(struct comparison *c, struct err *err);
void diff_why_free(struct why *w);

/* Which nodes to keep in float32 or on the CPU, after diff_why_run. Fails as comparison_try and opening the delegate do. */
enum status diff_fp32_run(struct comparison *c, struct err *err);
void diff_fp32_free(struct remedy *r);

/* Whether the test side may store 16-bit floats, so that half precision can be the reason for what it is off. */
bool diff_why_applies(const struct comparison *c);

/* Which of two differences to the same reference is smaller, as root mean squares: by more than a tenth, or neither. */
enum nearer { NEARER_TEST, NEARER_REFERENCE, NEARER_NEITHER };
enum nearer diff_why_nearer(const struct diff *test, const struct diff *plain);

/* What was found, as text, and as "why", "other_precision" and "auto_fp32" of the report: each null where nobody asked. */
void diff_why_say(const struct comparison *c);
void diff_fp32_say(const struct comparison *c);
void diff_why_put(struct report *r, const struct comparison *c);

/* The model that the reference runs, and its subgraph: c->tool.model, if --reference_model names no other. */
const struct model *diff_reference_model(const struct comparison *c, uint32_t *subgraph);

/* Opens --reference_model and pairs inputs and outputs, once c->tool.model is open. ST_USAGE where other flags need one model
 * alone, or the models do not go together; else as model_open and signatures_choose. */
enum status diff_models_open(struct comparison *c, struct err *err);

/* --per_op of two models: tensors by name. To begin once both sides are open, and to be added to after each run. ST_NOMEM. */
enum status diff_models_begin(struct comparison *c, struct err *err);
void diff_models_add(struct comparison *c);
void diff_models_say_names(const struct comparison *c); /* the table, and what it comes to, which the next says alone */
void diff_models_say_found(const struct comparison *c);

/* Whether nodes of the one model are compared one by one: --per_op without another one. */
bool diff_ops_wanted(const struct comparison *c);

/* Prints the pairs, once both sides are open; after the runs, what the test side's inputs could not hold. */
void diff_models_say_pairs(const struct comparison *c);
void diff_models_say_cut(const struct comparison *c);

/* "reference_model" of the report; null where it is the same. */
void diff_models_put(struct report *r, const struct comparison *c);
void diff_models_free(struct second_model *m);

/* Reads the manifests; once the model is open, before the sides are: as many runs are made as are stored, if --num_runs is not
 * given. ST_USAGE where flags contradict each other, or the folders do; and as stored_open. */
enum status diff_stored_open(struct comparison *c, struct err *err);

/* Begins the folders that are to be written, once both sides are open. Fails as stored_begin. */
enum status diff_stored_begin(struct comparison *c, struct err *err);

/* Fills the reference's inputs for run `run`, from a folder or as the flags of inputs say, and stores them where asked for.
 * ST_USAGE where stored outputs are of other inputs. */
enum status diff_stored_inputs(struct comparison *c, uint32_t run, struct err *err);

/* After both sides have run `run`: stores their outputs where asked for. */
enum status diff_stored_outputs(struct comparison *c, struct err *err);

/* Writes the manifests, after the last run. */
enum status diff_stored_end(struct comparison *c, struct err *err);

void diff_stored_free(struct stored_sides *d);

/* --extract: writes the part of the model that --per_op or --bisect, which go before it, hold to be at fault, if it shows the
 * difference by itself. Does nothing without the flag. Fails as sessions and writing do. */
enum status diff_extract_run(struct comparison *c, struct err *err);
void diff_extract_say(const struct comparison *c);
void diff_extract_put(struct report *r, const struct comparison *c); /* "extract", null where nothing was written */
void diff_extract_free(struct extraction *x);

/* --html: keeps maps of errors from the first run on, once the sides are open, and chooses which to show, after the last;
 * "error_maps" of the report, null without the flag. Opening fails only with ST_NOMEM. */
enum status diff_maps_open(struct comparison *c, struct err *err);
void diff_maps_choose(struct comparison *c);
void diff_maps_put(struct report *r, const struct comparison *c);
void diff_maps_free(struct error_maps *m);

/* How many nodes of delegates differ from the reference by design (lib/graph/float_weights.h); 0 with --reference_hybrid=float.
 * Their operators, each once, go to ops[size], where size is not 0. */
uint32_t diff_hybrid_nodes(const struct comparison *c, char *ops, size_t size);

/* Prints the verdict on c->test: what failed, and how many nodes had which executor. */
void comparison_say_verdict(const struct comparison *c);

/* Prints what there is to say of each output of a trial: distances, what was allowed, and what no distance shows; the second that
 * last part alone, the third with the sides that were unsteady. */
void trial_say_outputs(const struct trial *t);
void trial_say_doubts(const struct trial *t);
void comparison_say_doubts(const struct comparison *c);

/* Print figures and verdict: as text, warnings among them, and as a JSON document to --json. */
enum status comparison_say(const struct comparison *c, struct err *err);
enum status comparison_write_json(const struct comparison *c, struct err *err);

/* The same as a page to look at, to --html. */
enum status comparison_write_html(const struct comparison *c, struct err *err);

/* Errors by node for Model Explorer, to --node_data_dir: a file for each kind of error that is known of any node, others of these
 * names removed. The first, ST_USAGE where no node is looked at, before anything runs. */
enum status diff_node_data_check(const struct comparison *c, struct err *err);
enum status diff_node_data_write(const struct comparison *c, struct err *err);

#endif
