/* SPDX-License-Identifier: Apache-2.0 */
/* classification_flags.c - the flags of eval_classification. */
#include "cmd/classification/eval_classification.h"

#include <string.h>

#include "cmd/input/image_input.h"
#include "cmd/tool/help.h"
#include "lib/eval/preprocess_metadata.h"

#define ROW(of_group, flag_name, takes, field, def, echo, text)                                                                    \
    {                                                                                                                              \
        .name = flag_name, .group = GROUP_##of_group, takes, .offset = offsetof(struct classification_flags, field), .value = def, \
        .label = echo, .help = text                                                                                                \
    }

const struct flag classification_flag_table[] = {
    ROW(MODEL, "model_file", FLAG_READS_PATH, model_file, "", "Model file", "Evaluate this .tflite model."),
    ROW(MODEL, "graph", FLAG_READS_PATH, graph, "", "Graph", "Same as --model_file."),
    ROW(INPUT, "ground_truth_images_path", FLAG_READS_PATH, images, "", "Ground truth images path",
        "Read the pictures of this folder, in the order of their names: JPEG, PNG, BMP, PPM, .rgb8 (bytes of the input's size) and "
        ".npy (the input itself). Without --ground_truth_labels those of its folders, whose names are the labels."),
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
    ROW(INPUT, "denylist_file_path", FLAG_READS_PATH, denylist, "", "Denylist file path",
        "Leave out the pictures of this file, a line for each: its place in the sorted folder, from 1 on, or its name."),
    ROW(INPUT, "num_images", FLAG_TAKES_INT(0, 100000000), num_images, "0", "Num images",
        "Evaluate this many pictures, the first ones; 0: all."),
    ROW(OUTPUT, "num_ranks", FLAG_TAKES_INT(1, TOPK_MAX), num_ranks, "10", "Num ranks",
        "Report top-1 to top-k accuracy for this k; no more than the model has classes."),
    ROW(INPUT, "max_bad_images", FLAG_TAKES_INT(0, 100000000), max_bad_images, "10", "Max bad images",
        "Go on past this many pictures that cannot be read; each is named and counted, and left out of the accuracy."),
    ROW(INPUT, "image", FLAG_READS_PATH, image, "", "Image",
        "Name the five best classes of this picture instead of an evaluation."),
    ROW(MODEL, "signature", FLAG_TAKES_TEXT, signature, "", "Signature",
        "Evaluate this signature of the model; required if the model has several."),
    ROW(DELEGATE, "delegate", FLAG_TAKES_TEXT, delegate, "", "Delegate", "Evaluate this delegate; none: the CPU."),
    ROW(COMPARE, "compare_cpu", FLAG_TAKES_BOOL, compare_cpu, "true", "Compare CPU",
        "Run the CPU's kernels on each picture beside a delegate, and test whether one is right more often."),
    ROW(RUN, "cpu_kernels", FLAG_TAKES_WORD("reference", "fast"), cpu_kernels, "fast", "CPU kernels",
        "Choose the CPU kernels: reference (plain loops) or fast."),
    ROW(RUN, "num_interpreter_threads", FLAG_TAKES_INT(-1, 1024), num_threads, "1", "Num interpreter threads",
        "Run the CPU kernels on this many threads; below 1: one."),
    ROW(RUN, "decode_threads", FLAG_TAKES_INT(-1, 4), decode_threads, "-1", "Decode threads",
        "Read and preprocess pictures on this many threads beside inference, which slows inference on processors that it "
        "uses itself. 0: on the same thread; -1: as many as processors are left over, at most 4."),
    ROW(INPUT, "preprocess", FLAG_TAKES_TEXT, preprocess, "tflite", "Preprocess",
        "Choose the rules that make an input of a picture: tflite (as its tools do), mlperf, torchvision, timm:FRACTION, squash, "
        "metadata (the model's own)."),
    ROW(INPUT, "crop", FLAG_TAKES_WORD("preset", "first", "last", "none"), crop, "preset", "Crop",
        "Crop the picture first (a central square), crop it last (after its shorter side was resized), or not at all."),
    ROW(INPUT, "crop_fraction", FLAG_TAKES_NUMBER(0, 1), crop_fraction, "0", "Crop fraction",
        "Keep this part of the sides; 0: the preset's."),
    ROW(INPUT, "image_filter", FLAG_TAKES_WORD("preset", "legacy", "half_pixel", "antialias", "bicubic"), filter, "preset",
        "Image filter",
        "Resize bilinearly with legacy or half-pixel centers, or as Pillow does: antialiased bilinear, or bicubic."),
    ROW(INPUT, "input_mean", FLAG_TAKES_TEXT, mean, "", "Input mean",
        "Normalize: a pixel p becomes (p - mean) / std; one number, or one for red, green and blue: 124,117,104."),
    ROW(INPUT, "input_std", FLAG_TAKES_TEXT, std, "", "Input std",
        "Divide pixels by this, after subtracting --input_mean; 1 if only --input_mean is given."),
    ROW(INPUT, "image_layout", FLAG_TAKES_WORD("auto", "nhwc", "nchw"), layout, "auto", "Image layout",
        "Place the channels last (nhwc) or first (nchw); auto: last if the input's last dimension is 1 or 3."),
    ROW(INPUT, "image_channels", FLAG_TAKES_WORD("rgb", "bgr"), channels, "rgb", "Image channels",
        "Order the channels of images as rgb or bgr."),
    ROW(JUDGE, "min_accuracy", FLAG_TAKES_NUMBER(-1, 1), min_accuracy, "-1", "Min accuracy",
        "Fail (exit status 1) if the top-1 accuracy is below this, from 0 to 1; -1: never."),
    ROW(JUDGE, "min_agreement", FLAG_TAKES_NUMBER(-1, 1), min_agreement, "-1", "Min agreement",
        "Fail (exit status 1) if delegate and CPU have the same first answer for a smaller part of the pictures; -1: never."),
    ROW(JUDGE, "min_delegated", FLAG_TAKES_INT(0, INT32_MAX), min_delegated, "1", "Min delegated nodes",
        "Fail (exit status 1) if a delegate runs fewer nodes: the CPU would be evaluated under its name."),
    ROW(JUDGE, "require_full_delegation", FLAG_TAKES_BOOL, require_full_delegation, "false", "Require full delegation",
        "Fail (exit status 1) if any node runs on the CPU."),
    ROW(RUN, "answers_file", FLAG_WRITES_FILE, answers, "", "Answers file",
        "Add each picture's answers to this file as they come; pictures that it has are not run again, so that a stopped run goes "
        "on."),
    ROW(RUN, "shard", FLAG_TAKES_TEXT, shard, "", "Shard",
        "Run each Nth picture, from the Ith on: I/N, as 1/4; with --answers_file, for --merge."),
    ROW(RUN, "merge", FLAG_READS_LISTED, merge, "", "Merge",
        "Report the answers of these files of --answers_file, A,B,..., which together have all pictures; nothing is run."),
    ROW(OUTPUT, "show_misclassified", FLAG_TAKES_INT(0, 1000000), show_misclassified, "10", "Show misclassified",
        "Print this many pictures that went wrong; --json has all."),
    ROW(OUTPUT, "output_file_path", FLAG_WRITES_FILE, output, "", "Output file path",
        "Write the figures to this file, as TFLite's protocol buffer message EvaluationStageMetrics."),
    ROW(OUTPUT, "proto_output_file_path", FLAG_WRITES_FILE, proto, "", "Proto output file path",
        "Write the accuracies to this file, as TFLite's protocol buffer message TopkAccuracyEvalMetrics."),
    ROW(OUTPUT, "results_csv", FLAG_WRITES_FILE, csv, "", "Results CSV",
        "Write a line for each picture to this file: truth and answers."),
    {.name = "markdown",
     .group = GROUP_OUTPUT,
     FLAG_WRITES_REPORT,
     .offset = offsetof(struct classification_flags, markdown),
     .value = "",
     .label = "Markdown",
     .bare = "-",
     .help = "Write the results to this file, as Markdown; without a file, or -: print tables in Markdown."},
    ROW(OUTPUT, "html", FLAG_WRITES_FILE, html, "", "HTML report", "Write the results to this file, as one HTML page."),
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

const char *classification_model_path(const struct classification_flags *f)
{
    return *f->model_file ? f->model_file : f->graph;
}

static void one_or_three(const double *from, uint32_t n, double usual, double out[3])
{
    for (uint32_t c = 0; c < 3; c++)
        out[c] = n ? from[n > 1 ? c : 0] : usual;
}

static enum status by_metadata(const struct evaluation *e, struct preprocess *p, struct err *err)
{
    const struct model_subgraph *g = &e->tool.model->subgraphs[e->tool.subgraph];

    if (g->n_inputs != 1)
        return err_set(err, ST_USAGE, "the model has %u inputs; a classifier has one", g->n_inputs);
    return preprocess_metadata(e->tool.model, e->tool.subgraph, 0, &g->tensors[g->inputs[0]], p, err);
}

enum status classification_preprocess(struct evaluation *e, struct err *err)
{
    const struct classification_flags *f = &e->flags;
    struct preprocess *p = &e->preprocess;
    double mean[IMAGE_MAX_CHANNELS], std[IMAGE_MAX_CHANNELS];
    uint32_t n_mean, n_std;
    enum status st;

    if ((st = strcmp(f->preprocess, "metadata") ? preprocess_preset(f->preprocess, p, err) : by_metadata(e, p, err)))
        return err_prefix(err, st, "--preprocess");
    if ((st = image_read_numbers("input_mean", f->mean, false, mean, &n_mean, err)) ||
        (st = image_read_numbers("input_std", f->std, true, std, &n_std, err)))
        return st;
    if ((n_mean > 1 && n_mean != 3) || (n_std > 1 && n_std != 3))
        return err_set(err, ST_USAGE, "--%s has %u numbers; it takes one, or one for red, green and blue",
                       n_mean > 1 && n_mean != 3 ? "input_mean" : "input_std", n_mean > 1 && n_mean != 3 ? n_mean : n_std);
    if (n_mean || n_std) {
        p->has_mean = true;
        p->unit = 1;
        one_or_three(mean, n_mean, 0, p->mean);
        one_or_three(std, n_std, 1, p->std);
    }
    if (f->crop)
        p->order = (enum preprocess_order)(f->crop - 1);
    if (f->filter)
        p->filter = (enum preprocess_filter)(f->filter - 1);
    if (f->crop_fraction > 0 && p->order == PREPROCESS_SQUASH)
        return err_set(err, ST_USAGE, "--crop_fraction=%g: nothing is cropped (--crop=first or --crop=last)", f->crop_fraction);
    if (f->crop_fraction > 0)
        p->fraction = f->crop_fraction;
    p->layout = f->layout;
    p->bgr = f->channels == 1;
    return ST_OK;
}
