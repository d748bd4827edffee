/* SPDX-License-Identifier: Apache-2.0 */
/* binary.c - ATAN2, MAXIMUM, MINIMUM, SQUARED_DIFFERENCE, POW.
 *
 * Comparisons and mix() replace min and max, which could lose a NaN. */
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/int64/int64.h"

static const struct ir_fn fn_atan2 = {"ATAN2", "atan2_of(a, b)", NULL, .arity = 2, .helper = atan2_comp};
static const struct ir_fn fn_maximum = {"MAXIMUM", "mix(b, a, greaterThan(a, b))", "max(a, b)", .arity = 2};
static const struct ir_fn fn_minimum = {"MINIMUM", "mix(b, a, lessThan(a, b))", "min(a, b)", .arity = 2};
static const struct ir_fn fn_squared_difference = {"SQUARED_DIFFERENCE", "(a - b) * (a - b)", "(a - b) * (a - b)", .arity = 2};

const struct gl_kernel gl_atan2 = ELEMENTWISE(fn_atan2, TAKES_FLOAT, 1);
const struct gl_kernel gl_maximum = ELEMENTWISE_INT64(fn_maximum, FLOAT_OR_INT, 4, TAKES_QUANTIZED, &int64_maximum);
const struct gl_kernel gl_minimum = ELEMENTWISE_INT64(fn_minimum, FLOAT_OR_INT, 4, TAKES_QUANTIZED, &int64_minimum);
const struct gl_kernel gl_squared_difference = ELEMENTWISE(fn_squared_difference, FLOAT_OR_INT, 2);

/* ---- POW ---- */

const struct ir_fn fn_pow = {"POW", "pow4(a, b)", "pow_saturated4(a, b)", .arity = 2, .helper = pow_comp};
static const struct ir_fn fn_pow_one = {"POW", "pow4(a, vec4(whole(b.x)))", "pow_wrapped4(a, b.x)", .arity = 2, .helper = pow_comp};

static bool pow_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    if (!elementwise_accept(lim, n, why))
        return false;
    for (size_t i = 0; n->in[1]->is_const && n->in[1]->type == TYPE_INT32 && i < tensor_elems(n->in[1]); i++)
        if (tensor_int(n->in[1], i) < 0)
            return reason_set(why, REASON_UNSUPPORTED_OPERAND_VALUE, "element %zu of the exponent is negative", i);
    return true;
}

/* One exponent for all elements that is almost whole counts as whole, and integers wrap, as in TFLite. */
static enum status pow_lower(struct ir *ir, const struct node *n, struct err *err)
{
    bool one = tensor_elems(n->in[1]) == 1 && !tensor_same_shape(n->in[0], n->in[1]);

    return elementwise_map(ir, n, one ? &fn_pow_one : &fn_pow, NULL, ACT_NONE, err);
}

const struct gl_kernel gl_pow = {.max_version = 2,
                                 .in_types = FLOAT_OR_INT,
                                 .out_types = FLOAT_OR_INT,
                                 .accept = pow_accept,
                                 .lower = pow_lower,
                                 .arg = &fn_pow};
