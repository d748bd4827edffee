/* SPDX-License-Identifier: Apache-2.0 */
/* exact_hybrid.h - floats quantized to 8 bits at run time, as in the CPU's hybrid products (kernels_cpu/quant/hybrid.h). */
#pragma once

#include "lib/gl/ir/kernel.h"

struct hybrid_value {
    struct ir_value *q;     /* quantized values minus their zero points: -127 to 127, or -255 to 255 if asymmetric */
    struct ir_value *steps; /* three channels per part: the scale of q, its inverse, the zero point */
};

/* Check that the device can be kept from fusing a product into a sum, which would round once; the CPU rounds twice. False: *why. */
bool exact_hybrid_fits(const struct gl_limits *lim, struct reason *why);

/* Append the quantization of x by parts, each image or each pixel, symmetric (the inverse is 127 / largest |x|) or with a zero
 * point. False if memory runs out. */
bool ir_exact_hybrid(struct ir *ir, struct ir_value *x, bool by_pixel, bool asymmetric, struct hybrid_value *out);
