/* SPDX-License-Identifier: Apache-2.0 */
/* prelu.c - PRELU: a slope for each channel, or however the second operand broadcasts. */
#include "elementwise.h"

static const struct ir_fn fn_prelu = {"PRELU", 2, "mix(a * b, a, greaterThanEqual(a, vec4(0.0)))", NULL};

/* Whatever their type says, TFLite reads the slopes of a quantized input as bytes. */
static bool prelu_accept(const struct gl_limits *lim, const struct graph *g, const struct node *n, struct reason *why)
{
    if (!elementwise_accept(lim, g, n, why))
        return false;
    return n->in[1]->type != TYPE_INT16 ||
           reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "slopes of type %s", type_name(n->in[1]->type));
}

const struct gl_kernel gl_prelu = {
    .max_version = 1, .quantized = TAKES_QUANTIZED, .accept = prelu_accept, .lower = elementwise_lower, .arg = &fn_prelu};
