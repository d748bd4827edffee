/* SPDX-License-Identifier: Apache-2.0 */
/* lstm_int.h - description of the cell of an integer LSTM, in either of its two forms. */
#pragma once

#include "kernels_cpu/quant/fixed_point.h"
#include "kernels_cpu/recurrent/cell.h"
#include "kernels_cpu/recurrent/lstm.h"

/* Inputs between the weights and the states. */
enum { LSTM_PEEPHOLE = 9, LSTM_BIAS = 12, LSTM_PROJECTION = 16, LSTM_PROJECTION_BIAS = 17 };

/* sum over the columns of w [rows, cols] times x, plus bias, scaled. */
struct lstm_int_product {
    const int8_t *w;              /* NULL: absent */
    int32_t *bias;                /* [rows], x's zero point folded in; NULL: not asked for */
    const int32_t *bias_unfolded; /* [rows] or NULL, as in the node */
    int32_t zero;                 /* number added to x: less its zero point */
    struct fixed_mul scale;
    int32_t rows, cols;
    /* 8-bit sums alone: the zero point of scaled products, which are cut to 8 bits, and the scale from them to the gate's sum. */
    int8_t zero_8;
    struct fixed_mul to_sum;
};

struct lstm_int_gate {
    struct lstm_int_product input, recurrent;
    const int16_t *peephole; /* NULL: absent */
    struct fixed_mul peephole_scale;
    const int16_t *norm;         /* NULL: no layer normalization */
    const int32_t *bias;         /* of the normalized gate */
    struct fixed_mul norm_scale; /* 12 more bits than the coefficients' scale */
    int32_t variance_guard;
    float norm_real; /* 8-bit sums alone: the coefficients' scale */
};

/* With 8-bit sums, gates are coupled and normalized, there are no peepholes and no hidden scale, and there is a projection, of 16
 * bits. */
struct lstm_int_cell {
    bool int8_sums;
    int32_t batch, n_input, n_cell, n_output;
    struct lstm_int_gate gate[GATES];
    struct lstm_int_product projection;
    struct fixed_mul hidden_scale;
    int32_t hidden_zero, output_zero, cell_log2;
    int16_t cell_clip;
    int8_t projection_clip;
};

/* Fill *out, but for the products' bias, of a node without 8-bit sums. Fails as the CPU's prepare does. */
enum status lstm_int_cell(const struct node *n, struct lstm_int_cell *out, struct err *err);

/* Store in *out the content of input i, a constant of that type and shape (cols < 0: a vector [rows]), borrowed, or NULL if it is
 * omitted. ST_BAD_MODEL for another type or shape and for weights without a scale, ST_UNSUPPORTED if it is computed at run time. */
enum status lstm_int_constant(const struct node *n, uint32_t i, enum tensor_type type, int32_t rows, int32_t cols, const void **out,
                              struct err *err);

/* state = forget * state + input * cell, saturating, for n cells whose state has the scale 2^log2; gates have 15 fractional bits.
 * input NULL: 1 - forget. clip, in steps of the state: 0 for none. Source: TFLite's UpdateLstmCellInteger. */
void lstm_int_update(size_t n, const int16_t *input, const int16_t *forget, const int16_t *cell, int log2, int16_t clip,
                     int16_t *state);
