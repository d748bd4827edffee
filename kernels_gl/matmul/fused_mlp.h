/* SPDX-License-Identifier: Apache-2.0 */
/* fused_mlp.h - fully connected layers one after the other, and convolutions of 1x1 of a single pixel, in one dispatch.
 *
 * The values between two layers are kept in a workgroup's memory. Sums are added up in parts, in another order than apart. */
#ifndef DELEGAUGE_KERNELS_GL_FUSED_MLP_H
#define DELEGAUGE_KERNELS_GL_FUSED_MLP_H

#include "lib/gl/ir/kernel.h"

/* For ir_traits.join of convolutions: `first` is such a layer, or a chain already. */
bool fused_mlp_join(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done);

#endif
