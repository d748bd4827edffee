/* SPDX-License-Identifier: Apache-2.0 */
/* exact_hybrid.h - floats that are quantized at run time, as the CPU's hybrid products have it (kernels_cpu/quant/hybrid.h). */
#ifndef DELEGAUGE_KERNELS_GL_EXACT_HYBRID_H
#define DELEGAUGE_KERNELS_GL_EXACT_HYBRID_H

#include "../lib/gl/kernel.h"

struct hybrid_value {
    struct ir_value *q;       /* -127 to 127 */
    struct ir_value *largest; /* |x| of each part: what q counts is this / 127, or 1 where it is 0 */
};

/* Quantizes x by parts, symmetrically: each image, or each pixel of each. False: out of memory. */
bool ir_exact_hybrid(struct ir *ir, struct ir_value *x, bool by_pixel, struct hybrid_value *out);

#endif
