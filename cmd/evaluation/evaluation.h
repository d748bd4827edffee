/* SPDX-License-Identifier: Apache-2.0 */
/* evaluation.h - a model on a folder of pictures, on one or two sides: the common part of the evaluations of all tasks.
 *
 * Each picture is decoded and preprocessed once; every side runs the same input. The first side is the one that is judged: the
 * delegate that was asked for, or the CPU. With a delegate the CPU is the second one, if --compare_cpu.
 *
 *   struct classification { struct evaluation base; ... };      a task's own struct begins with this one
 *   static const struct eval_task task = {...};                 and it says what a picture's answer is
 *
 *   eval_open(e, &task, &err)        model, delegates, preprocessing, sides
 *   eval_list(e, &names, &err)       files of the folder; the task makes e->pictures.list of them
 *   eval_begin(e, &err)              answers that are there already, --merge, --shard
 *   eval_run(e, &err)                all other pictures on all sides
 *   eval_count(e, &err)              latencies */
#pragma once

#include "cmd/tool/partition_check.h"
#include "cmd/tool/tflite_flags.h"
#include "cmd/tool/tool.h"
#include "lib/delegate/assignment.h"
#include "lib/eval/label.h"
#include "lib/eval/preprocess.h"
#include "lib/measure/samples.h"

/* Values that the rows of the table fill; texts point into argv, "" if not given. */
struct eval_flags {
    const char *model_file, *graph, *delegate, *signature;
    const char *images, *denylist;
    const char *answers, *merge, *shard; /* a run in parts */
    const char *html, *markdown;         /* files that are written */
    int32_t num_images;                  /* the first so many; 0: all */
    int32_t num_threads, decode_threads, max_bad_images, html_pictures;
    enum cpu_mode cpu_kernels;
    bool compare_cpu;
    const char *preprocess, *mean, *std; /* preset; numbers */
    double crop_fraction;                /* 0: the preset's */
    int32_t crop, filter;                /* 0: the preset's; else 1 + enum preprocess_order, preprocess_filter */
    enum preprocess_layout layout;
    int32_t channels; /* 0: RGB, 1: BGR */
    int32_t min_delegated;
    bool require_full_delegation;
    double min_agreement; /* below 0: any will do */
    struct partition_flags partition;
    struct tflite_delegate_flags tflite_delegates;
};

extern const struct flag eval_flag_table[]; /* for struct eval_flags */

enum { MAX_SIDES = 2, MAX_OTHERS = 5 };

enum picture_state { PICTURE_WAITS, PICTURE_DONE, PICTURE_BAD };

struct picture {
    const char *name; /* path within the folder */
    uint32_t number;  /* its place in the sorted folder, from 1 on, as denylists count; tasks keep what they know of it there */
    enum picture_state state;
    const char *why; /* PICTURE_BAD: the message */
    uint32_t cut;    /* numbers that a quantized input clamped */
};

struct pictures {
    const char *dir;
    struct picture *list; /* [n] to be run */
    uint32_t n;
    uint32_t files, others;         /* of the folder; of these, files that are no pictures by their names */
    uint32_t denied, sharded, left; /* pictures on the denylist; of other shards; beyond --num_images */
    const char *other[MAX_OTHERS];  /* [n_others] names of the first others */
    uint32_t n_others;
};

/* A model on a delegate or on the CPU. */
struct eval_side {
    struct session *session;   /* owned */
    struct delegate *delegate; /* first of several; NULL: the CPU */
    bool on_delegate;
    struct assignment assignment;
    char name[64];          /* "GPU" */
    char precision[64];     /* in which a delegate computes, or the CPU's kernels: answers of others are not merged */
    struct samples samples; /* microseconds of each inference */
    struct stats figures;
};

struct evaluation;
struct decoded; /* eval_decode.h */

/* A task: the meaning of an answer to a picture. Functions get the task's own struct, which begins with the evaluation. */
struct eval_task {
    const char *preset;                                   /* of --preprocess, if that is not given */
    const char *(*preset_of)(const struct evaluation *e); /* likewise, of the open model; NULL: always `preset` */
    bool whole;                                           /* presets do not crop: all of the picture counts */

    /* Check that the first side, which is prepared, is a model for the task. ST_USAGE. */
    enum status (*accept_model)(struct evaluation *e, struct err *err);

    /* Write all that answers depend on, beside model, preprocessing and the names of the pictures. */
    void (*put_key)(const struct evaluation *e, FILE *to);

    /* Read what belongs to a picture beside its file into one->more, which free() frees, on a thread that decodes; NULL: nothing
     * does. Fails as eval_read does. */
    enum status (*read_more)(const struct evaluation *e, const struct picture *p, struct decoded *one, struct err *err);

    /* Take the answer of a side, which just ran the picture. */
    enum status (*take)(struct evaluation *e, const struct picture *p, const struct decoded *one, uint32_t side, struct err *err);

    /* Write the answer as n_fields fields, each behind a tab; read them: false if they are none that it writes. */
    uint32_t n_fields;
    void (*put)(const struct evaluation *e, const struct picture *p, uint32_t side, FILE *to);
    bool (*get)(struct evaluation *e, const struct picture *p, uint32_t side, char **fields);
};

/* Zeroed to begin with, but for the tool. */
struct evaluation {
    struct tool tool;
    struct eval_flags flags;
    const struct eval_task *task;
    struct arena arena; /* names, pictures, and the records of the task */
    struct preprocess preprocess;
    struct pictures pictures;
    struct eval_side sides[MAX_SIDES];
    uint32_t n_sides;
    struct samples decode; /* microseconds of reading, decoding and preprocessing of each picture */
    struct stats decode_figures;
    uint64_t n_done, n_bad, n_cut; /* pictures that ran; that could not be read; numbers that a quantized input clamped */
    FILE *answers;                 /* --answers_file, for appending; NULL: none */
    bool merging;                  /* answers come from files alone, and sides have no session but the first, on the CPU */
    bool passed;
};

/* Return the path that --model_file or --graph names; "" if neither was given. */
const char *eval_model_path(const struct eval_flags *f);

/* Choose the delegates, and check the flags that all tasks have. Then open delegates, model and sides. Fails as those do, as
 * preprocess_preset and preprocess_metadata do, and as the task's accept_model does. */
enum status eval_check_flags(struct evaluation *e, struct err *err);
enum status eval_open(struct evaluation *e, struct err *err);

/* ---- pictures ---- */

/* Names in a growing list of the arena. */
struct names {
    const char **list;
    uint32_t n, capacity;
};

/* Read the text file of a flag, and split it. Fails as reading and label_split do; the message names the flag. */
enum status eval_lines(struct evaluation *e, const char *flag, const char *path, bool dense, struct label_lines *out,
                       struct err *err);

/* Read the names of n classes from `file`, that of --model_output_labels, or if it is "" from the archive behind the model; *from
 * is where they are from, NULL if there are none. Fails as eval_lines and label_zip_find do. */
enum status eval_names(struct evaluation *e, const char *file, uint32_t n, struct label_lines *out, const char **from,
                       struct err *err);

/* Store the names of the pictures of --ground_truth_images_path, or of its folders, in order; count others. ST_USAGE if there is
 * none; ST_IO, ST_NOMEM. */
enum status eval_list(struct evaluation *e, bool of_folders, struct names *out, struct err *err);

/* Find a name of length bytes; NULL: it is none of them. */
const char **eval_find_name(const struct names *names, const char *name, size_t length, struct arena *a);

/* Note which pictures --denylist_file_path has, in *denied [names->n], from the arena. ST_USAGE, ST_IO, ST_NOMEM. */
enum status eval_deny(struct evaluation *e, const struct names *names, bool **denied, struct err *err);

/* Print what is done to pictures, how many there are, and which files are none; `left`: of those left out by the task, from
 * eval_say_left. */
enum { EVAL_LEFT_SIZE = 192 };
void eval_say_left(uint32_t n, const char *what, char left[EVAL_LEFT_SIZE]);
void eval_say_preprocessing(const struct evaluation *e);
void eval_say_pictures(const struct evaluation *e, char left[EVAL_LEFT_SIZE]);

/* ---- runs ---- */

/* Read the answers that --answers_file has already, if it exists, and open it for further ones; or all answers from the files of
 * --merge. Then leave the pictures of other shards out of the list. ST_USAGE if a file belongs to other answers, or to --merge
 * pictures are missing or there twice; ST_IO; ST_FAILED. */
enum status eval_begin(struct evaluation *e, struct err *err);

/* Add the answers to a picture to --answers_file. ST_FAILED. */
enum status eval_answers_add(const struct evaluation *e, const struct picture *p, struct err *err);

/* Run all pictures that wait on all sides. Ctrl-C ends it after the picture that is under way. ST_USAGE once more than
 * --max_bad_images cannot be read; else fails as session_run does. */
enum status eval_run(struct evaluation *e, struct err *err);

/* Run a single picture, of any path; the answers are in the sides' outputs. */
enum status eval_run_one(struct evaluation *e, const char *path, struct err *err);

/* Compute the latencies. Fails only with ST_NOMEM. */
enum status eval_count(struct evaluation *e, struct err *err);

/* Return true if --min_delegated and --require_full_delegation are met. */
bool eval_delegated(const struct evaluation *e);

/* Return true if --min_agreement is met by an agreement from 0 to 1 of the sides; NaN, if nothing was judged, meets none. */
bool eval_agrees(const struct evaluation *e, double agreement);

/* Add the flags of all evaluations, and the task's own for `values`; then begin the tool. Returns as tool_begin does. */
int eval_tool_begin(struct evaluation *e, const struct flag *own, void *values, int argc, char **argv);

/* Warn if the runs were interrupted, and return the exit status of a finished evaluation. */
int eval_finish(const struct evaluation *e);

/* Free everything that it owns. */
void eval_free(struct evaluation *e);
