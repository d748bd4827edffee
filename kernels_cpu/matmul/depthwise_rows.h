/* SPDX-License-Identifier: Apache-2.0 */
/* depthwise_rows.h - the loops under CPU_FAST's DEPTHWISE_CONV_2D, for every element type.
 *
 * Vectors lie across channels; each sum runs over the window in order. Positions whose window lies inside the input run in tiles;
 * positions at an edge run one by one with the window cut. The input has one channel per output channel: if the depth multiplier is
 * above 1 it has been written out so. */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_DEPTHWISE_ROWS_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_DEPTHWISE_ROWS_H

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/common/layout.h"

/* A run of neighbouring positions, of one output row, that see the same part of the window. Strides count elements if nothing else
 * is said; all channels lie side by side. */
struct dw_run {
    const void *x, *w; /* of the first position: its first element inside the input, and that position's weights */
    void *y;           /* of the first position, channel 0 */
    size_t cols, channels;
    size_t x_col, x_ky, x_kx; /* elements from one position, window row, window column to the next */
    size_t w_row, w_col;      /* elements from one window row, column to the next */
    size_t y_col;             /* bytes */
    int kh, kw;               /* of the part of the window that lies inside; 0 and 0: none does, the sum is 0 */
    const void *post;         /* the finish of a sum: struct dw_f32_post or struct gemm_i16_post */
};

/* Computes one run: y[col][c] = post( sum over ky, kx of x[col][ky][kx][c] * w[ky][kx][c] ). */
typedef void (*dw_run_fn)(const struct dw_run *);

/* A whole convolution. All memory is borrowed. */
struct dw_rows {
    struct conv_geometry g;
    dw_run_fn run;
    const void *x, *w; /* [n, ih, iw, oc] and [kh, kw, oc] */
    void *y;
    size_t x_bytes, w_bytes, y_bytes; /* of an element */

    /* The dw_run.post of one image; may be built in `room` of 256 bytes. */
    const void *(*post)(const void *arg, size_t image, void *room);
    const void *post_arg;
};

/* Writes y [n, oh, ow, oc]. Threads take rows of the output; `post` and `run` are called from them. */
void dw_rows_run(const struct dw_rows *r, struct threads *threads);

/* Room for an input whose channels have been repeated to one per output channel, elements of `bytes` bytes; returns its offset. */
size_t dw_expanded_layout(const struct conv_geometry *g, size_t bytes, struct layout *l);

/* Repeats the channels of `from` [n, ih, iw, ic], of elements of that many bytes (2 or 4), into `to` [n, ih, iw, oc]. */
void dw_expand(const struct conv_geometry *g, const void *from, size_t bytes, void *to, struct threads *threads);

/* float32: x, w and y are floats. Products are fused into sums if the CPU can. */
struct dw_f32_post {
    const float *bias;
    float lo, hi;
};

/* The best loops of this CPU, always the same. */
dw_run_fn dw_f32_run(void);

/* x and w are int16; sums go to gemm_i16_post.store, of 32 bits which wrap; or of 64 bits, to store_wide. */
dw_run_fn dw_i16_run(bool wide);

#endif
