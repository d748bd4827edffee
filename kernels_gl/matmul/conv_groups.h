/* SPDX-License-Identifier: Apache-2.0 */
/* conv_groups.h - convolutions whose filters see a part of the channels each. */
#ifndef DELEGAUGE_KERNELS_GL_CONV_GROUPS_H
#define DELEGAUGE_KERNELS_GL_CONV_GROUPS_H

#include "lib/gl/ir/kernel.h"

/* Each of several groups of more than one channel is a dispatch. */
#define CONV_MOST_GROUPS 64

/* Channels first to first + n - 1 of x. NULL: out of memory. */
struct ir_value *ir_channels(struct ir *ir, struct ir_value *x, int32_t first, int32_t n);

/* As ir_conv, with filters w of shape [out][kernel_h][kernel_w][depth]; depth divides the channels of x: the k-th of as many parts
 * of the filters sees the k-th part of the channels. False: out of memory. */
bool ir_conv_groups(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, int32_t depth,
                    const float *bias, enum activation act, struct ir_value *y);

#endif
