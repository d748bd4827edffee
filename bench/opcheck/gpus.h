/* SPDX-License-Identifier: Apache-2.0 */
/* gpus.h - the one GPU of a run in every mode and precision that cases are tried in. */
#ifndef DELEGAUGE_BENCH_GPUS_H
#define DELEGAUGE_BENCH_GPUS_H

#include "lib/gl/gpu/gpu.h"
#include "lib/tensor/precision.h"

/* PRECISION_FP16_SUM32, PRECISION_FP16: in modes GPU_FP16, only if the device computes so, and GPU_EMULATED alone. */
enum gpu_mode {
    GPU_DEFAULT,  /* as a user has it */
    GPU_BUFFER,   /* reading through buffers, whatever suits the device */
    GPU_LEAST,    /* as the least OpenGL ES 3.1 device (gl_limits_least), without extensions */
    GPU_CHECKED,  /* numbers in the shaders' text, reads beyond a value are NaN (struct gl_policy), deep workgroups, and resizes are
                     computed by their readers exactly if the rules say otherwise (gl_pick) */
    GPU_TEXTURE,  /* values in textures if they can be, and otherwise as GPU_CHECKED */
    GPU_FETCHED,  /* values read through texture buffers, constants through uniform blocks (gl_pick) */
    GPU_COPIED,   /* constants in textures of their own, blocks of weights in four */
    GPU_FP16,     /* as a user has it who asks for fp16 or fp16_sum32 */
    GPU_EMULATED, /* the same with types that are emulated (gl_policy.emulated_halves) */
    GPU_EXACT,    /* integers as such (lib/gl/lower/exact.h): cases of quantized tensors alone */
    GPU_VARIANTS, /* with each kernel variant that fits instead of the first */
    GPU_MODES
};

#define GPU_MAX_VARIANTS 8

struct gpus {
    int device; /* of --list_gpus; -1: the best */
    bool wanted[GPU_MODES];
    bool few[GPU_MODES]; /* the mode is for one case of each operator alone, see gpus_passes_over */
    bool turns; /* cases have GPU_DEFAULT in the second precision, GPU_BUFFER, GPU_LEAST, GPU_CHECKED and GPU_VARIANTS by turns, and
                   operators one of the two precisions of modes that are for one case */
    uint32_t passed_over[GPU_MODES]; /* cases in one precision, as it was another mode's turn */
    const struct op *had[GPU_MODES][PRECISION_COUNT];
    struct delegate *modes[GPU_MODES][PRECISION_COUNT];           /* NULL: not wanted, or no GPU; GPU_VARIANTS is never here */
    struct delegate *variants[GPU_MAX_VARIANTS][PRECISION_COUNT]; /* opened when a case first needs them; [0] is never */
    struct delegate
        *judge; /* answers as the least device would, without a device: these answers are in the record of gpu_record.h */
    struct delegate *exact_judge; /* the same with --gpu_quant=exact */
    bool *met; /* [gl_variant_rows()] variants of kernels (lib/gl/passes/choose.h) that a model was computed by; NULL: no GPU */
    char driver[32];    /* the first word of the renderer's name, in lower case: "llvmpipe"; "" without a GPU */
    char left_out[400]; /* "halves.fp16: why; ...": wanted, and the device does otherwise; "" if there is none */
    struct err none;    /* why there is no GPU; "" if there is one */
};

extern const char *const gpu_mode_names[GPU_MODES];

/* Reads "default,least" into g->wanted. "all" is each of them but GPU_EMULATED, GPU_TEXTURE, GPU_FETCHED, GPU_COPIED and GPU_FP16
 * only for one case of each operator, since to compile all shaders once more takes minutes; "all,texture,fetched,copied,halves" for
 * all cases. "turns" is all with g->turns, "default,turns" that mode with it. */
bool gpus_choose(struct gpus *g, const char *list);

/* Return true if the case of `op` numbered n is not to be run in that mode, as it is another mode's turn (which g->passed_over
 * counts), or as a case of the operator had it before; else takes note that one has it. Cases of one operator come one after the
 * other. */
bool gpus_passes_over(struct gpus *g, enum gpu_mode mode, enum precision p, const struct op *op, uint32_t n);

/* Return the options that the device is opened with in that mode, any but GPU_VARIANTS. */
struct gpu_options gpus_options(enum gpu_mode mode, enum precision p);

/* Return the name of the device that an open mode runs on; "" without a GPU. */
const char *gpus_device(const struct gpus *g);

/* Opens the wanted modes in the precisions that they are for. Without a GPU only the judge is there and g->none says why. */
void gpus_open(struct gpus *g);

/* Return the delegate that takes variant `i` (from 1) of every kernel that has so many; NULL, with *err, if it does not open. */
struct delegate *gpus_variant(struct gpus *g, uint32_t i, enum precision p, struct err *err);

/* Return a delegate, the caller's to close, that takes that way of op_case.gpu_ways; NULL, with *err, if it does not open. */
struct delegate *gpus_way(struct gpus *g, const char *way, enum precision p, struct err *err);

/* Close all delegates that gpus_open opened; an empty struct is accepted. */
void gpus_close(struct gpus *g);

#endif
