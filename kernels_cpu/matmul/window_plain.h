/* SPDX-License-Identifier: Apache-2.0 */
/* window_plain.h - 2-D convolutions by definition: for each output, the input pixels and window positions whose products it sums.
 *
 * A convolution: output (oy, ox) reads input (iy, ix) through window position (ky, kx) with
 *     iy = oy * sh - pt + ky * dh,   ix = ox * sw - pl + kx * dw
 * A transposed convolution exchanges them (dilation is 1):
 *     oy = iy * sh - pt + ky,        ox = ix * sw - pl + kx
 * Positions outside the input add nothing. Sums run over input rows, columns and channels in ascending order, as TFLite's do. */
#pragma once

#include "kernels_cpu/common/conv_geometry.h"
#include "kernels_cpu/matmul/reference_product.h"

/* `count` neighbouring input pixels, from `pixel` on, counted over all images, and as many neighbouring window positions ky * kw +
 * kx, from `window` on. */
struct window_run {
    size_t image, pixel, window, count;
};

struct window_plain {
    struct reference_product p; /* piece = image, position = output pixel, line = row of the output */
    struct conv_geometry g;
    bool transposed;
    size_t groups; /* of channels: output channel oc reads the input channels of group oc / (g.oc / groups) */

    /* Add the run's products to the sums of all output channels. NULL: the products of a filter [oc, kh, kw, ic / groups], which
     * window_plain_prepare then transposes. */
    void (*add)(const struct cpu_call *c, const struct window_plain *w, const struct window_run *r, void *sums);
};

/* Complete w, whose tensors, geometry and kind are set, for a fused activation, or for integers that are scaled as in spec (else
 * NULL), and pack it. Fails as activation_range and reference_product_prepare do. */
enum status window_plain_prepare(struct cpu_call *c, struct window_plain *w, const struct requant_spec *spec,
                                 enum activation activation, struct err *err);

/* Compute the output [n, oh, ow, oc]; threads share its rows. */
void window_plain_compute(struct cpu_call *c);
