/* SPDX-License-Identifier: Apache-2.0 */
/* window.h - convolutions with a constant filter: their operands, padding and packed weights. */
#pragma once

#include <math.h>

#include "lib/gl/ir/kernel.h"

/* Check that the node has a run-time input and a constant filter of rank 4, a constant bias or none, and one output. False: *why.
 */
bool window_inputs(const struct node *n, struct reason *why);

/* A filter in the layout that shaders read. First a head of biases for each slice of output channels, padded to blocks of four
 * vectors. Then, for each slice of output channels, tap (filter row and column) and slice of input channels, a block of four vec4:
 * one per input channel, with its weights for the four output channels. */
struct filter {
    const float *w, *bias; /* [n_out][taps][n_in] as in TFLite; [n_out] or NULL */
    int32_t n_out, taps, n_in;
    bool bytes;        /* store weights as bytes: integers from offset - 128 to offset + 127, biases below 2^30 (window_bytes) */
    float offset;      /* subtracted from weights that are stored as bytes */
    const float *unit; /* [n_out]: w are multiples of these (window_multiples), biases are any floats; NULL: units of 1 */
    int32_t beside; /* not 0: blocks of this many slices of output channels, or fewer at the end, are interleaved for each tap and
                       slice of input channels, for invocations that compute so many slices */
    int32_t tile;   /* not 0: a transformed filter for each position of a Winograd tile; w has 9 taps, `taps` is 1 (winograd.h) */
    bool halved;    /* set by window_filter: each byte holds weights from -8 to 7 of two consecutive vectors */
};

/* Return the number of positions of a Winograd tile with `tile` output pixels along each side, 2 or 4 (winograd.h). */
static inline int32_t winograd_positions(int32_t tile)
{
    return (tile + 2) * (tile + 2);
}

/* Bind the filter as "w" and define macros: WEIGHT(i), vector i, which is a weight from vector BIASES on; WEIGHT_ROW(i, k), vector
 * i + k for a literal k within the block of four that begins at vector i, faster if each of the four is in its own texture;
 * START(s), the initial sums of slice s, its biases if ADDS_BIAS; RESULT(v, UNIT(s), SHIFT(s)), the real value of sums v. */
void window_filter(struct gl_shader *p, const struct filter *f);

/* gl_packer of a struct filter: pack vectors first to first + n - 1. */
void window_pack(const void *filter, size_t first, size_t n, void *to);

/* Return true if integers w[n] and biases bias[n_out] (or NULL) can be stored as bytes; store struct filter's offset. */
bool window_bytes(const float *w, size_t n, const float *bias, size_t n_out, float *offset);

/* Return true if weights can be stored as bytes in units unit[n_out]: weight i, of output channel i / run % n_out, is a multiple of
 * its unit, in a range of bytes; store struct filter's offset. False if the device computes in float16: sums of such integers
 * exceed its range. */
bool window_multiples(const struct gl_shader *p, const float *w, size_t n, size_t run, const float *unit, size_t n_out,
                      float *offset);

/* Return the weight in units, rounded. */
static inline float window_multiple(float w, float unit)
{
    return unit == 0 ? 0 : roundf(w / unit);
}

/* Return the number of vectors that hold a slice's biases, and its units if there are any. */
size_t window_head(bool bytes, bool units);

/* Return the number of vectors before the weights: the heads of all slices, padded to a block of four vectors. */
size_t window_heads(bool bytes, bool units, size_t slices);

/* Return lane `lane` of vector k of the heads: a bias; or of biases as bytes one of four digits to the base 256, from -128 to 127,
 * the lowest first; with units one of the four bytes of the unit and then of the bias. */
float window_head_number(bool bytes, const float *unit, const float *bias, size_t n_out, size_t k, size_t lane);

/* Define the macros of window_filter, but for WEIGHT_ROW, for weights bound as "w" behind `biases` vectors of heads. `halved`: see
 * struct filter. */
void window_define(struct gl_shader *p, bool bytes, bool halved, bool units, float offset, int32_t biases);

/* Define COUNTS(v), the summands for a vector v of the input: v itself, or v * to_counts rounded to integers if to_counts is not 0.
 */
void window_counts(struct gl_shader *p, float to_counts);

/* Set kernel size and padding of *win from the node's shapes; its strides and dilations are set. Fails as shape_window. */
enum status window_of(const struct node *n, enum padding padding, struct ir_window *win, struct err *err);

/* Return the padding before, along one dimension of a transposed convolution: half of the length by which its windows exceed the
 * output, or 0. */
int32_t window_overlap(int32_t windows, int32_t kernel, int32_t stride, int32_t out);

/* Store the bias, input 2, as floats; NULL if the node has none. Fails only with ST_NOMEM. */
enum status window_bias(struct ir *ir, const struct node *n, const float **bias, struct err *err);

/* Replace *w, *bias and *unit by ones that give scale[n_out] times the result plus shift[n_out], for ir_traits.rescale; weight i of
 * n belongs to output channel i / run % n_out. Nothing changes unless *done. False if memory runs out. */
bool window_rescale(struct ir *ir, const float **w, size_t n, size_t run, const float **bias, const float **unit, size_t n_out,
                    const float *scale, const float *shift, bool *done);

/* Return true if all weights are finite, so that zeros can stand for the padding. */
bool window_all_finite(const float *w, size_t n);
