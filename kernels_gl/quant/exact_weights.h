/* SPDX-License-Identifier: Apache-2.0 */
/* exact_weights.h - 8-bit weights on the device: constant ones four in a word, behind the numbers of exact_requant.h in one table;
 * weights made at run time a value "f". */
#pragma once

#include "kernels_gl/quant/exact_requant.h"

/* The places of a filter's elements: output channel o, tap (filter row and column) t, input channel i is element (first + o) *
 * step_o + t * step_t + i. */
struct exact_weights {
    const void *data;      /* elements of that type, constant; NULL: made at run time */
    enum tensor_type type; /* INT8, UINT8, INT4 or INT2: bytes on the device */
    int32_t zero;          /* subtracted from each element; elements beyond the last channel hold it */
    size_t first, n_out, taps, n_in, step_o, step_t;
    bool is_grouped; /* depthwise: the filter is [out][taps][1], of groups of one input channel each */
    const struct exact_requant *q;
};

/* Return a matrix [rows][cols] of that type, of zero point 0. */
struct exact_weights exact_weights_of_rows(const void *data, enum tensor_type type, size_t rows, size_t cols);

/* Of a filter [n_out, taps, n_in]: for each slice of output channels, tap and slice of input channels one ivec4, a word for each
 * output channel, a byte of it for each input channel. */
void exact_weights_dense(struct gl_shader *p, const struct exact_weights *f);

/* Of a filter [taps, n_out]: for each slice of channels, four taps one ivec4, a word for each tap, a byte of it for each channel.
 */
void exact_weights_depthwise(struct gl_shader *p, const struct exact_weights *f);

/* Inputs of an operation behind x, bound as the shaders of exact_source() name them: of hybrid products the steps "m", a filter
 * made at run time "f" ([out][tap rows][tap columns][in], or of depthwise convolutions [1][tap rows][tap columns][out]), a bias
 * of integers made at run time "e" ([channels]). */
struct exact_values {
    struct ir_value *steps, *filter, *bias; /* NULL: there is none, or it is constant */
};
struct ir_op *exact_op_new(struct ir *ir, const struct ir_kind *kind, struct ir_value *x, const struct exact_values *v,
                           struct ir_value *y, size_t attr_bytes);
void exact_inputs(struct gl_shader *p, const struct ir_op *op, const struct exact_weights *f);

/* Call exact_source() with the functions that read such a filter (exact_filter.comp), if FILTER_VALUE says that it is one. */
void exact_source_of(struct gl_shader *p, const struct exact_weights *f, const char *template);

/* A filter made at run time, as shaders read it; one of rank 2 is of 1x1. NULL: out of memory. */
struct ir_value *exact_filter_of(struct ir *ir, const struct tensor *w);

/* The values of a node's filter and bias, as far as they are made at run time. `out` has its steps already. False: out of
 * memory. */
bool exact_values_of(struct ir *ir, const struct node *n, uint32_t filter, uint32_t bias, struct exact_values *out);

/* Return a bias of floats that an operation of its own adds, since few devices bind so much in one: if it or the filter is made at
 * run time. NULL: there is none. */
const struct tensor *exact_bias_behind(const struct node *n, uint32_t filter, uint32_t bias);

/* Return the value to write the products to, which is y if no bias is behind; and the operation that then adds the bias to them,
 * else `op`. NULL if memory runs out or an argument is NULL. */
struct ir_value *exact_without_bias(struct ir *ir, const struct tensor *behind, struct ir_value *y);
struct ir_op *exact_add_bias(struct ir *ir, const struct tensor *behind, struct ir_op *op, struct ir_value *y);

/* Return true if filter or bias are made at run time. */
bool exact_has_values(const struct node *n, uint32_t filter, uint32_t bias);

/* Check that such values are of types and sizes that the shaders take. False with *why. */
bool exact_values_fit(const struct node *n, uint32_t x, uint32_t filter, uint32_t bias, size_t channels, struct reason *why);

/* Return the largest sum over one output channel's weights if no input is further from zero than `x`. */
uint64_t exact_weights_most(const struct exact_weights *f, uint64_t x);
