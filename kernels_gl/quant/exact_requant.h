/* SPDX-License-Identifier: Apache-2.0 */
/* exact_requant.h - from integer sums to quantized outputs, as the CPU's requant.h has it: numbers, their packing, the shader.
 *
 * A shader made by exact_source() has, beside its template,
 *     ivec4 exact_bias(int s)                the biases of slice s, which sums begin with
 *     ivec4 exact_mult(int s), exact_shift(int s)
 *     ivec4 exact_requant(ivec4 sum, ivec4 mult, ivec4 shift, int s)    clamp(scale(sum) + zero point)
 * which read the table "w", whose first EXACT_HEAD vectors are written by exact_requant_pack(). */
#pragma once

#include "kernels_cpu/quant/requant.h"
#include "lib/gl/ir/kernel.h"

/* A double above 0: a whole number of 53 bits times 2^-shift. */
struct exact_real {
    uint64_t whole;
    int32_t shift;
};

/* Splits the scale of a sum for the shader. The shift is 0 if the shader cannot apply the scale: it is not normal, or is 2^20 or
 * more. */
struct exact_real exact_real_of(double scale);

struct exact_requant {
    struct requant r;       /* the CPU's numbers, one of each per output channel */
    size_t first, channels; /* the node's channels that an operation computes */
    bool halves_up;         /* REQUANT_FIXED by fixed_scale_up() */
    bool bias_value;        /* the bias is a value "e" (exact_weights.h), which is added to that of the table */
    /* Of hybrid products instead: floats, per channel or one; scale NULL: none are. */
    const float *scale, *bias; /* of the weights; NULL: no bias */
    size_t scale_step;         /* 1 or 0 */
    bool channel_first;        /* enum hybrid_order: HYBRID_CHANNEL_FIRST */
};

/* Fill *q as `spec` says, in memory of `a`. `most` is the largest size of sums without the bias: of REQUANT_FIXED_WIDE, and of
 * REQUANT_REAL with INT16 outputs, they must fit 32 bits with it, and the bias must be constant. ST_UNSUPPORTED or ST_BAD_MODEL
 * with a message if the CPU's arithmetic has no such form; ST_NOMEM. */
enum status exact_requant_init(struct exact_requant *q, const struct requant_spec *spec, uint64_t most, struct arena *a,
                               struct err *err);

/* Fill *q with sums that are scaled by m (REQUANT_FIXED), one of each channel or with m_step 0 the same, and cut to `range`; `bias`
 * [channels] or NULL. The numbers are copied to `a`. False if memory runs out. */
bool exact_requant_fixed(struct exact_requant *q, size_t channels, const int32_t *bias, const struct fixed_mul *m, size_t m_step,
                         struct range_i32 range, struct arena *a);

/* Of products of 8-bit weights with floats that were quantized at run time (exact_hybrid.h), whose steps are bound as "m": sums
 * become floats, by
 *     vec4 exact_real(ivec4 sum, ivec4 mult, ivec4 shift, float step)
 * instead of exact_requant(). exact_scales(mult) are the weights' scales, exact_biases(shift) the biases, if both are constant: see
 * exact_bias_behind(). */
struct exact_requant exact_requant_hybrid(const struct tensor *filter, const struct tensor *bias, size_t channels);

/* Vectors at the beginning of the table, perhaps none, and vector i of them. */
size_t exact_requant_vectors(const struct exact_requant *q);
void exact_requant_pack(const struct exact_requant *q, size_t i, int32_t to[4]);

/* gl_source() with the functions above before the template. */
void exact_source(struct gl_shader *p, const struct exact_requant *q, const char *template);
