/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_flags.c - flags that are here for the sake of command lines written for TensorFlow Lite's tools. */
#include "cmd/tool/tflite_flags.h"

#define ANY(flag_name, takes, type, field, def, echo, ...)                                                                         \
    {                                                                                                                              \
        .name = flag_name, .group = GROUP_TFLITE, takes, .offset = offsetof(struct type, field), .value = def, .label = echo,      \
        .help = __VA_ARGS__                                                                                                        \
    }

/* Takes its default alone. */
#define ONLY(flag_name, takes, def, echo, why)                                                                                     \
    {                                                                                                                              \
        .name = flag_name, .group = GROUP_TFLITE, takes, .value = def, .label = echo, .help = why, .refused = why                  \
    }

#define LENGTH FLAG_TAKES_INT(0, INT32_MAX)

#define NO_STATE  "the tool has no dump of the interpreter's state; op_coverage --verbose lists the nodes"
#define NO_XNN    "XNNPACK computes in float32 here, and packs weights anew in each process"
#define NO_YNN    "YNNPACK is not part of this build"
#define NO_NNAPI  "NNAPI is Android's, and no part of this build"
#define NO_HEX    "the Hexagon delegate is Android's, and no part of this build"
#define NO_ML     "Core ML is Apple's, and no part of this build"
#define NO_STABLE "stable delegates cannot be loaded, only external ones: --external_delegate_path"

const struct flag tflite_flag_table[] = {
    ANY("benchmark_name", FLAG_TAKES_TEXT, tflite_flags, benchmark_name, "", "Benchmark name",
        "Print this name, and write it to the JSON report.", .may_be_empty = true),
    ANY("output_prefix", FLAG_TAKES_TEXT, tflite_flags, output_prefix, "", "Output prefix",
        "Print this prefix, and write it to the JSON report.", .may_be_empty = true),
    ANY("use_caching", FLAG_TAKES_BOOL, tflite_flags, use_caching, "false", "Use caching",
        "Accept this flag without effect: weights of CPU kernels are packed once, before the first run."),
    ANY("max_profiling_buffer_entries", FLAG_TAKES_INT(1, INT32_MAX), tflite_flags, profiling_entries, "1024",
        "Max initial profiling buffer entries", "Accept this flag without effect: the profile has no limit."),
    ANY("allow_dynamic_profiling_buffer_increase", FLAG_TAKES_BOOL, tflite_flags, grow_profiling_buffer, "false",
        "Allow dynamic increase on profiling buffer entries", "Accept this flag without effect: the profile has no limit."),
    ANY("enable_builtin_cast_constant_cache", FLAG_TAKES_BOOL, tflite_flags, cast_cache, "false", "Constant CAST output cache",
        "Accept this flag without effect: nodes with constant inputs alone are computed once."),
    ANY("optimize_memory_for_large_tensors", FLAG_TAKES_INT(0, INT32_MAX), tflite_flags, large_tensor_bytes, "0",
        "Optimize memory usage for large tensors", "Accept this flag without effect: tensors of any size share memory."),
    ANY("tensor_name_display_length", LENGTH, tflite_flags, name_length, "25", "Tensor name display length",
        "Accept this flag without effect: it is for the state that TFLite prints."),
    ANY("tensor_type_display_length", LENGTH, tflite_flags, type_length, "15", "Tensor type display length",
        "Accept this flag without effect: it is for the state that TFLite prints."),
    ANY("alloc_type_display_length", LENGTH, tflite_flags, alloc_length, "18", "Tensor allocation type display length",
        "Accept this flag without effect: it is for the state that TFLite prints."),
    ONLY("print_preinvoke_state", FLAG_TAKES_BOOL, "false", "Print pre-invoke interpreter state", NO_STATE),
    ONLY("print_postinvoke_state", FLAG_TAKES_BOOL, "false", "Print post-invoke interpreter state", NO_STATE),
    ONLY("enable_platform_tracing", FLAG_TAKES_BOOL, "false", "Enable platform-wide tracing",
         "platform-wide tracing is Android's; --enable_op_profiling times each operator"),
    ONLY("allow_fp16", FLAG_TAKES_BOOL, "false", "Allow fp16",
         "the CPU kernels compute in float32; --gpu_precision_loss_allowed is for the GPU"),
    ONLY("release_dynamic_tensors", FLAG_TAKES_BOOL, "false", "Release dynamic tensor memory",
         "tensors of dynamic shape keep their memory from run to run"),
    ONLY("disable_delegate_clustering", FLAG_TAKES_BOOL, "false", "Disable delegate clustering",
         "nodes of a delegate are always gathered into as few partitions as their order allows"),
    ANY("random_shuffle_benchmark_runs", FLAG_TAKES_BOOL, tflite_flags, shuffle_options, "true", "Random shuffle benchmark runs",
        "Accept this flag without effect: performance options take turns, so the order favours none."),
    ONLY("option_benchmark_run_delay", FLAG_TAKES_NUMBER(-1, 1e6), "-1", "Delay between options (seconds)",
         "performance options take turns; --run_delay is slept after each run"),
    {0},
};

const struct flag tflite_delegate_flag_table[] = {
    {.name = "gpu_backend",
     .group = GROUP_TFLITE,
     FLAG_TAKES_WORD("gl", "opengl"),
     .offset = offsetof(struct tflite_delegate_flags, gpu_backend),
     .value = "gl",
     .label = "GPU backend",
     .help = "Choose the interface to the GPU; there is OpenGL ES alone.",
     .refused = "the GPU is reached through OpenGL ES alone"},
    ONLY("xnnpack_force_fp16", FLAG_TAKES_BOOL, "false", NULL, NO_XNN),
    ONLY("xnnpack_weight_cache_file_path", FLAG_TAKES_TEXT, "", NULL, NO_XNN),
    ONLY("xnnpack_runtime_flags", FLAG_TAKES_INT(0, 0), "0", "Extra flags for XNNPACK runtime", NO_XNN),
    ONLY("use_ynnpack", FLAG_TAKES_BOOL, "false", "Use ynnpack", NO_YNN),
    ONLY("ynnpack_static_shape", FLAG_TAKES_BOOL, "false", "YNNPACK static shape", NO_YNN),
    ONLY("ynnpack_fast_math", FLAG_TAKES_BOOL, "false", "YNNPACK fast math", NO_YNN),
    ONLY("ynnpack_consistent_arithmetic", FLAG_TAKES_BOOL, "false", "YNNPACK consistent arithmetic", NO_YNN),
    ONLY("ynnpack_no_excess_precision", FLAG_TAKES_BOOL, "false", "YNNPACK no excess precision", NO_YNN),
    ONLY("use_nnapi", FLAG_TAKES_BOOL, "false", "Use NNAPI", NO_NNAPI),
    ONLY("nnapi_execution_preference", FLAG_TAKES_TEXT, "", "NNAPI execution preference", NO_NNAPI),
    ONLY("nnapi_execution_priority", FLAG_TAKES_TEXT, "", "Model execution priority in nnapi", NO_NNAPI),
    ONLY("nnapi_accelerator_name", FLAG_TAKES_TEXT, "", "NNAPI accelerator name", NO_NNAPI),
    ANY("disable_nnapi_cpu", FLAG_TAKES_BOOL, tflite_delegate_flags, disable_nnapi_cpu, "true", "Disable NNAPI cpu",
        "Accept this flag without effect: there is no NNAPI."),
    ONLY("nnapi_allow_fp16", FLAG_TAKES_BOOL, "false", "Allow fp16 in NNAPI", NO_NNAPI),
    ONLY("nnapi_allow_dynamic_dimensions", FLAG_TAKES_BOOL, "false", "Allow dynamic dimensions in NNAPI", NO_NNAPI),
    ONLY("nnapi_use_burst_mode", FLAG_TAKES_BOOL, "false", "Use burst mode in NNAPI", NO_NNAPI),
    ONLY("nnapi_support_library_path", FLAG_TAKES_TEXT, "", NULL, NO_NNAPI),
    ONLY("use_hexagon", FLAG_TAKES_BOOL, "false", "Use Hexagon", NO_HEX),
    ONLY("hexagon_lib_path", FLAG_TAKES_TEXT, "", "Hexagon lib path", NO_HEX),
    ONLY("hexagon_profiling", FLAG_TAKES_BOOL, "false", "Hexagon profiling", NO_HEX),
    ONLY("use_coreml", FLAG_TAKES_BOOL, "false", "Use CoreML", NO_ML),
    ONLY("coreml_version", FLAG_TAKES_INT(0, 0), "0", "CoreML version", NO_ML),
    ONLY("stable_delegate_settings_file", FLAG_TAKES_TEXT, "", "Delegate settings file path", NO_STABLE),
    {0},
};
