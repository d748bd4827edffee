/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_flags.c - the flags of the delegate "gpu". */
#include "lib/gl/options/gpu_options.h"

#define FLAG_OPTIONS struct gpu_options
#define ROW          FLAG_ROW

#define GPU_PRIORITIES FLAG_TAKES_WORD("auto", "max_precision", "min_latency", "min_memory_usage")

const struct flag gpu_flags[] = {
    ROW(GPU, "gpu_precision_loss_allowed", FLAG_TAKES_BOOL, precision_loss_allowed, "false", "Allow lower precision in gpu",
        "Allow float16, as TFLite's flag does: the same as gpu_inference_priority1=min_latency. Off by default, so that "
        "results are those of float32."),
    ROW(GPU, "gpu_precision", FLAG_TAKES_WORD("auto", "fp32", "fp16_storage", "fp16_sum32", "fp16"), precision, "auto", NULL,
        "Choose the precision: fp32; fp16_storage stores tensors and weights as float16; fp16_sum32 also multiplies in float16 "
        "if the device does, and sums in float32; fp16 also sums in float16; auto: by the priorities."),
    ROW(GPU, "gpu_fp32_nodes", FLAG_TAKES_TEXT, fp32_nodes, "", NULL,
        "Keep these nodes in float32 at a lower gpu_precision, by index: 3,7-9."),
    ROW(GPU, "gpu_quant", FLAG_TAKES_WORD("none", "simulate", "exact"), quant, "simulate", NULL,
        "Choose the arithmetic of quantized tensors. none: nodes stay on the CPU, except from and to floats. simulate: the CPU's "
        "results, except for sums beyond 2^24 and floats times 8-bit weights. exact: integers, and so the CPU's bits."),
    ROW(GPU, "gpu_inference_priority1", GPU_PRIORITIES, priority[0], "auto", NULL,
        "Set TFLite's first priority: max_precision chooses fp32 if it is first, fp16_storage if second, fp16 if last; auto: "
        "max_precision."),
    ROW(GPU, "gpu_inference_priority2", GPU_PRIORITIES, priority[1], "auto", NULL,
        "Set the second priority; auto: as TFLite continues."),
    ROW(GPU, "gpu_inference_priority3", GPU_PRIORITIES, priority[2], "auto", NULL,
        "Set the last priority; auto: the remaining one."),
    ROW(GPU, "gpu_inference_for_sustained_speed", FLAG_TAKES_BOOL, sustained_speed, "false",
        "Prefer maximizing the throughput in gpu",
        "Write shapes into the shaders if min_latency comes first: more programs to compile, worth it for many runs."),
    ROW(START, "gpu_tuning", FLAG_TAKES_WORD("off", "fast", "exhaustive"), tuning, "off", NULL,
        "Time kernel variants, workgroup sizes and the like on the device before the first run, and choose the fastest for "
        "each node. fast: the time of 50 inferences, for the slowest nodes; exhaustive: all. --delegate_serialize_dir "
        "keeps the choices."),
    ROW(GPU, "gpu_device", FLAG_TAKES_INT(-1, INT32_MAX), device, "-1", NULL,
        "Use this device of --list_gpus; -1: hardware before software."),
    ROW(GPU, "gpu_object_type", FLAG_TAKES_WORD("fastest", "buffer", "image", "texture"), objects, "fastest", NULL,
        "Keep tensors in buffers (buffer), in buffers read as image buffers (image) or in 2-D array textures (texture); "
        "fastest: as suits the driver (--list_gpus)."),
    ROW(GPU, "gpu_wait_type", FLAG_TAKES_WORD("passive", "active", "none"), wait, "passive", "GPU delegate wait type",
        "Wait for the GPU asleep (passive) or polling (active), which answers sooner; none: benchmark_model submits each timed "
        "run before the last one ended, and reads the outputs of that meanwhile."),
    ROW(GPU, "dynamic_batch", FLAG_TAKES_BOOL, dynamic_batch, "false", NULL,
        "Compile shaders for any batch size, so that another one compiles nothing; off: simpler shaders for one size."),
    ROW(GPU, "gpu_io", FLAG_TAKES_WORD("host", "buffer"), io, "host", NULL,
        "Keep inputs and outputs in host memory, copied in each timed run, or in buffers of the GPU."),
    ROW(GPU, "gpu_invoke_loop_times", FLAG_TAKES_INT(1, GPU_MAX_LOOP_TIMES), loop_times, "1",
        "Number of GPU delegate invoke loop iterations",
        "Compute each inference this many times in a row on the GPU, and divide times by it."),
    ROW(GPU, "gpu_timeout_ms", FLAG_TAKES_INT(0, INT32_MAX), timeout_ms, "60000", NULL,
        "Fail if the GPU takes more than this many milliseconds for an inference; 0: wait forever."),
    ROW(GPU, "gpu_compile_timeout_ms", FLAG_TAKES_INT(0, INT32_MAX), compile_timeout_ms, "60000", NULL,
        "Give up a shader if the driver compiles for more than this many milliseconds, then try another variant, then the CPU; "
        "0: wait forever."),
    ROW(GPU, "gpu_max_memory", FLAG_TAKES_NUMBER(0.001, 1e9), max_memory_mb, "0", NULL,
        "Allocate at most this many MB in buffers and textures of the GPU. Nodes that do not fit, those with the largest tensors, "
        "run on the CPU and are named; a model of which nothing fits is refused. Default: no limit."),
    ROW(DEBUG, "gpu_variant", FLAG_TAKES_TEXT, variants, "", NULL,
        "Choose these kernel variants if they fit, by their names in profiles: conv:4x1,depthwise:direct."),
    ROW(DEBUG, "dump_shaders", FLAG_WRITES_DIR, dump_shaders, "", NULL, "Write every shader to this folder before it is compiled."),
    ROW(DEBUG, "gpu_dump_ir", FLAG_WRITES_DIR, dump_ir, "", NULL,
        "Write the operations of each partition to this folder after each pass, as JSON and DOT."),
    ROW(START, "delegate_serialize_dir", FLAG_KEEPS_DIR, serialize_dir, "", "Delegate serialization dir",
        "Store starts in this folder, which is made, so that the next start of the same model on the same driver is faster."),
    ROW(START, "delegate_serialize_token", FLAG_TAKES_TEXT, serialize_token, "", "Delegate serialization token",
        "Begin the names of the stored files with this word for the model; required by --delegate_serialize_dir."),
    ROW(START, "delegate_serialize_max_mb", FLAG_TAKES_INT(1, 1 << 20), serialize_max_mb, "1024", NULL,
        "Limit the stored starts to this many megabytes, and the driver's cache beside them likewise; the least recently used "
        "go first."),
    {0},
};

const struct flag gpu_embedded_flags[] = {
    ROW(GPU, "gpu_context", FLAG_TAKES_WORD("own", "adopt", "share"), context, "own", NULL,
        "Work in a GL context of its own (own), in the caller's current one (adopt), or in one that shares objects with that "
        "(share)."),
    {0},
};
