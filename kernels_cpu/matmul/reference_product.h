/* SPDX-License-Identifier: Apache-2.0 */
/* reference_product.h - reading of operands, sums of products and their finish, shared by the reference kernels of matrix products
 * and convolutions.
 *
 *   y[position][c] = finish( sum over the operator's pairs (x, w) of x * w )        c < channels
 *
 * An operator's file (conv_plain.c and so on) only enumerates the pairs of each position. Floats are read as stored, integers as
 * int16 minus their zero point, so that one loop serves every integer type. CPU_REFERENCE alone runs this; CPU_FAST uses gemm.h and
 * depthwise_rows.h. The two share checks and scales, no product loop. */
#pragma once

#include "kernels_cpu/quant/requant.h"

/* Types of the operands, and how a sum becomes a result. */
enum reference_product_kind {
    REFERENCE_F32,           /* float sums; bias, clamp */
    REFERENCE_QUANT,         /* integer sums; requant_plain.h */
    REFERENCE_SUMS,          /* 32-bit sums, stored as the result */
    REFERENCE_HYBRID,        /* x is quantized at run time; 32-bit sums, scaled; bias, clamp, activation */
    REFERENCE_HYBRID_FLOATS, /* x is quantized at run time; each product is scaled, float sums; bias, clamp, activation */
};

/* Transposition of an operand stored [matrices][rows][cols] to [matrices][cols][rows]; 0 matrices: none. */
struct reference_product_turn {
    size_t matrices, rows, cols;
};

/* The operator fills the fields up to channel_first, reference_product_prepare the others. */
struct reference_product {
    enum reference_product_kind kind;
    bool wide;                         /* REFERENCE_QUANT: 64-bit sums */
    bool bias_first;                   /* float sums start from the bias; else it is added at the end */
    const struct tensor *x, *w, *bias; /* bias may be NULL */
    int32_t x_zero, w_zero;            /* zero points of integers */
    struct reference_product_turn x_turn, w_turn;
    size_t channels;
    size_t lines;               /* rows of output; a thread computes a line, with room for the sums of one position */
    struct range_f32 range;     /* of float results */
    enum activation activation; /* applied after `range` to float results, as recurrent cells do; ACT_NONE if `range` is all */
    size_t pieces;      /* hybrid: number of equal parts of x (after x_turn), each quantized with its own scale, its factor */
    bool asymmetric;    /* hybrid: with a zero point */
    bool channel_first; /* hybrid: sum * (w's scale) * factor, rounded from left to right; else sum * (factor * scale) */

    bool doubles; /* REFERENCE_F32: double sums, to which the bias is added, rounded once */
    struct requant requant;
    const float *w_scale; /* hybrid: one (w_scale_step 0), or one per channel (w_scale_step 1) */
    size_t w_scale_step;
    bool constant;                             /* prepare has read w and its requantization; w is NULL then */
    size_t w_at;                               /* offset in c->packed, or c->scratch if not constant */
    size_t x_at, floats_at, factor_at, sum_at; /* offsets in c->scratch */
};

/* Lay out memory, allocate c->packed, copy `plan` to it, the operator's struct of `bytes` bytes that contains *p, and read constant
 * weights. `spec` is NULL unless the kind is REFERENCE_QUANT. Sets `doubles` if c->double_sums and the kind is REFERENCE_F32. Fails
 * as cpu_pack and requant_init. */
enum status reference_product_prepare(struct cpu_call *c, const void *plan, size_t bytes, const struct reference_product *p,
                                      const struct requant_spec *spec, struct err *err);

/* Begin a run: read x, weights that are not constant, and the bias. `p` lies in c->packed. */
void reference_product_begin(const struct cpu_call *c, struct reference_product *p);

/* Return the sums of one position of a line, set to their start value. `position` counts outputs of `channels` elements. */
void *reference_product_sums(const struct cpu_call *c, const struct reference_product *p, size_t line, size_t position);

/* Return an operand as the products read it: floats if the kind is REFERENCE_F32, else int16. */
const void *reference_product_x(const struct cpu_call *c, const struct reference_product *p);
const void *reference_product_w(const struct cpu_call *c, const struct reference_product *p);

/* Return true if products read w as rows [depth][channels], for vectors across channels; else w is [channels][depth]. */
static inline bool reference_product_is_across(const struct reference_product *p)
{
    return p->kind == REFERENCE_F32 || p->kind == REFERENCE_HYBRID_FLOATS;
}

/* Add the products of x[x_at + k], k < depth, and the weights from element w_at on, rows w_step elements apart, to the sums of
 * channels first .. first + channels - 1. `piece` is the quantized part of x; `sums` is channel 0's. */
void reference_product_add(const struct cpu_call *c, const struct reference_product *p, size_t piece, size_t x_at, size_t depth,
                           size_t w_at, size_t w_step, size_t first, size_t channels, void *sums);

/* Finish the sums of a position and store its results in output 0. */
void reference_product_finish(const struct cpu_call *c, const struct reference_product *p, size_t piece, size_t position,
                              const void *sums);
