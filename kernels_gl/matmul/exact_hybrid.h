/* SPDX-License-Identifier: Apache-2.0 */
/* exact_hybrid.h - floats that are quantized at run time, as the CPU's hybrid products have it (kernels_cpu/quant/hybrid.h). */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_HYBRID_H
#define DELEGAUGE_KERNELS_GL_EXACT_HYBRID_H

#include "lib/gl/ir/kernel.h"

struct hybrid_value {
    struct ir_value *q;     /* less their zero points: -127 to 127, or -255 to 255 with such */
    struct ir_value *steps; /* of each part four floats: the unit of q, its inverse, the zero point, nothing */
};

/* Check that the device does as its shaders say: a product fused into a sum would round once, but the CPU rounds twice. False:
 * *why. */
bool exact_hybrid_fits(const struct gl_limits *lim, struct reason *why);

/* Quantizes x by parts: each image, or each pixel of each; symmetrically, or with a zero point. False: out of memory. */
bool ir_exact_hybrid(struct ir *ir, struct ir_value *x, bool by_pixel, bool asymmetric, struct hybrid_value *out);

#endif
