/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_options.h - the options of the delegate "gpu", and the flags that set them. */
#pragma once

#include "lib/base/flag.h"
#include "lib/gl/device/limits.h"
#include "lib/gl/options/pick.h"

/* The GL objects that hold values and constants: buffers, read as storage blocks or as image buffers; for values 2-D array
 * textures, if they fit one and nothing lies within them, and for all else buffers, read as the device reads them best; or the
 * objects that suit the device. */
enum gpu_objects { GPU_OBJECTS_FASTEST, GPU_OBJECTS_BUFFER, GPU_OBJECTS_IMAGE, GPU_OBJECTS_TEXTURE };

/* How the CPU waits for the GPU: asleep, or polling, which answers sooner. NONE asks the caller that runs sessions to hand runs
 * over one behind the other and to wait once, for the last (delegate.submission.counted); a wait for a single run sleeps. */
enum gpu_wait { GPU_WAIT_PASSIVE, GPU_WAIT_ACTIVE, GPU_WAIT_NONE };

/* Largest gpu_options.loop_times. */
#define GPU_MAX_LOOP_TIMES 1000000

/* The place of inputs and outputs while runs are timed: host memory, or GL buffers, so that no run brings or fetches them; for
 * tools, which make the buffers (delegate.io_in_buffers). */
enum gpu_io { GPU_IO_HOST, GPU_IO_BUFFER };

/* The source of the GL context: made on `device`; or, for the two others (gl_context_adopt, gl_context_share), the one that is
 * current when the delegate is opened. In any case the caller's current context stays current between calls of the delegate. */
enum gpu_context_use { GPU_CONTEXT_OWN, GPU_CONTEXT_ADOPT, GPU_CONTEXT_SHARE };

/* How floats are stored, and computed with. AUTO: as precision_loss_allowed and the priorities say. FP16: in 16 bits if the device
 * computes so (gl_settle_fp16) and the kernel can; else it is FP16_STORAGE. FP16_SUM32: likewise, but products are added up in 32
 * bits. */
enum gpu_precision {
    GPU_PRECISION_AUTO,
    GPU_PRECISION_FP32,
    GPU_PRECISION_FP16_STORAGE,
    GPU_PRECISION_FP16_SUM32,
    GPU_PRECISION_FP16
};

/* Priorities, in the numbers of TFLite's TfLiteGpuInferencePriority. */
enum gpu_priority { GPU_PRIORITY_AUTO, GPU_MAX_PRECISION, GPU_MIN_LATENCY, GPU_MIN_MEMORY_USAGE };

/* The treatment of operators on quantized tensors: NONE leaves them to the CPU, QUANTIZE and DEQUANTIZE aside; SIMULATE, the flag's
 * default, adds up products of 8-bit integers as reals (quantized.h) and multiplies floats by 8-bit weights as floats, all else
 * with the integers; EXACT computes with the integers alone, to the CPU's bits (exact.h). */
enum gpu_quant { GPU_QUANT_NONE, GPU_QUANT_SIMULATE, GPU_QUANT_EXACT };

/* Effort of the search for the variants that suit the device: tune.h. */
enum gpu_tuning { GPU_TUNING_OFF, GPU_TUNING_FAST, GPU_TUNING_EXHAUSTIVE };

struct gpu_options {
    bool precision_loss_allowed;   /* TFLite's: the priorities MIN_LATENCY, MIN_MEMORY_USAGE, MAX_PRECISION */
    enum gpu_precision precision;  /* gpu_precision_of resolves these three: precision.h */
    enum gpu_priority priority[3]; /* the most important first; memory before latency also keeps values in no texture */
    const char *fp32_nodes;        /* "3,7-9": stored and computed in float32 all the same: gl_precision_begin */
    enum gpu_quant quant;
    bool sustained_speed; /* TFLite's preference: if latency comes first, shaders have their numbers in their text */
    enum gpu_tuning tuning;
    int32_t device; /* as list_devices counts them; -1: the best */
    enum gpu_objects objects;
    enum gpu_wait wait;
    enum gpu_io io;
    bool dynamic_batch;         /* as in TFLite's GL delegate: another size of the batch needs no other program */
    int32_t loop_times;         /* number of times that each inference is computed; 0: once */
    int32_t timeout_ms;         /* longest wait for an inference, see wait.h; 0: for ever */
    int32_t compile_timeout_ms; /* longest time that the compiler of an own or a shared context may make no progress (gl_aside); 0:
                                   for ever */
    double max_memory_mb;       /* most megabytes of buffers and textures (memory_limit.h); 0: no limit */
    const char *dump_shaders;   /* a directory; "" or NULL: nowhere */
    const char *dump_ir;        /* likewise, of the operations after each pass (dump_ir.h); tried when the delegate is opened */
    const char *variants;       /* "conv:4x1,depthwise:direct": kernel variants to be chosen if they fit; "" or NULL: none */
    const char *serialize_dir, *serialize_token; /* folder of the stored starts, and the word that begins the names of the files;
                                                    both or neither ("" or NULL) */
    int32_t serialize_max_mb;                    /* most megabytes of the files there; below 1: no bound */

    enum gpu_context_use context; /* no tool's flag leads here, only gpu_embedded_flags */

    /* For tests; no flag leads here. */
    bool no_binaries;               /* pass for a driver that does not give its programs */
    const struct gl_limits *most;   /* pass for a device with no more than this and no extension (limits.h); NULL: as it is.
                                      Without a device (open_static) it passes for one with just this; NULL: the least */
    const struct gl_policy *policy; /* in place of the table's policy (policy.h); NULL: the table's */
    bool trust_fp16;                /* take 16-bit floats for right, and `mediump` for 16 bits, without a probe: for a driver that
                                       compiles without its hardware */
    const char *stall; /* for programs whose label or source has this the driver passes for one that takes stall_ms; NULL: none */
    uint32_t stall_ms;
    const char *refuse;                    /* programs whose label or source has this pass for refused by the driver; NULL: none */
    double (*trial_ns)(const char *label); /* passes for the time of a trial's dispatch of that label, of a "program" that is
                                              compiled for it, and of all else of the compilation ("compile"); NULL: the clock */
    const struct device_peak *trial_peak;  /* beside it, passes for the result of a probe; NULL: nothing */
    struct gl_pick pick;                   /* of all operations */
    bool *met; /* [gl_variant_rows()] set for each variant that computes an operation (choose.h), or NULL */
};

/* The flags that set struct gpu_options. */
extern const struct flag gpu_flags[];
extern const struct flag gpu_embedded_flags[]; /* delegate_type.embedded_flags */
