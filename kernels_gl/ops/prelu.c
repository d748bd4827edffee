/* SPDX-License-Identifier: Apache-2.0 */
/* prelu.c - PRELU: a slope for each channel, or however the second operand broadcasts. */
#include "kernels_gl/common/elementwise.h"

static const struct ir_fn fn_prelu = {"PRELU", "mix(a * b, a, greaterThanEqual(a, vec4(0.0)))", NULL, .arity = 2};

/* Whatever their type says, TFLite reads the slopes of a quantized input as bytes. */
const struct gl_kernel gl_prelu = {.max_version = 1, .accept = elementwise_accept, .lower = elementwise_lower, .arg = &fn_prelu};
