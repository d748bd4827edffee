/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_flags.c - the flags of the delegate "gpu". */
#include "lib/gl/options/gpu_options.h"

#define ROW(flag_name, takes, field, def, echo, text)                                                                              \
    {                                                                                                                              \
        .name = flag_name, takes, .offset = offsetof(struct gpu_options, field), .value = def, .label = echo, .help = text         \
    }

#define GPU_PRIORITIES FLAG_TAKES_WORD("auto", "max_precision", "min_latency", "min_memory_usage")

const struct flag gpu_flags[] = {
    ROW("gpu_precision_loss_allowed", FLAG_TAKES_BOOL, precision_loss_allowed, "false", "Allow lower precision in gpu",
        "gpu_inference_priority1=min_latency, as TFLite has it: float16; off unless asked for, so that numbers are float32's."),
    ROW("gpu_precision", FLAG_TAKES_WORD("auto", "fp32", "fp16_storage", "fp16_sum32", "fp16"), precision, "auto", NULL,
        "float32; tensors and weights stored as float16; computed as float16, too, where the device does that, but what products "
        "are added up in is float32; likewise without that exception; auto: as the priorities say."),
    ROW("gpu_fp32_nodes", FLAG_TAKES_TEXT, fp32_nodes, "", NULL,
        "Nodes that stay float32 where gpu_precision is less, by index: 3,7-9."),
    ROW("gpu_quant", FLAG_TAKES_WORD("none", "simulate", "exact"), quant, "simulate", NULL,
        "Quantized tensors: left to the CPU but for what becomes or comes from floats; or computed with the CPU's results, but for "
        "sums beyond 2^24 and floats times 8-bit weights; or with integers alone, to the CPU's bits."),
    ROW("gpu_inference_priority1", GPU_PRIORITIES, priority[0], "auto", NULL,
        "TFLite's: fp32 where max_precision comes first, fp16_storage where it is second, fp16 where it is last; auto: so."),
    ROW("gpu_inference_priority2", GPU_PRIORITIES, priority[1], "auto", NULL, "What comes second; auto: as TFLite goes on."),
    ROW("gpu_inference_priority3", GPU_PRIORITIES, priority[2], "auto", NULL, "What comes last; auto: what is left."),
    ROW("gpu_inference_for_sustained_speed", FLAG_TAKES_BOOL, sustained_speed, "false", "Prefer maximizing the throughput in gpu",
        "Where min_latency comes first, write shapes into the shaders: more programs to compile, for many runs."),
    ROW("gpu_tuning", FLAG_TAKES_WORD("off", "fast", "exhaustive"), tuning, "off", NULL,
        "Try variants, workgroups and the like on the device before the first run, and take the fastest for each node: where most "
        "of the time goes, for as long as 50 inferences take; or everywhere. --delegate_serialize_dir keeps what was found."),
    ROW("gpu_device", FLAG_TAKES_INT(-1, INT32_MAX), device, "-1", NULL,
        "Which device of --list_gpus; -1 takes hardware before software."),
    ROW("gpu_object_type", FLAG_TAKES_WORD("fastest", "buffer", "image", "texture"), objects, "fastest", NULL,
        "What tensors are kept in: buffers, read as such or as image buffers, or 2-D array textures; fastest: what suits the "
        "driver (--list_gpus)."),
    ROW("gpu_wait_type", FLAG_TAKES_WORD("passive", "active", "none"), wait, "passive", "GPU delegate wait type",
        "How the CPU waits for the GPU: asleep, or polling, which answers sooner; none: timed runs of benchmark_model are handed "
        "over before the one before is waited for, whose outputs are read meanwhile."),
    ROW("dynamic_batch", FLAG_TAKES_BOOL, dynamic_batch, "false", NULL,
        "Shaders for any size of the batch, so that inputs of another one compile none; else those for one are simpler."),
    ROW("gpu_io", FLAG_TAKES_WORD("host", "buffer"), io, "host", NULL,
        "Where inputs and outputs are while runs are timed: in host memory, from where each run brings them and to where it "
        "fetches them, or in buffers of the GPU."),
    ROW("gpu_invoke_loop_times", FLAG_TAKES_INT(1, GPU_MAX_LOOP_TIMES), loop_times, "1",
        "Number of GPU delegate invoke loop iterations",
        "The GPU computes each inference so often in a row, and times are divided by it."),
    ROW("gpu_timeout_ms", FLAG_TAKES_INT(0, INT32_MAX), timeout_ms, "60000", NULL,
        "An inference that the GPU has not finished after so long is an error; 0: wait for ever."),
    ROW("gpu_compile_timeout_ms", FLAG_TAKES_INT(0, INT32_MAX), compile_timeout_ms, "60000", NULL,
        "A shader that the driver has not compiled after so long is given up, and another variant tried, then the CPU; 0: wait for "
        "ever."),
    ROW("gpu_variant", FLAG_TAKES_TEXT, variants, "", NULL,
        "Kernel variants to choose where they fit, as profiles name them: conv:4x1,depthwise:direct."),
    ROW("dump_shaders", FLAG_WRITES_DIR, dump_shaders, "", NULL, "Directory where every shader is written before it is compiled."),
    ROW("gpu_dump_ir", FLAG_WRITES_DIR, dump_ir, "", NULL,
        "Directory where the operations of each partition are written after each rewrite, as JSON and DOT."),
    ROW("delegate_serialize_dir", FLAG_KEEPS_DIR, serialize_dir, "", "Delegate serialization dir",
        "Directory where starts are stored, so that the next of the same model on the same driver is faster; it is made."),
    ROW("delegate_serialize_token", FLAG_TAKES_TEXT, serialize_token, "", "Delegate serialization token",
        "Word for the model that begins the names of the files; needed with --delegate_serialize_dir."),
    ROW("delegate_serialize_max_mb", FLAG_TAKES_INT(1, 1 << 20), serialize_max_mb, "1024", NULL,
        "Megabytes that stored starts may take, and the driver's cache beside them; the least recently used go first."),
    {0},
};

const struct flag gpu_embedded_flags[] = {
    ROW("gpu_context", FLAG_TAKES_WORD("own", "adopt", "share"), context, "own", NULL,
        "Where the GL context comes from: one of its own; the one that the caller has current; or one that shares its objects with "
        "that."),
    {0},
};
