/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_flags.c - the flags of op_coverage. */
#include "cmd/coverage/op_coverage.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct coverage_flags, field), .value = def, .label = echo, .help = text      \
    }

const struct flag coverage_flag_table[] = {
    ROW("graph", FLAG_READS_PATH, graph, "", "Graph", "Judge this .tflite model."),
    ROW("delegate", FLAG_TAKES_TEXT, delegate, "gpu", "Delegate",
        "Ask this delegate, besides those of other flags; none: the CPU kernels."),
    ROW("rules", FLAG_READS_LISTED, rules, "", "Rule sets",
        "Ask these rule sets, with commas between: this (--delegate), this-es31, tflite-gpu, tflite-gpu-cl, tflite-gl, "
        "tflite-gpu-2019, tflite-gpu-2021, ml-drift, ml-drift-ir, or files (schema/rules/README.md)."),
    ROW("signature", FLAG_TAKES_TEXT, signature, "", "Signature",
        "Ask a delegate about this signature of the model; default: the first."),
    ROW("device", FLAG_TAKES_BOOL_OR_NAME(offsetof(struct coverage_flags, known)), device, "false", "Device",
        "Ask the device, and apply its limits, too; default: the limits that every device meets. --device=NAME: those of a device "
        "that is not here, as mali-g52; an unknown name lists all."),
    ROW("fix", FLAG_WRITES_FILE, fix, "", "Fix",
        "Rewrite refused nodes into equivalent forms that are accepted, and write the model to this file if its results are "
        "equal."),
    ROW("times", FLAG_READS_PATH, times, "", "Times",
        "Take the times of nodes from this report of benchmark_model --enable_op_profiling=true --json on the same model."),
    ROW("require", FLAG_TAKES_TEXT, require, "", "Required",
        "Fail (exit status 1) unless these hold, with commas between: full, 90% (of the nodes), op:NAME."),
    ROW("max_partitions", FLAG_TAKES_INT(-1, INT32_MAX), max_partitions, "-1", "Max partitions",
        "Fail (exit status 1) if there are more partitions; -1: no limit."),
    ROW("html", FLAG_WRITES_FILE, html, "", "HTML report",
        "Write the answer to this file, as one HTML page with a picture of the graph that can be searched."),
    ROW("dot", FLAG_WRITES_FILE, dot, "", "Graphviz", "Write the graph with its verdicts to this file, for Graphviz: dot -Tsvg."),
    ROW("markdown", FLAG_WRITES_REPORT, markdown, "", "Markdown",
        "Write the answer to this file as Markdown, for a review comment; -: to standard output, and nothing else there."),
    ROW("node_data_dir", FLAG_WRITES_DIR, node_data, "", "Node data",
        "Write verdict, partition and multiply-accumulates of each node to this folder, as node data of Model Explorer."),
    ROW("extract_partitions", FLAG_WRITES_DIR, extract, "", "Extracted partitions",
        "Write each partition to this folder as a model of its own: partition_0.tflite and so on."),
    {0},
};
