/* SPDX-License-Identifier: Apache-2.0 */
/* fully_connected.h - what FULLY_CONNECTED's implementations for the various types share.
 *
 * Inputs of any rank count as rows of `depth` elements. The bias, which may be missing, has one value per unit. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_FULLY_CONNECTED_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_FULLY_CONNECTED_H

#include "../quant/requant.h"
#include "gemm.h"

enum { FC_INPUT, FC_FILTER, FC_BIAS };

/* y[batch][units] = x[batch][depth] times the transpose of filter[units][depth]. */
struct fc_shape {
    size_t batch, units, depth;
    bool fixed_point; /* integer sums are scaled in fixed point, as TFLite does with sparse and shuffled weights */
};

/* One combination of types. prepare checks quantization and fills c->packed, whose first member must be this pointer, since run
 * finds itself by it. It reads a constant filter once and for all: fc_stored_prepare's lives no longer. */
struct fc_impl {
    enum status (*prepare)(struct cpu_call *c, struct fc_shape s, struct err *err);
    enum status (*run)(struct cpu_call *c, struct err *err);
};

/* True where the filter is stored in another order than [units][depth]: sparse, or in 4x16 blocks. */
bool fc_stored(const struct node *n);

/* Prepares `impl` with the filter in plain order, a copy that is gone afterwards; ST_UNSUPPORTED for orders that TFLite's kernels
 * do not read either. */
enum status fc_stored_prepare(struct cpu_call *c, struct fc_shape s, const struct fc_impl *impl, struct err *err);

/* Fills the second output of a node with 4x16 blocks: the input in the order of these. */
void fc_shuffle_input(const struct cpu_call *c);

/* The product on the gemm loops, all but x, y, w and post; elements of x and y have so many bytes. */
static inline struct gemm fc_gemm(const struct fc_shape *s, const struct gemm_isa *isa, size_t x_bytes, size_t y_bytes)
{
    static const size_t zero;

    return (struct gemm){
        .isa = isa,
        .rows = 1,
        .cols = s->batch,
        .x_col = s->depth * x_bytes,
        .y_col = s->units * y_bytes,
        .channels = s->units,
        .depth = s->depth,
        .taps = 1,
        .tap_x = &zero,
        .tap_w = &zero,
        .w_taps = 1,
    };
}

/* CPU_FAST by types; CPU_REFERENCE; and, for weights with a scale per block, both: plain loops have no other beside them. */
extern const struct fc_impl fc_f32, fc_quant, fc_hybrid, fc_plain, fc_blockwise;

/* Integer activations: checks quantization; how sums are scaled; whether they take 64 bits. */
enum status fc_quant_check(const struct node *n, struct err *err);
struct requant_spec fc_quant_spec(const struct node *n, struct fc_shape s);
bool fc_quant_is_wide(const struct node *n);

#endif
