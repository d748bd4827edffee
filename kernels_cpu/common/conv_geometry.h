/* SPDX-License-Identifier: Apache-2.0 */
/* conv_geometry.h - sizes, strides and padding of a 2-D convolution, checked, and a copy of its input with the padding written out.
 *
 * Output (oy, ox) reads input (iy, ix) through window position (ky, kx) with
 *     iy = oy * sh - pt + ky * dh,   ix = ox * sw - pl + kx * dw
 * Tensors are [batch, height, width, channels]; all numbers count rows, columns and elements, not bytes. Positions outside the
 * input add nothing to a sum. CONV_2D and DEPTHWISE_CONV_2D use this in both modes; transposed convolutions use it with input and
 * output exchanged (transpose_conv.h). */
#pragma once

#include "lib/graph/kernel.h"

/* Input [n, ih, iw, ic], window kh x kw, output [n, oh, ow, oc]. Sizes may be 0: an empty tensor is legal and gives an empty
 * output, or sums of 0. */
struct conv_geometry {
    int32_t n, ih, iw, ic, oh, ow, oc, kh, kw;
    int32_t sh, sw, dh, dw; /* stride, dilation */
    int32_t pt, pl;         /* padding before the input, top and left; the padding after it follows from the sizes */
};

/* Fill *g from the shapes of input [n, ih, iw, ic] and filter [_, kh, kw, _], and compute the output size: ceil(in / stride) for
 * SAME, which pads the far edge more; the number of windows that fit for VALID. Fails with ST_BAD_MODEL if ranks, strides or
 * dilations are invalid or the window does not fit. */
enum status conv_geometry_init(struct conv_geometry *g, const struct tensor *input, const struct tensor *filter, int32_t oc,
                               enum padding padding, int stride_h, int stride_w, int dilation_h, int dilation_w, struct err *err);

/* Part of a window along one dimension. `origin` is the input coordinate of the window's first position (negative: in the padding).
 * Positions [k0, k1) of the window lie inside the input, none if k0 == k1; position k reads input origin + k * dilation. */
struct conv_span {
    int64_t origin;
    int32_t k0, k1;
};

/* Return the span of output o, all arguments along one dimension: o < out, stride and dilation at least 1, window size k, input
 * size in. 64 bits, since o * stride may not fit 32. */
static inline struct conv_span conv_span(int32_t o, int32_t stride, int32_t pad, int32_t dilation, int32_t k, int32_t in)
{
    int64_t origin = (int64_t)o * stride - pad;
    int64_t k0 = origin < 0 ? (-origin + dilation - 1) / dilation : 0;
    int64_t k1 = origin < in ? (in - origin + dilation - 1) / dilation : 0;

    k1 = k1 > k ? k : k1;
    return (struct conv_span){origin, (int32_t)(k0 > k1 ? k1 : k0), (int32_t)k1};
}

/* Cut off the window's outer rows and columns that lie outside the input for every output, as large dilations can make them; store
 * in *rows and *cols how many were cut before the remaining window. kh, kw, pt and pl of g become those of the remaining window, 0
 * if nothing remains; so the padding stays of the order of the image. Example: of a 3 x 3 window with dilation 100 and SAME padding
 * over a 10 x 10 image only the middle position remains. */
void conv_trim(struct conv_geometry *g, int32_t *rows, int32_t *cols);

/* Size of the input image with its padding written out: it contains every window; 0 x 0 if there is no output or no window. It may
 * be smaller than the input, whose last rows or columns are then never read. */
struct padded {
    size_t h, w;
};
struct padded conv_padded(const struct conv_geometry *g);

/* Return true if a window reaches beyond the input, so that the loops need a padded copy. */
bool conv_has_padding(const struct conv_geometry *g);

/* Write n elements of an image, from element `first` on, to `out` in the kernel's element format. */
typedef void (*pad_copy_fn)(const void *arg, size_t first, size_t n, void *out);

struct pad_spec {
    size_t ih, iw, ic; /* rows, columns and channels of the image */
    size_t pt, pl;     /* rows and columns of padding before it */
    uint8_t fill;      /* each byte of the padding */
    struct padded p;   /* size of the result; elements beyond it are cut */
    size_t bytes;      /* of an element of the result */
    pad_copy_fn copy;  /* NULL: `arg` holds elements of that format */
    const void *arg;
    size_t first; /* index in `arg` of the image's first element */
};

/* Write the image with its padding, [p.h, p.w, ic] elements, to `out`. Threads share the rows and call `copy`. */
void pad_image(struct threads *threads, const struct pad_spec *s, void *out);
