/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_flags.h - flags of TensorFlow Lite's tools that change nothing here, so that command lines written for its tools run.
 *
 * Two kinds. A flag with one value that means the fixed behaviour of this build takes that value alone; any other is refused with
 * the reason (flag.refused). A flag that affects neither the computation nor the report of a run takes any value. */
#pragma once

#include "lib/base/flag.h"

/* Values of the rows that take any value. Only the echo of the parameters and the JSON report read them. */
struct tflite_flags {
    const char *benchmark_name, *output_prefix;
    bool use_caching, grow_profiling_buffer, cast_cache, shuffle_options;
    int32_t profiling_entries, large_tensor_bytes;
    int32_t name_length, type_length, alloc_length;
};

struct tflite_delegate_flags {
    bool disable_nnapi_cpu;
    enum { TFLITE_GPU_GL, TFLITE_GPU_OPENGL } gpu_backend;
};

/* The flags of benchmark_model, for struct tflite_flags, and the delegate flags of all of TFLite's tools, for struct
 * tflite_delegate_flags. */
extern const struct flag tflite_flag_table[], tflite_delegate_flag_table[];
