/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_pairs.h - every variant of every kind of operation with every ordered pair of elementwise functions fused behind it: of
 * floats, and of 8-bit steps, simulated and exact. */
#ifndef DELEGAUGE_BENCH_GPU_PAIRS_H
#define DELEGAUGE_BENCH_GPU_PAIRS_H

#include "bench/opcheck/case_model.h"
#include "lib/gl/gpu/gpu.h"

/* How a shader is written: least limits or the device's, fp32 or fp16, through buffers, images or textures. */
#define PAIR_MODES 8

struct pairs {
    uint64_t every;         /* of the combinations of variant and pair only each such one, of steps a fourth of these; 1: all */
    uint64_t compile_every; /* of these the driver compiles each such one; 0: none */
    uint64_t variants, models, texts, fused, compiled, failed; /* out: counts */
    uint64_t refused; /* out: models of steps in a mode that does not take them, as TensorFlow Lite would not */
};

/* Judges the cases, finds one for each variant of each kind that writes such a result, and generates it with every pair behind it,
 * in every mode; each source must define every function once. Failures are printed. Fails if a delegate cannot be opened. */
enum status pairs_run(struct pairs *p, const struct case_ref *cases, size_t n, struct err *err);

#endif
