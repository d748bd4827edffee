/* SPDX-License-Identifier: Apache-2.0 */
/* eval_classification.h - one evaluation of an image classifier: an evaluation (cmd/evaluation/evaluation.h), labels, answers. */
#pragma once

#include "cmd/evaluation/eval_report.h"
#include "lib/eval/topk.h"

enum label_format { LABELS_AUTO, LABELS_TEXT, LABELS_INDEX };
enum unknown_labels { UNKNOWN_FAILS, UNKNOWN_IS_WRONG, UNKNOWN_IS_SKIPPED };

/* Values that the rows of the table fill; texts point into argv, "" if not given. */
struct classification_flags {
    const char *truth, *labels, *image, *real, *valid; /* files of the data set; one picture */
    const char *output, *proto, *csv;                  /* files that are written */
    int32_t num_ranks, show_misclassified;
    enum label_format label_format;
    enum unknown_labels unknown_labels;
    int32_t label_offset, model_labels_offset;
    double min_accuracy; /* below 0: any will do */
};

extern const struct flag classification_flag_table[]; /* for struct classification_flags */
extern const struct cli_help classification_help;     /* the short --help */

enum { NO_CLASS = UINT32_MAX };

/* The answer of a side about a picture. */
struct answer {
    uint32_t top;  /* class of the largest score; NO_CLASS if all are NaN */
    uint32_t rank; /* place of the right class among the largest scores, from 1 on; 0: it is not among --num_ranks of them */
    float score;   /* of `top` */
    bool nan;      /* a score is NaN */
};

/* What is known of a picture. */
struct labelled {
    const char *label;      /* text of the ground truth; NULL: a picture without one */
    uint32_t truth;         /* class: the first of its name, and of several right ones; NO_CLASS: the model has none of the label */
    const uint32_t *truths; /* [n_truths] all right classes */
    uint32_t n_truths;
    struct answer answers[MAX_SIDES];
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
struct classification {
    struct evaluation base;
    struct classification_flags flags;
    struct label_space labels;
    const bool *among; /* [labels.n] whether a class is among --valid_labels; NULL: all are */
    uint32_t n_among;
    const char *labels_from;      /* file of their names, within the model perhaps; NULL: they have none */
    struct labelled *labelled;    /* [files] of picture.number, from 1 on */
    uint32_t unknown, unlabelled; /* pictures with a label that is no class; without a label */
    bool by_folder;               /* the label is the name of the folder that the picture lies in */
    bool by_name;                 /* the ground truth names its pictures */
    enum label_format format;     /* LABELS_TEXT or LABELS_INDEX */
    uint32_t n_ranks;
    uint64_t right[MAX_SIDES][TOPK_MAX]; /* pictures whose class is among the first i + 1 answers */
    uint64_t n_nan[MAX_SIDES];           /* pictures with a score that is NaN */
    struct class_figures *classes;       /* [n_classes] with pictures, by number */
    uint32_t n_classes;
    struct confusion *confusions; /* [n_confusions] most frequent first */
    uint32_t n_confusions;
    struct agreement agreement; /* of two sides */
    struct topk one[MAX_SIDES]; /* --image: answers of each side */
};

/* Return what is known of a picture. */
static inline struct labelled *labelled_of(const struct classification *e, const struct picture *p)
{
    return &e->labelled[p->number - 1];
}

extern const struct eval_task classification_task;

/* List the pictures, once the model is open and a side is prepared: names from the folder, less denylist and --num_images; the
 * classes' names from --model_output_labels; the right class of each picture. ST_USAGE, with the numbers, if they do not match;
 * ST_IO. */
enum status classification_list(struct classification *e, struct err *err);

/* Names of the classes alone, and which of them count, for --image. */
enum status classification_names(struct classification *e, struct err *err);

/* Run the picture of --image. */
enum status classification_run_one(struct classification *e, struct err *err);

/* Compute the figures of all pictures that ran, and base.passed. Fails only with ST_NOMEM. */
enum status classification_count(struct classification *e, struct err *err);

/* Print the figures; write --json, --html, --markdown, --results_csv and TFLite's messages. */
enum status classification_report(const struct classification *e, struct err *err);
enum status classification_report_one(const struct classification *e, struct err *err);

/* Write EvaluationStageMetrics to --output_file_path, and TopkAccuracyEvalMetrics to --proto_output_file_path. ST_IO, ST_NOMEM. */
enum status classification_write_protos(const struct classification *e, struct err *err);
