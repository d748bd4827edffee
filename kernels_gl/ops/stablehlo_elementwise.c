/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_elementwise.c - STABLEHLO_ADD, AND, MAXIMUM, MINIMUM, MULTIPLY, SHIFT_LEFT of operands of one shape.
 *
 * MAXIMUM and MINIMUM return the first operand if either is NaN, since comparisons with NaN are false. */
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/int64/int64.h"

static const struct ir_fn fn_stablehlo_add = {"STABLEHLO_ADD", "a + b", "a + b", .arity = 2};
static const struct ir_fn fn_stablehlo_and = {"STABLEHLO_AND", NULL, "a & b", .arity = 2};
static const struct ir_fn fn_stablehlo_maximum = {"STABLEHLO_MAXIMUM", "mix(a, b, lessThan(a, b))", "max(a, b)", .arity = 2,
                                                  .keeps_nan = true};
static const struct ir_fn fn_stablehlo_minimum = {"STABLEHLO_MINIMUM", "mix(a, b, lessThan(b, a))", "min(a, b)", .arity = 2,
                                                  .keeps_nan = true};
static const struct ir_fn fn_stablehlo_multiply = {"STABLEHLO_MULTIPLY", "a * b", "a * b", .arity = 2};
/* By fewer than no bits, or by all and more: zero. */
static const struct ir_fn fn_stablehlo_shift_left = {"STABLEHLO_SHIFT_LEFT", NULL,
                                                     "mix(a << (b & 31), ivec4(0), notEqual(b & 31, b))", .arity = 2};

/* Of truth values, and of integers without a sign. */
static const struct ir_fn fn_either = {"EITHER", "max(a, b)", NULL, .arity = 2}, fn_both = {"BOTH", "a * b", NULL, .arity = 2};
static const struct ir_fn fn_most_unsigned = {"STABLEHLO_MAXIMUM", NULL, "ivec4(max(uvec4(a), uvec4(b)))", .arity = 2};
static const struct ir_fn fn_least_unsigned = {"STABLEHLO_MINIMUM", NULL, "ivec4(min(uvec4(a), uvec4(b)))", .arity = 2};

static const struct ir_fn *fn_of(const struct ir_fn *fn, enum tensor_type type)
{
    if (type == TYPE_BOOL)
        return fn == &fn_stablehlo_add || fn == &fn_stablehlo_maximum ? &fn_either : &fn_both;
    if (type == TYPE_UINT32 && fn == &fn_stablehlo_maximum)
        return &fn_most_unsigned;
    return type == TYPE_UINT32 && fn == &fn_stablehlo_minimum ? &fn_least_unsigned : fn;
}

static enum status lower(struct ir *ir, const struct node *n, struct err *err)
{
    return elementwise_map(ir, n, fn_of(n->op->gl->arg, n->out[0]->type), NULL, ACT_NONE, err);
}

#define STABLEHLO(function, types, words)                                                                                          \
    {                                                                                                                              \
        .max_version = 1, .in_types = (types), .out_types = (types), .accept = elementwise_accept, .lower = lower,                 \
        .arg = &(function), .int64 = (words)                                                                                       \
    }

const struct gl_kernel gl_stablehlo_add = STABLEHLO(fn_stablehlo_add, TAKES_BITS, &int64_stablehlo_add);
const struct gl_kernel gl_stablehlo_and = STABLEHLO(fn_stablehlo_and, TAKES_INT32 | TAKES_BOOL, &int64_stablehlo_and);
const struct gl_kernel gl_stablehlo_maximum = STABLEHLO(fn_stablehlo_maximum, TAKES_BITS, &int64_stablehlo_maximum);
const struct gl_kernel gl_stablehlo_minimum = STABLEHLO(fn_stablehlo_minimum, TAKES_BITS, &int64_stablehlo_minimum);
const struct gl_kernel gl_stablehlo_multiply = STABLEHLO(fn_stablehlo_multiply, TAKES_BITS, &int64_stablehlo_multiply);
const struct gl_kernel gl_stablehlo_shift_left = STABLEHLO(fn_stablehlo_shift_left, TAKES_INT, NULL);
