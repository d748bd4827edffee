/* SPDX-License-Identifier: Apache-2.0 */
/* segmentation_flags.c - the flags of eval_segmentation. */
#include "cmd/segmentation/eval_segmentation.h"
#include "cmd/tool/help.h"

#define FLAG_OPTIONS struct segmentation_flags
#define ROW          FLAG_ROW

const struct flag segmentation_flag_table[] = {
    ROW(INPUT, "ground_truth_labels_path", FLAG_READS_PATH, truth, "", "Ground truth labels path",
        "Read the map of labels of each picture from this folder, a PNG or BMP of the picture's name: X.png for X.jpg. Its numbers "
        "are the indices of a palette, or gray; colors need --palette. Pictures without a map are left out."),
    ROW(INPUT, "ground_truth_suffix", FLAG_TAKES_TEXT, suffix, "", "Ground truth suffix",
        "Find maps under the picture's name with this behind it: _mask, for X_mask.png."),
    ROW(INPUT, "model_output_labels", FLAG_READS_PATH, labels, "", "Model output labels",
        "Name the classes by this file, a line for each in the order of the model's output."),
    ROW(INPUT, "model_labels_offset", FLAG_TAKES_INT(-1000000, 1000000), model_labels_offset, "0", "Model labels offset",
        "Give the first line of --model_output_labels to this class: 1 where the file leaves out the background."),
    ROW(INPUT, "palette", FLAG_READS_PATH, palette, "", "Palette",
        "Read labels of colored maps by this file: a line for each label, red, green, blue and a name, as 128 64 128 road."),
    ROW(INPUT, "class_map", FLAG_READS_PATH, class_map, "", "Class map",
        "Read what labels mean from this file: a line 7 0 for label 7, which is class 0; 255 - for an ignored one; * - for all "
        "that have no line. Without it a label is the class of its number."),
    ROW(INPUT, "ignore_label", FLAG_TAKES_INT(-1, LABEL_MAX_CLASSES - 1), ignore_label, "255", "Ignore label",
        "Leave out pixels of this label; -1: none."),
    ROW(INPUT, "num_classes", FLAG_TAKES_INT(0, LABEL_MAX_CLASSES), num_classes, "0", "Num classes",
        "Take this for the number of classes, where the output is a map of them and says none; 0: that of names, or 256."),
    ROW(OUTPUT, "output_kind", FLAG_TAKES_WORD("auto", "scores", "labels", "probability"), output, "auto", "Output kind",
        "Read the output as scores of classes, as classes, or as the probability of class 1; auto: by its channels and type."),
    ROW(OUTPUT, "output_layout", FLAG_TAKES_WORD("auto", "nhwc", "nchw"), output_layout, "auto", "Output layout",
        "Find the scores of the output last (nhwc) or first (nchw); auto: by the aspect of the input."),
    ROW(OUTPUT, "threshold", FLAG_TAKES_NUMBER(-1000, 1000), threshold, "0.5", "Threshold",
        "Take a pixel for class 1 if its probability is above this."),
    ROW(OUTPUT, "resize", FLAG_TAKES_WORD("auto", "bilinear", "nearest", "truth"), resize, "auto", "Resize",
        "Bring scores to the size of the truth bilinearly, or classes by the nearest pixel; or bring the truth to the size "
        "of the output. auto: bilinear, or nearest if the output has classes."),
    ROW(OUTPUT, "save_labels", FLAG_WRITES_DIR, save, "", "Save labels",
        "Write the classes of each picture to this folder, as a PNG with a palette."),
    ROW(OUTPUT, "show_worst", FLAG_TAKES_INT(0, 1000000), show_worst, "10", "Show worst",
        "Print this many pictures, those with the least mean IoU first; --results_csv has all."),
    ROW(OUTPUT, "results_csv", FLAG_WRITES_FILE, csv, "", "Results CSV",
        "Write a line for each picture to this file: pixels, right ones, mean IoU."),
    ROW(JUDGE, "min_miou", FLAG_TAKES_NUMBER(-1, 1), min_miou, "-1", "Min mIoU",
        "Fail (exit status 1) if the mean IoU is below this, from 0 to 1; -1: never."),
    {0},
};

static const struct cli_help_line examples[] = {
    {"model.tflite --ground_truth_images_path=FOLDER --ground_truth_labels_path=FOLDER", "mean IoU on the CPU"},
    {"model.tflite --use_gpu ...", "the GPU, and the CPU on the same pictures"},
    {"model.tflite --save_labels=FOLDER ...", "answers as PNG"},
    {0},
};

static const struct cli_help_line most_used[] = {
    {"ground_truth_images_path=FOLDER", "the pictures"},
    {"ground_truth_labels_path=FOLDER", "a map of labels for each"},
    {"class_map=FILE", "labels that have other numbers than the classes"},
    {"palette=FILE", "labels of colored maps"},
    {"resize=WORD", "bilinear, nearest, truth"},
    {"use_gpu", "run on the GPU"},
    {"min_miou=0.7", "exit status 1 below it"},
    {"json=FILE", "write the figures as JSON"},
    {0},
};

const struct cli_help segmentation_help = {examples, most_used};
