/* SPDX-License-Identifier: Apache-2.0 */
/* conv_3d.h - convolutions whose filter is a value: computed at run time, or of three dimensions. */
#ifndef DELEGAUGE_KERNELS_GL_CONV_3D_H
#define DELEGAUGE_KERNELS_GL_CONV_3D_H

#include "kernels_gl/common/kinds.h"

/* Images along B come in runs of `in_d` on the input's side and `out_d` on the output's: the slices of one volume. */
struct volume {
    struct ir_window win;
    int32_t kernel_d, stride_d, dilation_d, pad_d, in_d, out_d;
    bool transposed; /* the window is that of the forward convolution that this one transposes */
    bool depthwise;  /* the filter is [1, kernel_h, kernel_w, out], with a multiple of the input's channels */
};

/* Of images: a window of depth 1. */
struct volume volume_of_images(const struct ir_window *win);

/* Input x of the node and its filter or its bias are computed at run time, all of them are FLOAT32, and x and the filter have rank
 * 4: then volume_lower() takes it. */
bool volume_takes(const struct node *n, uint32_t x, uint32_t filter, uint32_t bias);

/* The filter is [out, kernel_h, kernel_w, in]; if `in` divides the channels of x there are groups. An activation follows. */
enum status volume_lower(struct ir *ir, const struct node *n, uint32_t x, uint32_t filter, uint32_t bias, const struct volume *v,
                         enum activation act, struct err *err);

#endif
