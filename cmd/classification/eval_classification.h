/* SPDX-License-Identifier: Apache-2.0 */
/* eval_classification.h - one evaluation of an image classifier: pictures and their labels, one or two sides, and their answers.
 *
 * Each picture is decoded and preprocessed once; every side runs the same input. The first side is the one that is judged: the
 * delegate that was asked for, or the CPU. With a delegate the CPU is the second one, if --compare_cpu. */
#pragma once

#include "cmd/print/results.h"
#include "cmd/tool/partition_check.h"
#include "cmd/tool/tflite_flags.h"
#include "cmd/tool/tool.h"
#include "lib/delegate/assignment.h"
#include "lib/eval/label.h"
#include "lib/eval/preprocess.h"
#include "lib/eval/topk.h"
#include "lib/measure/samples.h"

enum label_format { LABELS_AUTO, LABELS_TEXT, LABELS_INDEX };
enum unknown_labels { UNKNOWN_FAILS, UNKNOWN_IS_WRONG, UNKNOWN_IS_SKIPPED };

/* Values that the rows of the table fill; texts point into argv, "" if not given. */
struct classification_flags {
    const char *model_file, *graph, *delegate, *signature;
    const char *images, *truth, *labels, *denylist, *image, *real, *valid; /* files and folders of the data set; one picture */
    const char *answers, *merge, *shard;                                   /* a run in parts */
    const char *output, *proto, *csv, *html, *markdown;                    /* files that are written */
    int32_t num_images;                                                    /* the first so many; 0: all */
    int32_t num_ranks, num_threads, decode_threads, max_bad_images, show_misclassified;
    enum cpu_mode cpu_kernels;
    bool compare_cpu;
    enum label_format label_format;
    enum unknown_labels unknown_labels;
    int32_t label_offset, model_labels_offset;
    const char *preprocess, *mean, *std; /* preset; numbers */
    double crop_fraction;                /* 0: the preset's */
    int32_t crop, filter;                /* 0: the preset's; else 1 + enum preprocess_order, preprocess_filter */
    enum preprocess_layout layout;
    int32_t channels;                   /* 0: RGB, 1: BGR */
    double min_accuracy, min_agreement; /* below 0: any will do */
    int32_t min_delegated;
    bool require_full_delegation;
    struct partition_flags partition;
    struct tflite_delegate_flags tflite_delegates;
};

extern const struct flag classification_flag_table[]; /* for struct classification_flags */
extern const struct cli_help classification_help;     /* the short --help */

enum { NO_CLASS = UINT32_MAX, MAX_SIDES = 2, MAX_OTHERS = 5 };

/* The answer of a side about a picture. */
struct answer {
    uint32_t top;  /* class of the largest score; NO_CLASS if all are NaN */
    uint32_t rank; /* place of the right class among the largest scores, from 1 on; 0: it is not among --num_ranks of them */
    float score;   /* of `top` */
    bool nan;      /* a score is NaN */
};

enum picture_state { PICTURE_WAITS, PICTURE_DONE, PICTURE_BAD };

struct picture {
    const char *name;       /* path within the folder */
    const char *label;      /* text of the ground truth; NULL: a picture without one */
    uint32_t number;        /* its place in the sorted folder, from 1 on, as denylists count */
    uint32_t truth;         /* class: the first of its name, and of several right ones; NO_CLASS: the model has none of the label */
    const uint32_t *truths; /* [n_truths] all right classes */
    uint32_t n_truths;
    enum picture_state state;
    const char *why; /* PICTURE_BAD: the message */
    uint32_t cut;    /* numbers that a quantized input clamped */
    struct answer answers[MAX_SIDES];
};

struct pictures {
    const char *dir;
    struct picture *list; /* [n] to be run */
    uint32_t n;
    uint32_t files, others;                              /* of the folder; of these, files that are no pictures by their names */
    uint32_t denied, unknown, unlabelled, sharded, left; /* pictures on the denylist; with a label that is no class; without a
                                                   label; of other shards; beyond
                                                   --num_images */
    const char *other[MAX_OTHERS];                       /* [n_others] names of the first others */
    uint32_t n_others;
    bool by_folder;           /* the label is the name of the folder that the picture lies in */
    bool by_name;             /* the ground truth names its pictures */
    enum label_format format; /* LABELS_TEXT or LABELS_INDEX */
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
    uint64_t right[TOPK_MAX]; /* pictures whose class is among the first i + 1 answers */
    uint64_t n_nan;           /* pictures with a score that is NaN */
};

/* Pictures of one class. */
struct class_figures {
    uint32_t index;
    uint32_t n;                          /* pictures */
    uint32_t right[MAX_SIDES];           /* by the first answer */
    uint32_t taken_for, taken_for_count; /* most frequent wrong answer of the first side; NO_CLASS: none */
};

struct confusion {
    uint32_t truth, answer;
    uint32_t count; /* of the first side */
};

/* Both sides on the same pictures. */
struct agreement {
    uint64_t same;                          /* same first answer */
    uint64_t both, only_first, only_second; /* right */
    double p;                               /* wilson_mcnemar */
};

/* Zeroed to begin with. */
struct evaluation {
    struct tool tool;
    struct classification_flags flags;
    struct arena arena; /* names, labels, pictures */
    struct preprocess preprocess;
    struct label_space labels;
    const bool *among; /* [labels.n] whether a class is among --valid_labels; NULL: all are */
    uint32_t n_among;
    const char *labels_from; /* file of their names, within the model perhaps; NULL: they have none */
    struct pictures pictures;
    struct eval_side sides[MAX_SIDES];
    uint32_t n_sides;
    uint32_t n_ranks;
    struct samples decode; /* microseconds of reading, decoding and preprocessing of each picture */
    struct stats decode_figures;
    uint64_t n_done, n_bad, n_cut; /* pictures that ran; that could not be read; numbers that a quantized input clamped */
    struct class_figures *classes; /* [n_classes] with pictures, by number */
    uint32_t n_classes;
    struct confusion *confusions; /* [n_confusions] most frequent first */
    uint32_t n_confusions;
    struct agreement agreement; /* of two sides */
    struct topk one;            /* --image: answers of the first side */
    struct topk one_second;     /* and of the second */
    FILE *answers;              /* --answers_file, for appending; NULL: none */
    bool merging;               /* answers come from files alone, and sides have no session but the first, on the CPU */
    bool passed;
};

/* Return the path that --model_file or --graph names; "" if neither was given. */
const char *classification_model_path(const struct classification_flags *f);

/* Read the flags about preprocessing into e->preprocess, once the model is open. Fails as preprocess_preset and preprocess_metadata
 * do. */
enum status classification_preprocess(struct evaluation *e, struct err *err);

/* List the pictures, once the model is open and a side is prepared: names from the folder, less denylist and --num_images; the
 * classes' names from --model_output_labels; the right class of each picture. ST_USAGE, with the numbers, if they do not match;
 * ST_IO. */
enum status classification_list(struct evaluation *e, struct err *err);

/* Names of the classes alone, and which of them count, for --image. */
enum status classification_names(struct evaluation *e, struct err *err);

/* Read the text file of a flag, and split it. Fails as reading and label_split do; the message names the flag. */
enum status classification_lines(struct evaluation *e, const char *flag, const char *path, bool dense, struct label_lines *out,
                                 struct err *err);

/* Open the sides, and check that the model is a classifier: one input for a picture, one output of scores. */
enum status classification_open_sides(struct evaluation *e, struct err *err);

/* Leave the pictures of other shards out of the list (--shard). ST_USAGE. */
enum status classification_shard(struct evaluation *e, struct err *err);

/* Read the answers that --answers_file has already, if it exists, and open it for further ones; add that of a picture; take all
 * answers from the files of --merge. All pictures are listed, of other shards too, when a file is opened or merged.
 * ST_USAGE if a file belongs to other answers, or to --merge pictures are missing or there twice; ST_IO; ST_FAILED. */
enum status classification_answers_open(struct evaluation *e, struct err *err);
enum status classification_answers_add(const struct evaluation *e, const struct picture *p, struct err *err);
enum status classification_merge(struct evaluation *e, struct err *err);

/* Run all pictures on all sides; or the one of --image. Ctrl-C ends it after the picture that is under way. ST_USAGE once more than
 * --max_bad_images cannot be read; else fails as session_run does. */
enum status classification_run(struct evaluation *e, struct err *err);
enum status classification_run_one(struct evaluation *e, struct err *err);

/* Compute the figures of all pictures that ran, and e->passed. Fails only with ST_NOMEM. */
enum status classification_count(struct evaluation *e, struct err *err);

/* Print the figures; write --json, --html, --markdown, --results_csv and TFLite's messages. */
enum status classification_report(const struct evaluation *e, struct err *err);
enum status classification_report_one(const struct evaluation *e, struct err *err);

/* Write EvaluationStageMetrics to --output_file_path, and TopkAccuracyEvalMetrics to --proto_output_file_path. ST_IO, ST_NOMEM. */
enum status classification_write_protos(const struct evaluation *e, struct err *err);

/* Free everything that it owns. */
void classification_free(struct evaluation *e);
