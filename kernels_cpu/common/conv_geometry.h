/* SPDX-License-Identifier: Apache-2.0 */
/* conv_geometry.h - the numbers of a 2-D convolution, checked, and its input with the padding written out.
 *
 * Output (oy, ox) sees input (iy, ix) through window position (ky, kx) with
 *     iy = oy * sh - pt + ky * dh,   ix = ox * sw - pl + kx * dw
 * Tensors are [batch, height, width, channels]; numbers count rows, columns and elements, not bytes. Positions outside the input
 * add nothing to a sum. CONV_2D and DEPTHWISE_CONV_2D are made of this, in both modes; transposed convolutions use it with input
 * and output exchanged (transpose_conv.h). */
#ifndef DELEGAUGE_KERNELS_CPU_MATMUL_CONV_GEOMETRY_H
#define DELEGAUGE_KERNELS_CPU_MATMUL_CONV_GEOMETRY_H

#include "lib/graph/kernel.h"

/* Input [n, ih, iw, ic], window kh x kw, output [n, oh, ow, oc]. */
struct conv_geometry {
    int32_t n, ih, iw, ic, oh, ow, oc, kh, kw; /* 0 or more: an empty tensor is legal and gives an empty output, or sums of 0 */
    int32_t sh, sw, dh, dw;                    /* stride, dilation */
    int32_t pt, pl;                            /* padding before: top and left; the padding after follows from the sizes */
};

/* Fills everything from the shapes [n, ih, iw, ic] of input and [_, kh, kw, _] of filter, and sizes the output: SAME gives ceil(in
 * / stride) and pads the far edge more, VALID the positions that fit. ST_BAD_MODEL if ranks, strides or dilations are invalid, or
 * the window does not fit. */
enum status conv_geometry_init(struct conv_geometry *g, const struct tensor *input, const struct tensor *filter, int32_t oc,
                               enum padding padding, int stride_h, int stride_w, int dilation_h, int dilation_w, struct err *err);

/* Along one dimension: the place of the window's first position in the input (below 0: in the padding), and the part [k0, k1) of
 * the window that lies inside; empty if k0 == k1. Position k of it reads input origin + k * dilation. */
struct conv_span {
    int64_t origin;
    int32_t k0, k1;
};

/* The span of output o, all numbers along one dimension: o < out, stride and dilation at least 1. 64 bits, since o * stride may
 * not fit 32. */
static inline struct conv_span conv_span(int32_t o, int32_t stride, int32_t pad, int32_t dilation, int32_t k, int32_t in)
{
    int64_t origin = (int64_t)o * stride - pad;
    int64_t k0 = origin < 0 ? (-origin + dilation - 1) / dilation : 0;
    int64_t k1 = origin < in ? (in - origin + dilation - 1) / dilation : 0;

    k1 = k1 > k ? k : k1;
    return (struct conv_span){origin, (int32_t)(k0 > k1 ? k1 : k0), (int32_t)k1};
}

/* Cut window rows and columns off the edges that lie outside the input for every output, as dilation can make them, and store in
 * *rows and *cols how many went before. The rest needs padding of the order of the image: of a window of 3 x 3 at dilation 100 that
 * is padded (SAME) over an image of 10 x 10 only the middle ever meets it. kh, kw, pt and pl of g are set for the rest, 0 if there
 * is none. */
void conv_trim(struct conv_geometry *g, int32_t *rows, int32_t *cols);

/* The size of an input image, padding written out, that contains every window; 0 x 0 if there is no output or no window. May be
 * smaller than the input, of which the last rows or columns are then never read. */
struct padded {
    size_t h, w;
};
struct padded conv_padded(const struct conv_geometry *g);

/* Return true if windows reach beyond the input, so that conv_padded is another size than the input. */
bool conv_has_padding(const struct conv_geometry *g);

/* Writes n elements of an image, from element `first` on, in the form that a kernel computes on. */
typedef void (*pad_copy_fn)(const void *arg, size_t first, size_t n, void *out);

struct pad_spec {
    size_t ih, iw, ic; /* the image */
    size_t pt, pl;     /* rows and columns of padding before it */
    uint8_t fill;      /* each byte of the padding */
    struct padded p;   /* the result; elements beyond it are cut */
    size_t bytes;      /* of an element of the result */
    pad_copy_fn copy;
    const void *arg;
    size_t first; /* element of `arg` at which the image begins */
};

/* Writes [p.h, p.w, ic] elements at `out`: the image with padding around it. Threads take rows; `copy` is called from them. */
void pad_image(struct threads *threads, const struct pad_spec *s, void *out);

#endif
