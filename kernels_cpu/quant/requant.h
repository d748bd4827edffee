/* SPDX-License-Identifier: Apache-2.0 */
/* requant.h - requantization, integer sums to quantized outputs: add the bias, scale per channel, add the zero point, clamp.
 *
 * The scale of channel c is input scale * filter scale[c] / output scale, in double. requant_init computes the parameters of all
 * channels; requant_one has the formula for one sum. The fast loops over rows of sums (requant.c), CPU_REFERENCE's plain ones
 * (requant_plain.c) and kernels that scale single sums all give the bits of requant_one. */
#pragma once

#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/matmul/gemm.h"
#include "kernels_cpu/quant/fused_activation.h"

/* TFLite's three ways to scale a sum. */
enum requant_kind {
    REQUANT_FIXED,      /* 32-bit sums, fixed point, rounded twice */
    REQUANT_FIXED_WIDE, /* 64-bit sums, fixed point of 15 bits */
    REQUANT_REAL,       /* double precision, halves away from zero */
};

/* One operator's parameters. The arrays have an entry per output channel and lie in the memory that requant_layout sized. */
struct requant {
    struct gemm_i16_post post; /* must be first: gemm.post points to a struct requant */
    enum requant_kind kind;
    enum tensor_type type;  /* of the output: UINT8, INT8, INT16 */
    int32_t zero;           /* of the output */
    struct range_i32 range; /* of quantized outputs: the type's range, cut by the fused activation */
    const int32_t *offset;  /* per channel, or NULL: added to 32-bit biases, wrapping; set before requant_set_bias */
    const int32_t *bias;    /* low 32 bits, enough for sums that wrap */
    const int64_t *bias_wide;
    const int32_t *mult, *shift; /* of REQUANT_FIXED and REQUANT_FIXED_WIDE, as in struct fixed_mul */
    const double *scale;         /* of REQUANT_REAL: input scale * filter scale / output scale */
};

/* Return one output value: clamp(scale(sum + bias[channel]) + zero, range). Sums of REQUANT_FIXED use the low 32 bits and wrap.
 * Sources: TFLite's MultiplyByQuantizedMultiplier for int32 (REQUANT_FIXED) and int64 (REQUANT_FIXED_WIDE), and FULLY_CONNECTED's
 * per-tensor double-precision scaling (REQUANT_REAL). */
int32_t requant_one(const struct requant *r, size_t channel, int64_t sum);

/* Sources of the scales, all borrowed; only requant_init reads them. The types of input and output limit the kinds. */
struct requant_spec {
    enum requant_kind kind;
    const struct tensor *input, *filter, *output;
    const struct tensor *bias; /* NULL, INT32 or INT64 */
    size_t channels;
    enum activation activation;
    bool float_product; /* true: the filter has one scale (scales per channel count as 0, as in TFLite) and its product with the
                           input's rounds to float */
};

/* Add room for the arrays of `channels` channels to l; return the offset to pass to requant_init as `memory`. */
size_t requant_layout(struct layout *l, size_t channels);

/* Fill *r and its arrays at `memory`, which must outlive r, except for the bias; choose CPU_FAST's store. Fails with ST_BAD_MODEL
 * if a scale is not finite or, for REQUANT_FIXED, 2^30 or more (wide sums saturate instead), and as activation_range_quant. */
enum status requant_init(struct requant *r, const struct requant_spec *s, char *memory, struct err *err);

/* Copy the bias [channels], or zeros if NULL, into r, and add r->offset. Call it in each run if the bias is not constant. */
void requant_set_bias(struct requant *r, const struct tensor *bias, size_t channels);

/* Return a copy of *r whose channel 0 is channel `first` of r. r->offset is not moved. */
struct requant requant_from(const struct requant *r, size_t first);
