/* SPDX-License-Identifier: Apache-2.0 */
/* tflite_flags.h - flags of TensorFlow Lite's tools that have nothing to change here, so that command lines written for those run.
 *
 * Two kinds. A flag of which one value means what this build does anyhow takes that value alone; any other is refused with the
 * reason (flag.refused). A flag that makes no difference to what a run computes or reports takes any. */
#ifndef DELEGAUGE_CMD_TFLITE_FLAGS_H
#define DELEGAUGE_CMD_TFLITE_FLAGS_H

#include "lib/base/flag.h"

/* What the rows that take any value fill. Nothing reads it but the echo of the parameters and the JSON report. */
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

/* Those of benchmark_model, for struct tflite_flags, and those that all of TFLite's tools have for their delegates, for struct
 * tflite_delegate_flags. */
extern const struct flag tflite_flag_table[], tflite_delegate_flag_table[];

#endif
