/* SPDX-License-Identifier: Apache-2.0 */
/* prelu.c - PRELU: a slope for each channel, or however the second operand broadcasts. */
#include "elementwise.h"

static const struct ir_fn fn_prelu = {"PRELU", 2, "mix(a * b, a, greaterThanEqual(a, vec4(0.0)))", NULL};

const struct gl_kernel gl_prelu = ELEMENTWISE_8BIT(fn_prelu, TAKES_FLOAT, 1);
