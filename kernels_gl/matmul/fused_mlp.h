/* SPDX-License-Identifier: Apache-2.0 */
/* fused_mlp.h - consecutive fully connected layers, and 1x1 convolutions of a single pixel, in one dispatch.
 *
 * A workgroup keeps the values between layers in shared memory. Sums are added up in parts, in another order than in separate
 * dispatches. */
#pragma once

#include "lib/gl/ir/kernel.h"

/* ir_traits.join of convolutions: `first` is such a layer, or a chain of layers. */
bool fused_mlp_join(struct ir *ir, struct ir_op *op, struct ir_op *first, bool *done);
