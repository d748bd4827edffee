/* SPDX-License-Identifier: Apache-2.0 */
/* diff_flags.c - the flags of inference_diff. */
#include "cmd/diff/inference_diff.h"
#include "cmd/tool/help.h"
#include "cmd/tool/partition_check.h"

#define FLAG_OPTIONS struct diff_flags
#define ROW          FLAG_ROW

#define TAKES_PRESET .type = FLAG_WORD, .words = diff_presets

const char *const diff_presets[] = {"auto", "none", "fp32", "fp16_storage", "fp16_sum32", "fp16", NULL};

const struct flag diff_flag_table[] = {
    ROW(MODEL, "model_file", FLAG_READS_PATH, model_file, "", "Model file", "Compare results of this .tflite model."),
    ROW(MODEL, "graph", FLAG_READS_PATH, graph, "", "Graph", "Same as --model_file."),
    ROW(COMPARE, "all_runtimes", FLAG_READS_PATH, all_runtimes, "", "All runtimes",
        "Compare every runtime of this file with the reference, a row each. Lines: NAME: DELEGATE --flag=value ..., as "
        "GPU: litert --litert_lib=libLiteRt.so --litert_accelerator=gpu."),
    ROW(COMPARE, "repeat_loads", FLAG_TAKES_INT(0, 1000), repeat_loads, "0", "Repeat loads",
        "Load the model this many times anew, and fail (exit status 1) if its outputs have other bits than after the first; 0: do "
        "not."),
    ROW(COMPARE, "reference", FLAG_TAKES_TEXT, reference, "", "Reference",
        "Take the results of this runtime as the reference, by its flags, and on this accelerator: litert:cpu, tflite, "
        "tflite:xnnpack; default: the reference kernels."),
    ROW(MODEL, "reference_model", FLAG_READS_PATH, reference_model, "", "Reference model",
        "Run this .tflite model as the reference. Outputs are compared as real numbers, paired by name or in their order. "
        "Flags of inputs name its inputs."),
    ROW(COMPARE, "reference_tensors", FLAG_READS_PATH, reference_tensors, "", "Reference tensors",
        "Compare tensors of the test side with another framework's: NAME.npy in this folder, with %2F for / in names. Files of "
        "inputs' names are the inputs of the one run."),
    ROW(MODEL, "signature", FLAG_TAKES_TEXT, signature, "", "Signature",
        "Compare this signature of the model; required if the model has several. all: each by itself, and a row for each."),
    ROW(MODEL, "list_inputs", FLAG_TAKES_BOOL, list_inputs, "false", NULL,
        "Print names, types and shapes of inputs and outputs, and exit; of the signature that signature names."),
    ROW(DELEGATE, "delegate", FLAG_TAKES_TEXT, delegate, "", "Delegate",
        "Compare this delegate with the reference kernels; none: the CPU kernels of --cpu_kernels."),
    ROW(COMPARE, "delegates", FLAG_TAKES_TEXT, delegates, "", "Delegates",
        "Compare several delegates, one row of a table each: gpu,none. All other lines are about the first."),
    ROW(COMPARE, "precisions", FLAG_TAKES_TEXT, precisions, "", "Precisions",
        "Compare several precisions of delegates that have them, one row each: fp32,fp16_storage,fp16_sum32,fp16."),
    ROW(RUN, "cpu_kernels", FLAG_TAKES_WORD("reference", "fast"), cpu_kernels, "fast", "CPU kernels",
        "Choose the CPU kernels of the test side: reference (plain loops) or fast."),
    ROW(RUN, "num_runs", FLAG_TAKES_INT(1, 1000000), num_runs, "50", "Num runs",
        "Draw this many inputs, and compare the outputs of each."),
    ROW(RUN, "num_interpreter_threads", FLAG_TAKES_INT(-1, 1024), num_threads, "1", "Num interpreter threads",
        "Run the CPU kernels of the test side on this many threads; below 1: one."),
    ROW(JUDGE, "atol", FLAG_TAKES_TEXT, atol, "", "Absolute tolerance",
        "Allow this absolute error of an element; quantized outputs count scale units. Limits by output or operator: "
        "[WHICH:]NUMBER,..."),
    ROW(JUDGE, "tolerance", FLAG_TAKES_TEXT, tolerance, "", "Tolerance", "Same as --atol."),
    ROW(JUDGE, "rtol", FLAG_TAKES_TEXT, rtol, "", "Relative tolerance",
        "Allow this relative error of an element: it is multiplied by |reference| and added to --atol. The same list."),
    ROW(JUDGE, "max_ulp", FLAG_TAKES_TEXT, max_ulp, "", "Max ULP",
        "Accept an element within this many units in the last place, whatever --atol and --rtol say. The same list."),
    ROW(JUDGE, "preset", TAKES_PRESET, preset, "auto", "Preset of tolerances",
        "Choose the tolerances in use without --atol, --rtol and --max_ulp: auto (by type and precision), none (any error "
        "passes), or those of a precision."),
    ROW(JUDGE, "fail_on", FLAG_TAKES_TEXT, fail_on, "max,nan", "Fail on",
        "Apply the tolerances to: max (largest error), mean (mean error), top1 (place of the largest element of a row). A NaN "
        "on one side alone always fails."),
    ROW(RUN, "repeat", FLAG_TAKES_INT(1, 1000), repeat, "3", "Repeat",
        "Run each input this many times on each side, and report results that change."),
    ROW(RUN, "max_secs", FLAG_TAKES_NUMBER(0, 1e6), max_secs, "0", "Max runs duration (seconds)",
        "Draw no further input after this many seconds; 0: no limit."),
    ROW(JUDGE, "require", FLAG_TAKES_TEXT, require, "", "Required", REQUIRE_HELP),
    ROW(JUDGE, "min_delegated", FLAG_TAKES_INT(0, INT32_MAX), min_delegated, "1", "Min delegated nodes",
        "Fail (exit status 1) if a delegate runs fewer nodes: the CPU would be compared with itself."),
    ROW(JUDGE, "require_full_delegation", FLAG_TAKES_BOOL, require_full_delegation, "false", "Require full delegation",
        "Same as --require=full."),
    ROW(EXPLAIN, "per_op", FLAG_TAKES_BOOL, per_op, "false", "Per op",
        "Compare operator by operator, run each node of the delegate alone on the reference's inputs, and report where the "
        "difference starts."),
    ROW(JUDGE, "reference_precision", FLAG_TAKES_WORD("fp32", "fp16", "fp64"), reference_precision, "fp32", "Reference precision",
        "Choose the precision of the reference: fp32; fp16 rounds every stored value to 16 bits; fp64 sums in double and "
        "stores float32. Both are compared with the float32 reference, too."),
    ROW(JUDGE, "reference_hybrid", FLAG_TAKES_WORD("quantize", "float"), reference_hybrid, "quantize", "Reference hybrid",
        "Choose how the reference multiplies floats by 8-bit weights: quantize rounds the floats to 8 bits first, as TFLite's "
        "CPU kernels do; float multiplies them as they are, as a GPU does."),
    ROW(EXPLAIN, "why", FLAG_TAKES_BOOL, why, "false", "Why",
        "Report values that half precision cannot hold, saturated values, and whether rounding stored values to float16 explains "
        "the error."),
    ROW(EXPLAIN, "auto_fp32", FLAG_TAKES_BOOL, auto_fp32, "false", "Auto fp32",
        "Search for a minimal set of nodes to keep in float32, or else on the CPU, that brings the outputs within the "
        "tolerance."),
    ROW(EXPLAIN, "repair", FLAG_WRITES_FILE, repair, "", "Repair",
        "Write the model to this .tflite file, rewritten so that half precision holds its values. It is run before and after, "
        "without a delegate by an emulation of float16 on the CPU. The exit status is its verdict."),
    ROW(OUTPUT, "markdown", FLAG_WRITES_REPORT, markdown, "", "Markdown",
        "Write verdict and outputs to this file as Markdown; -: to standard output, and nothing else there."),
    ROW(OUTPUT, "html", FLAG_WRITES_FILE, html, "", "HTML report", "Write the results to this file, as one HTML page with charts."),
    ROW(OUTPUT, "node_data_dir", FLAG_WRITES_DIR, node_data, "", "Node data",
        "Write the errors of --per_op to this folder, as node data of Model Explorer, one file for each kind of error."),
    ROW(EXPLAIN, "extract", FLAG_WRITES_FILE, extract, "", "Extract",
        "Write the nodes at fault that --per_op or --bisect finds to this .tflite file, as a model that shows the difference "
        "by itself; its inputs and outputs go beside it as .npy."),
    ROW(EXPLAIN, "bisect", FLAG_TAKES_BOOL, bisect, "false", "Bisect",
        "Search for the nodes at fault: run fewer and fewer nodes on the delegate, the others on the CPU. Not with "
        "--min_nodes_per_partition and --max_delegated_partitions."),
    {0},
};

static const struct cli_help_line examples[] = {
    {"model.tflite --delegate=gpu", "GPU against the CPU's reference"},
    {"model.tflite --delegate=gpu --per_op", "which node is to blame"},
    {"model.tflite --delegate=gpu --atol=1e-3", "another limit for each element"},
    {"int8.tflite --reference_model=float.tflite", "two models"},
    {0},
};

static const struct cli_help_line most_used[] = {
    {"delegate=gpu", "compare this delegate; none: the fast CPU kernels"},
    {"gpu_precision=fp16", "half; also fp16_storage, fp16_sum32; default: fp32"},
    {"gpu_quant=exact", "integer arithmetic for INT8 models: the CPU's bits"},
    {"num_runs=50", "number of random inputs"},
    {"input_dir=DIR", "read input_0.npy, input_0.png or input_0.bin, and so on"},
    {"input_layer_value_files=NAME:FILE", "read the input NAME from an array, an image or raw bytes"},
    {"atol=1e-3, --rtol=1e-2, --max_ulp=4", "limits of an element; default: a preset of the precision"},
    {"preset=fp16", "the limits of this precision; none: any distance passes"},
    {"per_op", "run each node alone, and mark the node to blame"},
    {"bisect", "search for the fewest nodes that make the difference"},
    {"extract=part.tflite", "write the nodes at fault as a model of their own"},
    {"why", "tell whether half precision explains the difference"},
    {"auto_fp32", "search for nodes that must stay in float32"},
    {"json=FILE, --html=FILE, --markdown=FILE", "write the results as JSON, page, Markdown"},
    {"config=REPORT.json", "run again with the flags of a report"},
    {0},
};

const struct cli_help diff_help = {examples, most_used};

const char *diff_model_path(const struct diff_flags *f)
{
    return *f->model_file ? f->model_file : f->graph;
}
