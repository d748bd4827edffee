/* SPDX-License-Identifier: Apache-2.0 */
/* conv_groups.h - grouped convolutions, each of whose filters reads one group of the channels. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Most groups of more than one channel: each is a dispatch. */
#define CONV_MOST_GROUPS 64

/* Return channels first to first + n - 1 of x. NULL if memory runs out. */
struct ir_value *ir_channels(struct ir *ir, struct ir_value *x, int32_t first, int32_t n);

/* Append a grouped convolution (see ir_conv), with filters w [out][kernel_h][kernel_w][depth]. depth divides the channels of x into
 * groups; the k-th group of filters reads the k-th group of channels. False if memory runs out. */
bool ir_conv_groups(struct ir *ir, struct ir_value *x, const struct ir_window *win, const float *w, int32_t depth,
                    const float *bias, enum activation act, struct ir_value *y);
