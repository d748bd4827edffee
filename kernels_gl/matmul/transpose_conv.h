/* SPDX-License-Identifier: Apache-2.0 */
/* transpose_conv.h - the window of transposed convolutions, for kernels of floats and of integers. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* Return the window of the forward convolution that the node transposes. */
struct ir_window transpose_conv_window(const struct node *n);
