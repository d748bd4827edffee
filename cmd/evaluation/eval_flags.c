/* SPDX-License-Identifier: Apache-2.0 */
/* eval_flags.c - the flags that the evaluations of all tasks have. */
#include "cmd/evaluation/evaluation.h"
#include "cmd/tool/help.h"

#define FLAG_OPTIONS struct eval_flags
#define ROW          FLAG_ROW

const struct flag eval_flag_table[] = {
    ROW(MODEL, "model_file", FLAG_READS_PATH, model_file, "", "Model file", "Evaluate this .tflite model."),
    ROW(MODEL, "graph", FLAG_READS_PATH, graph, "", "Graph", "Same as --model_file."),
    ROW(INPUT, "ground_truth_images_path", FLAG_READS_PATH, images, "", "Ground truth images path",
        "Read the pictures of this folder, in the order of their names: JPEG, PNG, BMP, PPM, .rgb8 (bytes of the input's size) and "
        ".npy (the input itself)."),
    ROW(INPUT, "denylist_file_path", FLAG_READS_PATH, denylist, "", "Denylist file path",
        "Leave out the pictures of this file, a line for each: its place in the sorted folder, from 1 on, or its name."),
    ROW(INPUT, "num_images", FLAG_TAKES_INT(0, 100000000), num_images, "0", "Num images",
        "Evaluate this many pictures, the first ones; 0: all."),
    ROW(INPUT, "max_bad_images", FLAG_TAKES_INT(0, 100000000), max_bad_images, "10", "Max bad images",
        "Go on past this many pictures that cannot be read; each is named and counted, and left out of the accuracy."),
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
    ROW(INPUT, "preprocess", FLAG_TAKES_TEXT, preprocess, "", "Preprocess",
        "Choose the rules that make an input of a picture: tflite (as its tools do), mlperf, torchvision, timm:FRACTION, squash, "
        "stretch, detr, yolo, yolox, metadata (the model's own)."),
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
    ROW(JUDGE, "min_delegated", FLAG_TAKES_INT(0, INT32_MAX), min_delegated, "1", "Min delegated nodes",
        "Fail (exit status 1) if a delegate runs fewer nodes: the CPU would be evaluated under its name."),
    ROW(JUDGE, "require_full_delegation", FLAG_TAKES_BOOL, require_full_delegation, "false", "Require full delegation",
        "Fail (exit status 1) if any node runs on the CPU."),
    ROW(JUDGE, "min_agreement", FLAG_TAKES_NUMBER(-1, 1), min_agreement, "-1", "Min agreement",
        "Fail (exit status 1) if delegate and CPU agree on a smaller part of what they say of the pictures; -1: never."),
    ROW(RUN, "answers_file", FLAG_WRITES_FILE, answers, "", "Answers file",
        "Add each picture's answers to this file as they come; pictures that it has are not run again, so that a stopped run goes "
        "on."),
    ROW(RUN, "shard", FLAG_TAKES_TEXT, shard, "", "Shard",
        "Run each Nth picture, from the Ith on: I/N, as 1/4; with --answers_file, for --merge."),
    ROW(RUN, "merge", FLAG_READS_LISTED, merge, "", "Merge",
        "Report the answers of these files of --answers_file, A,B,..., which together have all pictures; nothing is run."),
    ROW(OUTPUT, "markdown", FLAG_WRITES_REPORT, markdown, "", "Markdown",
        "Write the results to this file, as Markdown; without a file, or -: print tables in Markdown.", .bare = "-"),
    ROW(OUTPUT, "html", FLAG_WRITES_FILE, html, "", "HTML report",
        "Write the results to this file, as one HTML page with the pictures that went wrong."),
    ROW(OUTPUT, "html_pictures", FLAG_TAKES_INT(0, 200), html_pictures, "24", "HTML pictures",
        "Show this many pictures on the page of --html, made smaller; all of them together have 6 MB at most."),
    {0},
};
