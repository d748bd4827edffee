/* SPDX-License-Identifier: Apache-2.0 */
/* classification_flags.c - the flags of eval_classification. */
#include "cmd/classification/eval_classification.h"

#include "cmd/tool/help.h"

#define FLAG_OPTIONS struct classification_flags
#define ROW          FLAG_ROW

const struct flag classification_flag_table[] = {
    ROW(INPUT, "ground_truth_labels", FLAG_READS_PATH, truth, "", "Ground truth labels",
        "Read the right label of each picture from this file: a line each, in the order of the pictures, or the picture's name and "
        "its label, with blanks, a tab or a comma between."),
    ROW(INPUT, "model_output_labels", FLAG_READS_PATH, labels, "", "Model output labels",
        "Name the classes by this file, a line for each in the order of the model's output."),
    ROW(INPUT, "real_labels", FLAG_READS_PATH, real, "", "ReaL labels",
        "Read the right classes from this file, in the place of --ground_truth_labels: a JSON list of lists of numbers, "
        "in the order of the pictures, as ImageNet's reassessed labels. Pictures with an empty list are left out."),
    ROW(INPUT, "valid_labels", FLAG_READS_PATH, valid, "", "Valid labels",
        "Choose answers among the classes of this file alone, a name or a number in each line, as the ground truth has them."),
    ROW(INPUT, "label_format", FLAG_TAKES_WORD("auto", "text", "index"), label_format, "auto", "Label format",
        "Read the ground truth as names of classes (text) or as their numbers (index); auto: names if the classes have the "
        "first one, else numbers."),
    ROW(INPUT, "label_offset", FLAG_TAKES_INT(-1000000, 1000000), label_offset, "0", "Label offset",
        "Add this to numbers of the ground truth: 1 where they begin with 0 and the model's class 0 is a background."),
    ROW(INPUT, "model_labels_offset", FLAG_TAKES_INT(-1000000, 1000000), model_labels_offset, "0", "Model labels offset",
        "Give the first line of --model_output_labels to this class: 1 where the file leaves out the background."),
    ROW(INPUT, "unknown_labels", FLAG_TAKES_WORD("fail", "wrong", "skip"), unknown_labels, "fail", "Unknown labels",
        "Choose what becomes of pictures whose label is no class of the model: fail ends the tool, wrong counts them as mistakes, "
        "as TFLite's tool does, skip leaves them out."),
    ROW(OUTPUT, "num_ranks", FLAG_TAKES_INT(1, TOPK_MAX), num_ranks, "10", "Num ranks",
        "Report top-1 to top-k accuracy for this k; no more than the model has classes."),
    ROW(INPUT, "image", FLAG_READS_PATH, image, "", "Image",
        "Name the five best classes of this picture instead of an evaluation."),
    ROW(JUDGE, "min_accuracy", FLAG_TAKES_NUMBER(-1, 1), min_accuracy, "-1", "Min accuracy",
        "Fail (exit status 1) if the top-1 accuracy is below this, from 0 to 1; -1: never."),
    ROW(OUTPUT, "show_misclassified", FLAG_TAKES_INT(0, 1000000), show_misclassified, "10", "Show misclassified",
        "Print this many pictures that went wrong; --json has all."),
    ROW(OUTPUT, "output_file_path", FLAG_WRITES_FILE, output, "", "Output file path",
        "Write the figures to this file, as TFLite's protocol buffer message EvaluationStageMetrics."),
    ROW(OUTPUT, "proto_output_file_path", FLAG_WRITES_FILE, proto, "", "Proto output file path",
        "Write the accuracies to this file, as TFLite's protocol buffer message TopkAccuracyEvalMetrics."),
    ROW(OUTPUT, "results_csv", FLAG_WRITES_FILE, csv, "", "Results CSV",
        "Write a line for each picture to this file: truth and answers."),
    {0},
};

static const struct cli_help_line examples[] = {
    {"model.tflite --ground_truth_images_path=FOLDER --ground_truth_labels=truth.txt", "top-1 to top-10 on the CPU"},
    {"model.tflite --use_gpu ...", "the GPU against the CPU"},
    {"model.tflite --image=cat.jpg", "the best classes of one picture"},
    {0},
};

static const struct cli_help_line most_used[] = {
    {"ground_truth_images_path=FOLDER", "the pictures"},
    {"ground_truth_labels=FILE", "the right label of each"},
    {"model_output_labels=FILE", "names of the classes"},
    {"preprocess=PRESET", "tflite, mlperf, torchvision, timm:0.95, squash, metadata"},
    {"use_gpu", "run on the GPU"},
    {"answers_file=FILE", "a run that was stopped goes on"},
    {"min_accuracy=0.7", "exit status 1 below it"},
    {"json=FILE", "write the figures as JSON"},
    {0},
};

const struct cli_help classification_help = {examples, most_used};
