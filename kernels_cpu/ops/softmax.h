/* SPDX-License-Identifier: Apache-2.0 */
/* softmax.h - rows of SOFTMAX and LOG_SOFTMAX for the various types.
 *
 * With d = x - max(x) of a row: softmax = exp(beta d) / sum of exp(beta d); log softmax = d - log(sum of exp(d)). Quantized rows
 * follow TFLite's reference_ops Softmax and LogSoftmax: 8 bits by gemmlowp's exponential (fixed_exp.h), 16 bits by tables
 * (lut.h). */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"
#include "kernels_cpu/quant/lut.h"

struct softmax_plan;

/* Compute one row of `depth` > 0 elements. */
typedef void (*softmax_row)(const struct softmax_plan *p, const void *x, void *y, size_t depth);

struct softmax_plan {
    softmax_row row;
    float beta;
    struct fixed_mul scale;   /* factor of differences from the row's maximum; left shifts only */
    struct fixed_mul reverse; /* LOG_SOFTMAX: the inverse factor */
    int32_t diff_min;         /* exp of smaller differences counts as 0 */
    int16_t exp_lut[LUT16_POINTS], reciprocal_lut[LUT16_POINTS]; /* INT16 only */
};

/* Fill *p for quantized types; fails as cpu_bad_type for others. */
enum status softmax_quant_init(struct softmax_plan *p, const struct node *n, float beta, struct err *err);
enum status log_softmax_quant_init(struct softmax_plan *p, const struct node *n, struct err *err);

/* Set p->scale and p->diff_min for differences in units of `real`, scaled to 26 fractional bits. Fails with ST_BAD_MODEL if `real`
 * is too small for that. */
enum status softmax_scale(struct softmax_plan *p, double real, struct err *err);

/* Return a difference times p->scale. */
static inline int32_t softmax_rescaled(const struct softmax_plan *p, int32_t diff)
{
    return fixed_mul_high(fixed_shift_left(diff, p->scale.shift), p->scale.mult);
}
