/* SPDX-License-Identifier: Apache-2.0 */
/* gpus.h - opens one GPU in every mode and precision in which cases are tried. */
#pragma once

#include "lib/gl/gpu/gpu.h"
#include "lib/tensor/precision.h"

/* PRECISION_FP16_SUM32 and PRECISION_FP16 are used in GPU_FP16, if the device has them, and in GPU_EMULATED only. */
enum gpu_mode {
    GPU_DEFAULT, /* default options */
    GPU_BUFFER,  /* values in buffers, whatever suits the device */
    GPU_LEAST,   /* as the least OpenGL ES 3.1 device (gl_limits_least), without extensions */
    /* Numbers in the shaders' text, reads beyond a value give NaN (struct gl_policy), deep workgroups; a resize is computed by its
     * readers if and only if the rules say otherwise (gl_pick). */
    GPU_CHECKED,
    GPU_TEXTURE,  /* values in textures if possible, otherwise as GPU_CHECKED */
    GPU_FETCHED,  /* values through texture buffers, constants through uniform blocks (gl_pick) */
    GPU_COPIED,   /* constants in separate textures, blocks of weights in four */
    GPU_FP16,     /* options fp16 or fp16_sum32 */
    GPU_EMULATED, /* as GPU_FP16 with emulated types (gl_policy.emulated_halves) */
    GPU_EXACT,    /* integer arithmetic (lib/gl/lower/exact.h), for quantized cases only */
    GPU_VARIANTS, /* each kernel variant that fits instead of the first */
    GPU_MODES
};

#define GPU_MAX_VARIANTS 12

struct gpus {
    int device;               /* index of --list_gpus; -1: the best */
    const char *dump_shaders; /* folder for every shader; NULL: none */
    bool trust_fp16;          /* gpu_options.trust_fp16 */
    bool wanted[GPU_MODES];
    bool few[GPU_MODES]; /* the mode is for one case of each operator only (gpus_passes_over) */
    /* Spread modes over the cases: GPU_DEFAULT in the second precision, GPU_BUFFER, GPU_LEAST, GPU_CHECKED and GPU_VARIANTS run for
     * some cases each; modes of `few` in one of the two precisions for each operator. */
    bool turns;
    uint32_t passed_over[GPU_MODES];                              /* cases in one precision that `turns` left out */
    const struct op *had[GPU_MODES][PRECISION_COUNT];             /* last operator that had a case, for `few` */
    struct delegate *modes[GPU_MODES][PRECISION_COUNT];           /* NULL: not wanted, or no GPU; always for GPU_VARIANTS */
    struct delegate *variants[GPU_MAX_VARIANTS][PRECISION_COUNT]; /* opened when first needed; [0] is not used */
    /* Answers as the least device would, without a device: these answers are in the record of gpu_record.h. */
    struct delegate *judge;
    struct delegate *exact_judge; /* judge with --gpu_quant=exact */
    bool *met;          /* [gl_variant_rows()] kernel variants (lib/gl/passes/choose.h) that some model used; NULL: no GPU */
    char driver[32];    /* first word of the renderer's name in lower case: "llvmpipe"; "" without a GPU */
    char left_out[400]; /* wanted modes that the device lacks: "halves.fp16: why; ..."; "" if none */
    struct err none;    /* why there is no GPU; "" if there is one */
};

extern const char *const gpu_mode_names[GPU_MODES];

/* Parse a list of modes, "default,least", into g->wanted; false if it is malformed. "all": all but GPU_EMULATED, with GPU_TEXTURE,
 * GPU_FETCHED, GPU_COPIED and GPU_FP16 for one case of each operator, since compiling all shaders again takes minutes;
 * "all,texture,fetched,copied,halves": these for all cases too. "turns": all with g->turns; "default,turns": that mode with it. */
bool gpus_choose(struct gpus *g, const char *list);

/* Return true if case number n of `op` is not to run in this mode and precision: another mode has its turn (counted in
 * g->passed_over), or the mode is for one case and an earlier one had it. Else record that a case has it. Cases of one operator
 * must follow one another. */
bool gpus_passes_over(struct gpus *g, enum gpu_mode mode, enum precision p, const struct op *op, uint32_t n);

/* Return the options with which a mode opens the device; not for GPU_VARIANTS. */
struct gpu_options gpus_options(enum gpu_mode mode, enum precision p);

/* Return the device's name; "" without a GPU. */
const char *gpus_device(const struct gpus *g);

/* Open the wanted modes in their precisions. Without a GPU only the judges are opened, and g->none has the reason. */
void gpus_open(struct gpus *g);

/* Return the delegate that uses variant `i` (from 1) of every kernel with that many; NULL, with *err, if it cannot be opened. */
struct delegate *gpus_variant(struct gpus *g, uint32_t i, enum precision p, struct err *err);

/* Return a delegate for one of op_case.gpu_ways, to be closed by the caller; NULL, with *err, if it cannot be opened. */
struct delegate *gpus_way(struct gpus *g, const char *way, enum precision p, struct err *err);

/* Close all delegates of *g; accepts zeros. */
void gpus_close(struct gpus *g);
