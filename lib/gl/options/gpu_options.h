/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_options.h - what the delegate "gpu" can be told, and the flags that tell it. */
#ifndef DELEGAUGE_GL_GPU_OPTIONS_H
#define DELEGAUGE_GL_GPU_OPTIONS_H

#include "lib/base/flag.h"
#include "lib/gl/device/limits.h"
#include "lib/gl/options/pick.h"

/* What values and constants are kept in: buffers, read as storage blocks or as image buffers; values in 2-D array textures, where
 * they fit one and nothing lies within them, and all else as the device reads buffers best; or what suits the device. */
enum gpu_objects { GPU_OBJECTS_FASTEST, GPU_OBJECTS_BUFFER, GPU_OBJECTS_IMAGE, GPU_OBJECTS_TEXTURE };

/* How the CPU waits for the GPU: asleep, or polling, which answers sooner. NONE asks whoever runs sessions to hand runs over one
 * behind the other and to wait once, for the last (delegate.submission.counted); where a single run is waited for, it sleeps. */
enum gpu_wait { GPU_WAIT_PASSIVE, GPU_WAIT_ACTIVE, GPU_WAIT_NONE };

/* Most of gpu_options.loop_times. */
#define GPU_MAX_LOOP_TIMES 1000000

/* Where inputs and outputs lie while runs are timed: in host memory, or in GL buffers, so that no run brings or fetches them; for
 * tools, which make the buffers (delegate.io_in_buffers). */
enum gpu_io { GPU_IO_HOST, GPU_IO_BUFFER };

/* Where the GL context comes from: made on `device`; or, for the two others (gl_context_adopt, gl_context_share), the one that is
 * current when the delegate is opened. In any case what a caller has current stays so between calls of the delegate. */
enum gpu_context_use { GPU_CONTEXT_OWN, GPU_CONTEXT_ADOPT, GPU_CONTEXT_SHARE };

/* How floats are stored, and computed with. AUTO: as precision_loss_allowed and the priorities say. FP16: in 16 bits where the
 * device computes so (gl_settle_halves) and the kernel can; else it is FP16_STORAGE. FP16_SUM32: likewise, but what products are
 * added up in has 32 bits. */
enum gpu_precision {
    GPU_PRECISION_AUTO,
    GPU_PRECISION_FP32,
    GPU_PRECISION_FP16_STORAGE,
    GPU_PRECISION_FP16_SUM32,
    GPU_PRECISION_FP16
};

/* What matters more, in the numbers of TFLite's TfLiteGpuInferencePriority. */
enum gpu_priority { GPU_PRIORITY_AUTO, GPU_MAX_PRECISION, GPU_MIN_LATENCY, GPU_MIN_MEMORY_USAGE };

/* What becomes of operators on quantized tensors: NONE leaves them to the CPU, QUANTIZE and DEQUANTIZE aside; SIMULATE, the
 * flag's default, adds up products of 8-bit integers as reals (quantized.h) and multiplies floats by 8-bit weights as floats, all
 * else with the integers; EXACT computes with the integers alone, to the CPU's bits (exact.h). */
enum gpu_quant { GPU_QUANT_NONE, GPU_QUANT_SIMULATE, GPU_QUANT_EXACT };

/* How much is tried to find the variants that suit the device: tune.h. */
enum gpu_tuning { GPU_TUNING_OFF, GPU_TUNING_FAST, GPU_TUNING_EXHAUSTIVE };

struct gpu_options {
    bool precision_loss_allowed;   /* TFLite's: the priorities MIN_LATENCY, MIN_MEMORY_USAGE, MAX_PRECISION */
    enum gpu_precision precision;  /* what gpu_precision_of makes of these three: precision.h */
    enum gpu_priority priority[3]; /* the most important first; memory before latency also keeps values in no texture */
    const char *fp32_nodes;        /* "3,7-9": stored and computed in float32 all the same: gl_precision_begin */
    enum gpu_quant quant;
    bool sustained_speed; /* TFLite's preference: where latency comes first, shaders have their numbers in their text */
    enum gpu_tuning tuning;
    int32_t device; /* as list_devices counts them; -1: the best */
    enum gpu_objects objects;
    enum gpu_wait wait;
    enum gpu_io io;
    bool dynamic_batch;         /* as TFLite's GL delegate had it: another size of the batch is no other program */
    int32_t loop_times;         /* how often each inference is computed; 0: once */
    int32_t timeout_ms;         /* for which an inference is waited for, see wait.h; 0: for ever */
    int32_t compile_timeout_ms; /* for which the compiler of an own or a shared context may make no headway (gl_aside); 0:
                                   for ever */
    const char *dump_shaders;   /* a directory; "" or NULL: nowhere */
    const char *dump_ir;        /* likewise, of the operations after each pass (dump_ir.h); tried when the delegate is opened */
    const char *variants;       /* "conv:4x1,depthwise:direct": kernel variants to be chosen where they fit; "" or NULL: none */
    const char *serialize_dir, *serialize_token; /* where starts are stored, and the word that begins the names of the files; both
                                                    or neither ("" or NULL) */
    int32_t serialize_max_mb;                    /* that the files there may take; below 1: as many as they like */

    enum gpu_context_use context; /* no tool's flag leads here, only gpu_embedded_flags */

    /* For tests; no flag leads here. */
    bool no_binaries;               /* pass for a driver that does not give its programs */
    const struct gl_limits *most;   /* pass for a device with no more than this and no extension (limits.h); NULL: as it is.
                                      Without a device (open_static) it passes for one with just this; NULL: the least */
    const struct gl_policy *policy; /* in place of what the table of quirks says (policy.h); NULL: that */
    const char *stall; /* for programs whose label or source has this the driver passes for one that takes stall_ms; NULL: none */
    uint32_t stall_ms;
    const char *refuse;                    /* programs whose label or source has this pass for refused by the driver; NULL: none */
    double (*trial_ns)(const char *label); /* passes for what a dispatch of that label takes when it is tried, a "program" that is
                                              compiled for it, and all else of that ("compile"); NULL: the clock */
    const struct device_peak *trial_peak;  /* beside it, passes for what a probe finds; NULL: nothing */
    struct gl_pick pick;                   /* of all operations */
    bool *met; /* [gl_variant_rows()] set of each variant that an operation is computed by (choose.h), or NULL */
};

/* Of struct gpu_options. */
extern const struct flag gpu_flags[];
extern const struct flag gpu_embedded_flags[]; /* delegate_type.embedded_flags */

#endif
