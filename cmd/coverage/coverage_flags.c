/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_flags.c - the flags of op_coverage. */
#include "cmd/coverage/op_coverage.h"
#include "cmd/tool/help.h"

#define FLAG_OPTIONS struct coverage_flags
#define ROW          FLAG_ROW

const struct flag coverage_flag_table[] = {
    ROW(MODEL, "graph", FLAG_READS_PATH, graph, "", "Graph", "Judge this .tflite model."),
    ROW(MODEL, "list", FLAG_TAKES_BOOL, list, "false", "List",
        "List the sections of a .task or .litertlm bundle, or of a model with files behind it, and ask nothing."),
    ROW(MODEL, "extract_model", FLAG_TAKES_TEXT, extract_model, "", "Extracted model",
        "Write the model NAME of a bundle to a file: NAME=OUT.tflite."),
    ROW(MODEL, "inline_weights", FLAG_TAKES_BOOL, inline_weights, "true", "Inline weights",
        "Put weights outside of the model into the file of --extract_model; false: write the model as it is."),
    ROW(DELEGATE, "delegate", FLAG_TAKES_TEXT, delegate, "gpu", "Delegate",
        "Ask this delegate, besides those of other flags; none: the CPU kernels."),
    ROW(DELEGATE, "rules", FLAG_READS_LISTED, rules, "", "Rule sets",
        "Ask these rule sets, with commas between: this (--delegate), this-es31, tflite-gpu, tflite-gpu-cl, tflite-gl, "
        "tflite-gpu-2019, tflite-gpu-2021, ml-drift, ml-drift-ir, or files (schema/rules/README.md). Of two sets the answer also "
        "lists the nodes that the second loses and gains."),
    ROW(MODEL, "signature", FLAG_TAKES_TEXT, signature, "", "Signature",
        "Ask a delegate about this signature of the model; all: about each, in a row of its own; default: the first."),
    ROW(MODEL, "list_inputs", FLAG_TAKES_BOOL, list_inputs, "false", NULL,
        "Print names, types and shapes of inputs and outputs, and exit; of the signature that signature names."),
    ROW(INPUT, "input_layer", FLAG_TAKES_TEXT, layers, "", "Input layers", "Name inputs that get another shape: NAME,NAME."),
    ROW(INPUT, "input_layer_shape", FLAG_TAKES_TEXT, shapes, "", "Input shapes",
        "Give the inputs of --input_layer these shapes: 1,224,224,3:1,10."),
    ROW(DELEGATE, "device", FLAG_TAKES_BOOL_OR_NAME(offsetof(struct coverage_flags, known)), device, "false", "Device",
        "Ask the device, and apply its limits, too; default: the limits that every device meets. --device=NAME: those of a device "
        "that is not here, as mali-g52; an unknown name lists all."),
    ROW(EXPLAIN, "fix", FLAG_WRITES_FILE, fix, "", "Fix",
        "Rewrite refused nodes into equivalent forms that are accepted, and write the model to this file if its results are "
        "equal."),
    ROW(EXPLAIN, "times", FLAG_READS_PATH, times, "", "Times",
        "Take the times of nodes from this report of benchmark_model --enable_op_profiling=true --json on the same model."),
    ROW(JUDGE, "require", FLAG_TAKES_TEXT, require, "", "Required",
        "Fail (exit status 1) unless these hold, with commas between: full, 90% (of the nodes), op:NAME."),
    ROW(JUDGE, "max_partitions", FLAG_TAKES_INT(-1, INT32_MAX), max_partitions, "-1", "Max partitions",
        "Fail (exit status 1) if there are more partitions; -1: no limit."),
    ROW(OUTPUT, "html", FLAG_WRITES_FILE, html, "", "HTML report",
        "Write the answer to this file, as one HTML page with a picture of the graph that can be searched."),
    ROW(OUTPUT, "dot", FLAG_WRITES_FILE, dot, "", "Graphviz",
        "Write the graph with its verdicts to this file, for Graphviz: dot -Tsvg."),
    ROW(OUTPUT, "markdown", FLAG_WRITES_REPORT, markdown, "", "Markdown",
        "Write the answer to this file as Markdown, for a review comment; -: to standard output, and nothing else there."),
    ROW(OUTPUT, "node_data_dir", FLAG_WRITES_DIR, node_data, "", "Node data",
        "Write verdict, partition and multiply-accumulates of each node to this folder, as node data of Model Explorer."),
    ROW(OUTPUT, "extract_partitions", FLAG_WRITES_DIR, extract, "", "Extracted partitions",
        "Write each partition to this folder as a model of its own: partition_0.tflite and so on."),
    {0},
};

static const struct cli_help_line examples[] = {
    {"model.tflite", "from the file alone, without a GPU"},
    {"model.tflite --rules=tflite-gpu,ml-drift", "in other runtimes"},
    {"model.tflite --require=90%", "a check: status 1 below 90 %"},
    {"model.tflite --fix=fixed.tflite", "rewrite refused operators"},
    {"gemma.litertlm --list", "the sections of a bundle"},
    {"gemma.litertlm#prefill_decode", "one model; without #NAME all"},
    {0},
};

static const struct cli_help_line most_used[] = {
    {"rules=NAME,NAME", "ask these runtimes; phones: tflite-gpu-cl, ml-drift"},
    {"device, --device=mali-g52", "apply the limits of the GPU here, or of another"},
    {"delegate=none", "list what the CPU kernels lack"},
    {"require=full, --require=90%", "fail unless all nodes, or 90 % of them, are covered"},
    {"require=op:CONV_2D", "fail unless all nodes of this operator are covered"},
    {"max_partitions=1", "fail if there are more partitions"},
    {"fix=OUT.tflite", "rewrite refused nodes, if the results stay equal"},
    {"extract_partitions=DIR", "write each partition as a model of its own"},
    {"list, --extract_model=NAME=OUT.tflite", "list a .task or .litertlm; write one of its models"},
    {"verbose", "list each node"},
    {"list_inputs", "print names, types and shapes of inputs, and exit"},
    {"markdown=FILE, --html=FILE", "write the answer for people"},
    {"json=FILE", "write the answer for scripts"},
    {"config=REPORT.json", "ask again with the flags of a report"},
    {0},
};

const struct cli_help coverage_help = {examples, most_used};
