/* SPDX-License-Identifier: Apache-2.0 */
/* hybrid.h - float activations times 8-bit weights: quantize the activations at run time, scale the integer sums back to floats.
 *
 * The order of the roundings is TFLite's and differs between operators: see enum hybrid_order. */
#pragma once

#include "kernels_cpu/matmul/gemm.h"
#include "kernels_cpu/quant/fused_activation.h"

/* Quantize n floats to 8 bits with a scale of their own; out[i] is the quantized value minus the zero point, which is stored in
 * *zero (may be NULL). Return the scale: real = scale * out. If all are 0 the scale is 1.
 *
 *   symmetric:   scale = largest |x| / 127, values -127 .. 127, zero point 0; inverse = 127 / largest |x|
 *   asymmetric:  scale = (max - min) / 255 over a range stretched to hold 0, values -128 .. 127; inverse = 1 / scale
 *
 * With p = x * inverse, rounded to float, the first floor(n / 8) * 8 values are clamp(trunc(p + (p < 0 ? -0.5 : 0.5)) + zero
 * point), p +- 0.5 rounded to float: TFLite's vector code (optimized/neon_tensor_utils.cc, which its x86 builds run as SSE). The
 * remaining values are clamp(roundf(p) + zero point). The two differ if |p| is the float below one half. */
float hybrid_quantize(enum cpu_mode mode, const float *x, size_t n, bool asymmetric, int16_t *out, int32_t *zero);

/* Return a copy of the filter as TFLite reads it: UINT8 elements hold the bits of INT8 ones, as the first converters wrote them. */
struct tensor hybrid_filter(const struct tensor *filter);

enum hybrid_order {
    HYBRID_CHANNEL_FIRST, /* (sum * channel scale) * factor + bias */
    HYBRID_FACTOR_FIRST,  /* sum * (factor * channel scale) + bias */
};

struct hybrid_post {
    struct gemm_i16_post post; /* must be first: gemm.post points to a struct hybrid_post */
    enum hybrid_order order;
    const float *scale; /* weights' scale: per channel (scale_step 1) or one (scale_step 0) */
    size_t scale_step;
    const float *factor; /* input's scale: per position (factor_step 1) or one (factor_step 0) */
    size_t factor_step;
    const float *bias; /* or NULL */
    enum activation activation;
    bool like_rnn; /* apply the activation as recurrent cells do (activation_apply); else clamp, infinities too */
};

/* Set p->post to the function that scales sums to floats; the caller sets the other fields. */
void hybrid_post_init(struct hybrid_post *p);
