/* SPDX-License-Identifier: Apache-2.0 */
/* plain.h - what the reference kernels of matrix products and convolutions share: how operands are read, where sums lie and what
 * becomes of them.
 *
 *   y[position][c] = finish( sum over the pairs (x, w) that the operator names of x * w )        c < channels
 *
 * An operator's own file (conv_plain.c and so on) names the pairs, position by position, and nothing else. Floats are taken as
 * stored; integers as int16 less their zero point, so that one loop serves every integer type. CPU_REFERENCE alone runs this;
 * CPU_FAST stands on gemm.h and depthwise_rows.h. The two share checks and scales, no product loop. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_PLAIN_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_PLAIN_H

#include "../quant/requant.h"

/* What the operands are and how a sum ends. */
enum plain_kind {
    PLAIN_F32,           /* float sums; bias, clamp */
    PLAIN_QUANT,         /* integer sums; requant_plain.h */
    PLAIN_SUMS,          /* 32-bit sums, which are the result */
    PLAIN_HYBRID,        /* x is quantized on the fly; 32-bit sums, scaled; bias, clamp, activation */
    PLAIN_HYBRID_FLOATS, /* the same with each product scaled: float sums; bias, clamp */
};

/* An operand stored [matrices][rows][cols] and wanted [matrices][cols][rows]; 0 matrices: wanted as stored. */
struct plain_turn {
    size_t matrices, rows, cols;
};

/* The operator fills the first part; plain_prepare the second. */
struct plain {
    enum plain_kind kind;
    bool wide;                         /* PLAIN_QUANT: sums of 64 bits */
    bool bias_first;                   /* float sums start from the bias; else it is added at the end */
    const struct tensor *x, *w, *bias; /* bias may be NULL */
    int32_t x_zero, w_zero;            /* of integers */
    struct plain_turn x_turn, w_turn;
    size_t channels;
    size_t lines;               /* of output, one to a call of a thread: each has room for the sums of one position */
    struct range_f32 range;     /* of float results */
    enum activation activation; /* applied to float results as recurrent cells do, where `range` is not what it amounts to */
    size_t pieces;              /* hybrid: x is quantized in as many equal parts (after x_turn), each with a factor, its scale */
    bool asymmetric;            /* hybrid: with a zero point */
    bool channel_first;         /* hybrid: sum * (w's scale) * factor rounds so, from left to right; else sum * (factor * scale) */

    struct requant requant;
    const float *w_scale; /* hybrid: one, or one per channel: w_scale_step is 0 or 1 */
    size_t w_scale_step;
    bool constant;                             /* w and its requantization were read by plain_prepare; w is NULL then */
    size_t w_at;                               /* offset in c->packed, or c->scratch where not constant */
    size_t x_at, floats_at, factor_at, sum_at; /* offsets in c->scratch */
};

/* Lays memory out, makes c->packed from `plan`, the operator's own struct of `bytes` bytes in which `p` lies, and reads constant
 * weights. `spec` is NULL unless the kind is PLAIN_QUANT. */
enum status plain_prepare(struct cpu_call *c, const void *plan, size_t bytes, const struct plain *p,
                          const struct requant_spec *spec, struct err *err);

/* Begins a run: reads x, weights that are not constant, and the bias. `p` lies in c->packed. */
void plain_begin(const struct cpu_call *c, struct plain *p);

/* Room for the sums of one position of a line, set to what they start from. `position` counts outputs of `channels` elements. */
void *plain_sums(const struct cpu_call *c, const struct plain *p, size_t line, size_t position);

/* Operands as they are computed on: elements of plain_bytes(p) bytes. */
const void *plain_x(const struct cpu_call *c, const struct plain *p);
const void *plain_w(const struct cpu_call *c, const struct plain *p);

/* True where sums run over rows of w, [depth][channels], as vectors across channels want it; else w is [channels][depth]. */
static inline bool plain_is_across(const struct plain *p)
{
    return p->kind == PLAIN_F32 || p->kind == PLAIN_HYBRID_FLOATS;
}

/* Adds to the sums of channels first .. first + channels - 1 the products of x[x_at + k], k < depth, with the weights that begin at
 * element w_at, whose rows lie w_step elements apart. `piece` of x says how it was quantized; `sums` are those of channel 0. */
void plain_products(const struct cpu_call *c, const struct plain *p, size_t piece, size_t x_at, size_t depth, size_t w_at,
                    size_t w_step, size_t first, size_t channels, void *sums);

/* Writes a position's results. */
void plain_finish(const struct cpu_call *c, const struct plain *p, size_t piece, size_t position, const void *sums);

#endif
