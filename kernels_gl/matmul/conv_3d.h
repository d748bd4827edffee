/* SPDX-License-Identifier: Apache-2.0 */
/* conv_3d.h - convolutions of volumes, and convolutions whose filter or bias is computed at run time. */
#pragma once

#include "kernels_gl/common/kinds.h"

/* A convolution of volumes. The images along B are the depth slices of volumes: `in_d` per volume in the input, `out_d` in the
 * output. */
struct volume {
    struct ir_window win;
    int32_t kernel_d, stride_d, dilation_d, pad_d, in_d, out_d;
    bool transposed; /* the window is the forward convolution's, which this one transposes */
    bool depthwise;  /* the filter is [1, kernel_h, kernel_w, out]; `out` is a multiple of the input's channels */
};

/* Return the convolution of images: a window of depth 1. */
struct volume volume_of_images(const struct ir_window *win);

/* Return true if volume_lower can lower the node: input x is made at run time, so is its filter or its bias, all are FLOAT32, and x
 * and the filter have rank 4. The arguments are input numbers. */
bool volume_takes(const struct node *n, uint32_t x, uint32_t filter, uint32_t bias);

/* Lower the node to such a convolution, followed by its bias and activation. The filter is [out, kernel_h, kernel_w, in]; there are
 * groups if `in` divides the channels of x. Fails only with ST_NOMEM. */
enum status volume_lower(struct ir *ir, const struct node *n, uint32_t x, uint32_t filter, uint32_t bias, const struct volume *v,
                         enum activation act, struct err *err);
