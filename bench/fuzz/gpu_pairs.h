/* SPDX-License-Identifier: Apache-2.0 */
/* gpu_pairs.h - generates every variant of every kind of operation with every ordered pair of elementwise functions fused behind
 * it: for floats, and for 8-bit values, simulated and exact. */
#pragma once

#include "bench/opcheck/case_model.h"
#include "lib/gl/gpu/gpu.h"

/* Modes of a shader: least or device limits, fp32 or fp16, buffers, images or textures. */
#define PAIR_MODES 8

struct pairs {
    uint64_t every; /* generate one in `every` combinations of variant and pair, of 8-bit values a fourth of these; 1: all */
    uint64_t compile_every; /* compile one in `compile_every` of these with the driver; 0: none */
    uint64_t variants, models, texts, fused, compiled, failed; /* results: counts */
    uint64_t refused; /* result: quantized models in modes that do not take them, as TensorFlow Lite would not */
};

/* Find among the cases one for each variant of each kind with such a result, and generate it with every pair behind it in every
 * mode. Each source must define every function once; failures are printed. Fails if a delegate cannot be opened. */
enum status pairs_run(struct pairs *p, const struct case_ref *cases, size_t n, struct err *err);
