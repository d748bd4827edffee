/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_flags.c - the flags of op_coverage. */
#include "cmd/coverage/op_coverage.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct coverage_flags, field), .value = def, .label = echo, .help = text      \
    }

const struct flag coverage_flag_table[] = {
    ROW("graph", FLAG_READS_PATH, graph, "", "Graph", "The .tflite model."),
    ROW("delegate", FLAG_TAKES_TEXT, delegate, "gpu", "Delegate",
        "Which delegate to ask besides those of other flags; none asks the CPU kernels."),
    ROW("rules", FLAG_READS_LISTED, rules, "", "Rule sets",
        "Which rule sets to ask, with commas between: this (--delegate), this-es31, tflite-gpu, tflite-gpu-cl, tflite-gl, "
        "tflite-gpu-2019, tflite-gpu-2021, ml-drift, ml-drift-ir, or files (schema/rules/README.md)."),
    ROW("signature", FLAG_TAKES_TEXT, signature, "", "Signature",
        "Which signature of the model to ask a delegate about; else the first."),
    ROW("device", FLAG_TAKES_BOOL, device, "false", "Device",
        "Ask the device itself, whose limits count, too; else the least is asked about that any of them must offer."),
    ROW("fix", FLAG_WRITES_FILE, fix, "", "Fix",
        "Write the model with nodes that are refused in equivalent forms that are taken, where it is verified to be equal."),
    ROW("times", FLAG_READS_PATH, times, "", "Times",
        "A report of benchmark_model --enable_op_profiling=true --json about this model, whose times the cost goes by."),
    ROW("require", FLAG_TAKES_TEXT, require, "", "Required",
        "What must be covered, for status 0: full, a share of the nodes as 90%, op:NAME; several with commas between."),
    ROW("max_partitions", FLAG_TAKES_INT(-1, INT32_MAX), max_partitions, "-1", "Max partitions",
        "How many partitions there may be, for status 0; -1: any number."),
    ROW("html", FLAG_WRITES_FILE, html, "", "HTML report",
        "Write the answer as one HTML page with a picture of the graph, which can be searched, into this file."),
    ROW("dot", FLAG_WRITES_FILE, dot, "", "Graphviz", "Write the graph with its verdicts into this file, for Graphviz: dot -Tsvg."),
    ROW("markdown", FLAG_WRITES_REPORT, markdown, "", "Markdown",
        "Write the answer as Markdown into this file, for a comment on a change; - for standard output, then alone there."),
    ROW("node_data_dir", FLAG_WRITES_DIR, node_data, "", "Node data",
        "Write verdicts, partitions and multiply-accumulates by node into this folder, as node data of Model Explorer."),
    ROW("extract_partitions", FLAG_WRITES_DIR, extract, "", "Extracted partitions",
        "Write each partition as a model of its own into this folder: partition_0.tflite and so on."),
    {0},
};
