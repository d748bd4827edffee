/* SPDX-License-Identifier: Apache-2.0 */
/* window.h - what convolutions with a constant filter share: inputs, padding, packed weights. */
#ifndef DELEGAUGE_KERNELS_GL_WINDOW_H
#define DELEGAUGE_KERNELS_GL_WINDOW_H

#include <math.h>

#include "lib/gl/ir/kernel.h"

/* A run-time input and a constant filter of rank 4, and optionally a constant bias; one output. */
bool window_inputs(const struct node *n, struct reason *why);

/* A filter as shaders read it: biases for each slice of output channels, whole blocks of four vectors of them, then for each such
 * slice, tap (filter row and column) and slice of input channels a block of four vec4: one per input channel, each for the four
 * output channels. */
struct filter {
    const float *w, *bias; /* [n_out][taps][n_in] as TFLite has it; [n_out] or NULL */
    int32_t n_out, taps, n_in;
    bool bytes; /* whole numbers from offset - 128 to offset + 127, and biases within 31 bits: window_bytes */
    float offset;
    const float *unit; /* [n_out]: such numbers of these, and any biases: window_multiples. NULL: of 1 */
    int32_t beside; /* not 0: so many slices of output channels, or the last that are fewer, come as one, their blocks beside each
                       other for each tap and slice of input channels, as those read them who compute so many slices at once */
    int32_t tile;   /* not 0: for each of its positions the filters, of 9 taps in w, that winograd.h has; taps is 1 */
    bool halved; /* set by window_filter: of bytes whose numbers are from -8 to 7 each holds two, of vectors one behind the other */
};

/* Return the positions of a tile whose output has `tile` pixels along each side, 2 or 4 (winograd.h). */
static inline int32_t winograd_positions(int32_t tile)
{
    return (tile + 2) * (tile + 2);
}

/* Binds it as "w", for WEIGHT(i), vector i, of which the first BIASES are not weights; WEIGHT_ROW(i, k), vector i + k, a literal k
 * of the block of four that begins with vector i, which is faster where each is in a texture of its own; START(s), from what the
 * sums of slice s begin, its biases where ADDS_BIAS says so; and RESULT(v, UNIT(s), SHIFT(s)), what sums v stand for. */
void window_filter(struct gl_shader *p, const struct filter *f);

/* The gl_packer of a struct filter, of all its vectors. */
void window_pack(const void *filter, size_t first, size_t n, void *to);

/* Whether integers w[n] and biases bias[n_out] (or NULL) can be bytes on the device, as struct filter has it. */
bool window_bytes(const float *w, size_t n, const float *bias, size_t n_out, float *offset);

/* Weight i of output channel i / run % n_out is a multiple of unit[n_out], by numbers that can be bytes on the device, as struct
 * filter has it. It does not pay where the device computes with halves, which sums of such numbers leave. */
bool window_multiples(const struct gl_shader *p, const float *w, size_t n, size_t run, const float *unit, size_t n_out,
                      float *offset);

/* The number of units. */
static inline float window_multiple(float w, float unit)
{
    return unit == 0 ? 0 : roundf(w / unit);
}

/* So many vectors of bytes or floats stand for the biases of a slice, and its units where there are some. */
size_t window_head(bool bytes, bool units);

/* Of all slices together, up to where a block of four vectors begins. */
size_t window_heads(bool bytes, bool units, size_t slices);

/* Number k of the head's vectors: a bias, or one of a bias' digits to the base 256, from -128 to 127, the last first in worth;
 * where there are units, one of the bytes of these and then of the biases. */
float window_head_number(bool bytes, const float *unit, const float *bias, size_t n_out, size_t k, size_t lane);

/* Defines what window_filter does, but for WEIGHT_ROW, for weights bound as "w" behind heads of `biases` vectors. `halved`: as
 * struct filter. */
void window_define(struct gl_shader *p, bool bytes, bool halved, bool units, float offset, int32_t biases);

/* Defines COUNTS(v), which makes a vector of the input what is summed: v; where to_counts is not 0, the integers that v times it
 * are. */
void window_counts(struct gl_shader *p, float to_counts);

/* Fills kernel and padding of *win from the shapes; strides and dilations are set. */
enum status window_of(const struct node *n, enum padding padding, struct ir_window *win, struct err *err);

/* Padding before, where windows spread into an output: half of what they exceed it by; 0 where they fall short of it. */
int32_t window_overlap(int32_t windows, int32_t kernel, int32_t stride, int32_t out);

/* The bias, input 2, or NULL where the node has none. */
enum status window_bias(struct ir *ir, const struct node *n, const float **bias, struct err *err);

/* Weights and biases that give the same times scale[n_out], plus shift[n_out], as ir_kind.rescale has it. Weight i is of output
 * channel i / run % n_out; `n` is their number. *w, *bias and *unit are replaced where *done. False: out of memory. */
bool window_rescale(struct ir *ir, const float **w, size_t n, size_t run, const float **bias, const float **unit, size_t n_out,
                    const float *scale, const float *shift, bool *done);

/* No infinity or NaN among them: then zeros may stand for what is beyond the border. */
bool window_all_finite(const float *w, size_t n);

#endif
