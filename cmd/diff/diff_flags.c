/* SPDX-License-Identifier: Apache-2.0 */
/* diff_flags.c - the flags of inference_diff. */
#include "cmd/diff/inference_diff.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct diff_flags, field), .value = def, .label = echo, .help = text          \
    }

#define TAKES_PRESET .type = FLAG_WORD, .words = diff_presets

const char *const diff_presets[] = {"auto", "none", "fp32", "fp16_storage", "fp16_sum32", "fp16", NULL};

const struct flag diff_flag_table[] = {
    ROW("model_file", FLAG_READS_PATH, model_file, "", "Model file", "The .tflite model."),
    ROW("graph", FLAG_READS_PATH, graph, "", "Graph", "The same as --model_file."),
    ROW("reference_model", FLAG_READS_PATH, reference_model, "", "Reference model",
        "Another .tflite model that the reference runs: outputs are compared as real numbers, by name or in their order. Flags of "
        "inputs name its inputs."),
    ROW("signature", FLAG_TAKES_TEXT, signature, "", "Signature",
        "Which signature of the model to compare; needed where there are several."),
    ROW("delegate", FLAG_TAKES_TEXT, delegate, "", "Delegate",
        "What to hold against the reference kernels; none: the CPU kernels."),
    ROW("delegates", FLAG_TAKES_TEXT, delegates, "", "Delegates",
        "Several, one row of a table each: gpu,none. All other lines are about the first."),
    ROW("precisions", FLAG_TAKES_TEXT, precisions, "", "Precisions",
        "A row for each, where a delegate has them to choose: fp32,fp16_storage,fp16_sum32,fp16."),
    ROW("cpu_kernels", FLAG_TAKES_WORD("reference", "fast"), cpu_kernels, "fast", "CPU kernels", "Of the test side."),
    ROW("num_runs", FLAG_TAKES_INT(1, 1000000), num_runs, "50", "Num runs", "How many inputs to draw."),
    ROW("num_interpreter_threads", FLAG_TAKES_INT(-1, 1024), num_threads, "1", "Num interpreter threads",
        "CPU threads of the test side."),
    ROW("atol", FLAG_TAKES_TEXT, atol, "", "Absolute tolerance",
        "How far an element may be off, in steps where quantized: [WHICH:]NUMBER,... with an output or operators."),
    ROW("tolerance", FLAG_TAKES_TEXT, tolerance, "", "Tolerance", "The same as --atol."),
    ROW("rtol", FLAG_TAKES_TEXT, rtol, "", "Relative tolerance", "The same, times |reference| of the element and added to --atol."),
    ROW("max_ulp", FLAG_TAKES_TEXT, max_ulp, "", "Max ULP",
        "The same, in units in the last place: an element within this is within, whatever --atol and --rtol."),
    ROW("preset", TAKES_PRESET, preset, "auto", "Preset of tolerances",
        "What is allowed where none of these is given: auto by type and precision, none: any distance."),
    ROW("fail_on", FLAG_TAKES_TEXT, fail_on, "max,nan", "Fail on",
        "What is held against them: max, mean; top1: the largest of a row is another one. NaN for a number always fails."),
    ROW("repeat", FLAG_TAKES_INT(1, 1000), repeat, "3", "Repeat",
        "How often each side is given an input: other bits the second time are told."),
    ROW("max_secs", FLAG_TAKES_NUMBER(0, 1e6), max_secs, "0", "Max runs duration (seconds)",
        "Draw no further input after so long; 0: no bound."),
    ROW("min_delegated", FLAG_TAKES_INT(0, INT32_MAX), min_delegated, "1", "Min delegated nodes",
        "Exit with 1 where a delegate is given fewer nodes: the rest compares the CPU with itself."),
    ROW("require_full_delegation", FLAG_TAKES_BOOL, require_full_delegation, "false", "Require full delegation",
        "Exit with 1 where any node stays on the CPU."),
    ROW("per_op", FLAG_TAKES_BOOL, per_op, "false", "Per op",
        "Compare op by op, nodes of the delegate also one at a time, and say where the difference starts."),
    ROW("reference_precision", FLAG_TAKES_WORD("fp32", "fp16", "fp64"), reference_precision, "fp32", "Reference precision",
        "fp16: all that it stores is rounded to 16 bits, fp64: sums of double, stored as float32; the float32 reference is held "
        "against it, too."),
    ROW("reference_hybrid", FLAG_TAKES_WORD("quantize", "float"), reference_hybrid, "quantize", "Reference hybrid",
        "What the reference does with products of floats and 8-bit weights: quantize the floats while it runs, as TFLite's CPU "
        "kernels do, or multiply them as they are, as a GPU does."),
    ROW("why", FLAG_TAKES_BOOL, why, "false", "Why",
        "Say what half precision cannot hold, what saturates, and whether half precision explains the error."),
    ROW("auto_fp32", FLAG_TAKES_BOOL, auto_fp32, "false", "Auto fp32",
        "Search for nodes to be kept in float32, and where that does not do on the CPU, for the result to be within the tolerance, "
        "until none of them can be left out."),
    ROW("html", FLAG_WRITES_FILE, html, "", "HTML report", "Write the results as one HTML page with charts into this file."),
    ROW("node_data_dir", FLAG_WRITES_DIR, node_data, "", "Node data",
        "Folder for the errors of --per_op by node, as node data of Model Explorer: a file for each kind of error."),
    {.name = "extract",
     FLAG_WRITES_FILE,
     .offset = offsetof(struct diff_flags, extract),
     .value = "",
     .label = "Extract",
     .help =
         "Write the nodes at fault, which --per_op or else --bisect finds, as a .tflite model that shows the difference by itself; "
         "inputs and outputs beside it as .npy."},
    ROW("bisect", FLAG_TAKES_BOOL, bisect, "false", "Bisect",
        "Search for the nodes that make the difference: the delegate gets some of its nodes, the CPU the others, until few "
        "are left. Not with --min_nodes_per_partition and --max_delegated_partitions."),
    {0},
};

const char *diff_model_path(const struct diff_flags *f)
{
    return *f->model_file ? f->model_file : f->graph;
}
