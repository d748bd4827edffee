/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_rows.h - the loops of CPU_FAST's DEPTHWISE_CONV_2D, for every element type.
 *
 * Vectors lie across channels; each sum runs over the window in order. Positions whose window lies inside the input run in tiles;
 * positions at an edge run one by one with the window cut. The loops read one input channel per output channel: with a depth
 * multiplier above 1 dw_expand repeats the channels first. */
#pragma once

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/common/layout.h"

/* A run of neighbouring positions of one output row that see the same part of the window. Strides count elements but for y_col;
 * channels are contiguous. */
struct dw_run {
    const void *x, *w; /* first position's first element inside the input, and the weights of that window position */
    void *y;           /* channel 0 of the first position */
    size_t cols, channels;
    size_t x_col, x_ky, x_kx; /* from one position, window row, window column to the next */
    size_t w_row, w_col;      /* from one window row, column to the next */
    size_t y_col;             /* from one position to the next, in bytes */
    int kh, kw;               /* size of the window's part inside the input; 0 and 0 if there is none: the sum is 0 */
    const void *post;         /* parameters of the result: struct dw_f32_post or struct gemm_i16_post */
};

/* Compute one run: y[col][c] = post( sum over ky, kx of x[col][ky][kx][c] * w[ky][kx][c] ). */
typedef void (*dw_run_fn)(const struct dw_run *);

/* A whole convolution. All memory is borrowed. */
struct dw_rows {
    struct conv_geometry g;
    dw_run_fn run;
    const void *x, *w; /* [n, ih, iw, oc] and [kh, kw, oc] */
    void *y;
    size_t x_bytes, w_bytes, y_bytes; /* of an element */

    /* Return the dw_run.post of one image; may be built in `room` of 256 bytes. NULL: post_arg itself. */
    const void *(*post)(const void *arg, size_t image, void *room);
    const void *post_arg;
};

/* Compute y [n, oh, ow, oc]. Threads share the rows of the output and call `post` and `run`. */
void dw_rows_run(const struct dw_rows *r, struct threads *threads);

/* Add room for the input [n, ih, iw, oc] that dw_expand writes, elements of `bytes` bytes; return its offset. */
size_t dw_expanded_layout(const struct conv_geometry *g, size_t bytes, struct layout *l);

/* Repeat the channels of `from` [n, ih, iw, ic], elements of `bytes` (2 or 4) bytes, into `to` [n, ih, iw, oc]. */
void dw_expand(const struct conv_geometry *g, const void *from, size_t bytes, void *to, struct threads *threads);

/* Parameters of float32 results: x, w and y are floats. Products are fused into sums if the CPU can. */
struct dw_f32_post {
    const float *bias;
    float lo, hi;
};

/* Return the best float32 loops of this CPU, always the same. */
dw_run_fn dw_f32_run(void);

/* Return the best loops for int16 x and w. Sums go to gemm_i16_post.store, 32 bits that wrap, or if `wide` to store_wide, 64 bits.
 */
dw_run_fn dw_i16_run(bool wide);
