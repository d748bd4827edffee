/* SPDX-License-Identifier: Apache-2.0 */
/* hybrid.h - float activations times 8-bit weights: inputs are quantized on the fly, sums become floats again.
 *
 * The order of the roundings is TFLite's and differs from op to op: see enum hybrid_order. */
#ifndef DELEGAUGE_KERNELS_CPU_QUANT_HYBRID_H
#define DELEGAUGE_KERNELS_CPU_QUANT_HYBRID_H

#include "kernels_cpu/common/layout.h"
#include "kernels_cpu/matmul/gemm.h"
#include "kernels_cpu/quant/fused_activation.h"

/* Quantizes n floats to 8 bits with a scale of their own; out[i] is the value less the zero point, which goes to *zero (may be
 * NULL). Returns the scale: real = scale * out. If all are 0 the scale is 1.
 *
 *   symmetric:   scale = largest |x| / 127, values -127 .. 127, zero point 0
 *   asymmetric:  scale = (max - min) / 255 over a range stretched to hold 0, values -128 .. 127
 *
 * With p = x * (1 / scale), rounded to float, the first floor(n / 8) * 8 values are clamp(trunc(p + (p < 0 ? -0.5 : 0.5)) + zero
 * point), sums in float: TFLite's vector code (optimized/neon_tensor_utils.cc, which its x86 builds run as SSE). The others are
 * clamp(roundf(p) + zero point). They differ if p is the float below one half. */
float hybrid_quantize(enum cpu_mode mode, const float *x, size_t n, bool asymmetric, int16_t *out, int32_t *zero);

/* Return the filter as TFLite reads it: UINT8 elements hold the bits of INT8 ones, as the first converters wrote them. */
struct tensor hybrid_filter(const struct tensor *filter);

enum hybrid_order {
    HYBRID_CHANNEL_FIRST, /* (sum * channel scale) * factor + bias */
    HYBRID_FACTOR_FIRST,  /* sum * (factor * channel scale) + bias */
};

struct hybrid_post {
    struct gemm_i16_post post; /* first: gemm.post points to a struct hybrid_post */
    enum hybrid_order order;
    const float *scale; /* per channel, or one: scale_step is 1 or 0 */
    size_t scale_step;
    const float *factor; /* the input's scale: for each position, or one: factor_step is 1 or 0 */
    size_t factor_step;
    const float *bias; /* or NULL */
    enum activation activation;
    bool like_rnn; /* activates as recurrent cells do (activation_apply); else clamps, infinities too */
};

/* Fills post.store. */
void hybrid_post_init(struct hybrid_post *p);

#endif
