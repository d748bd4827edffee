/* SPDX-License-Identifier: Apache-2.0 */
/* reference_product.h - the reading of operands, the sums and their finish, which the reference kernels of matrix products and
 * convolutions share.
 *
 *   y[position][c] = finish( sum over the pairs (x, w) that the operator names of x * w )        c < channels
 *
 * An operator's own file (conv_plain.c and so on) names the pairs, position by position, and nothing else. Floats are taken as
 * stored; integers as int16 less their zero point, so that one loop serves every integer type. CPU_REFERENCE alone runs this;
 * CPU_FAST stands on gemm.h and depthwise_rows.h. The two share checks and scales, no product loop. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_REFERENCE_PRODUCT_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_REFERENCE_PRODUCT_H

#include "kernels_cpu/quant/requant.h"

/* The types of the operands and the finish of a sum. */
enum reference_product_kind {
    REFERENCE_F32,           /* float sums; bias, clamp */
    REFERENCE_QUANT,         /* integer sums; requant_plain.h */
    REFERENCE_SUMS,          /* 32-bit sums, which are the result */
    REFERENCE_HYBRID,        /* x is quantized on the fly; 32-bit sums, scaled; bias, clamp, activation */
    REFERENCE_HYBRID_FLOATS, /* the same with each product scaled: float sums; bias, clamp */
};

/* An operand stored [matrices][rows][cols] and wanted [matrices][cols][rows]; 0 matrices: wanted as stored. */
struct reference_product_turn {
    size_t matrices, rows, cols;
};

/* The operator fills the first part; reference_product_prepare the second. */
struct reference_product {
    enum reference_product_kind kind;
    bool wide;                         /* REFERENCE_QUANT: sums of 64 bits */
    bool bias_first;                   /* float sums start from the bias; else it is added at the end */
    const struct tensor *x, *w, *bias; /* bias may be NULL */
    int32_t x_zero, w_zero;            /* of integers */
    struct reference_product_turn x_turn, w_turn;
    size_t channels;
    size_t lines;               /* of output, one to a call of a thread: each has room for the sums of one position */
    struct range_f32 range;     /* of float results */
    enum activation activation; /* applied to float results as recurrent cells do, if it is not the same as `range` */
    size_t pieces;              /* hybrid: x is quantized in as many equal parts (after x_turn), each with a factor, its scale */
    bool asymmetric;            /* hybrid: with a zero point */
    bool channel_first;         /* hybrid: sum * (w's scale) * factor rounds so, from left to right; else sum * (factor * scale) */

    bool doubles; /* REFERENCE_F32: sums of double, the bias added to them, rounded once */
    struct requant requant;
    const float *w_scale; /* hybrid: one, or one per channel: w_scale_step is 0 or 1 */
    size_t w_scale_step;
    bool constant;                             /* w and its requantization were read by reference_product_prepare; w is NULL then */
    size_t w_at;                               /* offset in c->packed, or c->scratch if not constant */
    size_t x_at, floats_at, factor_at, sum_at; /* offsets in c->scratch */
};

/* Lays memory out, makes c->packed from `plan`, the operator's own struct of `bytes` bytes in which `p` lies, and reads constant
 * weights. `spec` is NULL unless the kind is REFERENCE_QUANT. c->double_sums makes `doubles` of REFERENCE_F32. */
enum status reference_product_prepare(struct cpu_call *c, const void *plan, size_t bytes, const struct reference_product *p,
                                      const struct requant_spec *spec, struct err *err);

/* Begins a run: reads x, weights that are not constant, and the bias. `p` lies in c->packed. */
void reference_product_begin(const struct cpu_call *c, struct reference_product *p);

/* Room for the sums of one position of a line, set to their start. `position` counts outputs of `channels` elements. */
void *reference_product_sums(const struct cpu_call *c, const struct reference_product *p, size_t line, size_t position);

/* Operands as they are computed on: floats of REFERENCE_F32, else int16. */
const void *reference_product_x(const struct cpu_call *c, const struct reference_product *p);
const void *reference_product_w(const struct cpu_call *c, const struct reference_product *p);

/* Return true if sums run over rows of w, [depth][channels], as vectors across channels want it; else w is [channels][depth]. */
static inline bool reference_product_is_across(const struct reference_product *p)
{
    return p->kind == REFERENCE_F32 || p->kind == REFERENCE_HYBRID_FLOATS;
}

/* Adds to the sums of channels first .. first + channels - 1 the products of x[x_at + k], k < depth, with the weights that begin at
 * element w_at, whose rows lie w_step elements apart. `piece` of x says how it was quantized; `sums` are the sums of channel 0. */
void reference_product_add(const struct cpu_call *c, const struct reference_product *p, size_t piece, size_t x_at, size_t depth,
                           size_t w_at, size_t w_step, size_t first, size_t channels, void *sums);

/* Writes a position's results. */
void reference_product_finish(const struct cpu_call *c, const struct reference_product *p, size_t piece, size_t position,
                              const void *sums);

#endif
