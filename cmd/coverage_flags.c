/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_flags.c - the flags of op_coverage. */
#include "op_coverage.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct coverage_flags, field), .value = def, .label = echo, .help = text      \
    }

const struct flag coverage_flag_table[] = {
    ROW("graph", FLAG_TAKES_TEXT, graph, "", "Graph", "The .tflite model."),
    ROW("delegate", FLAG_TAKES_TEXT, delegate, "gpu", "Delegate", "Which delegate to ask; none asks the CPU kernels."),
    ROW("signature", FLAG_TAKES_TEXT, signature, "", "Signature",
        "Which signature of the model to ask a delegate about; needed where there are several."),
    ROW("no_device", FLAG_TAKES_BOOL, no_device, "false", "No device",
        "Ask against the least that any device must offer, even where there is one."),
    {0},
};
