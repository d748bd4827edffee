/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_elementwise.c - STABLEHLO_ADD, AND, MAXIMUM, MINIMUM, MULTIPLY, SHIFT_LEFT of operands of one shape.
 *
 * Of the largest and smallest, where a comparison with NaN is false, the first operand stays. */
#include "elementwise.h"

static const struct ir_fn fn_stablehlo_add = {"STABLEHLO_ADD", 2, "a + b", "a + b"};
static const struct ir_fn fn_stablehlo_and = {"STABLEHLO_AND", 2, "a * b", "a & b"};
static const struct ir_fn fn_stablehlo_maximum = {"STABLEHLO_MAXIMUM", 2, "mix(a, b, lessThan(a, b))", "max(a, b)",
                                                  .keeps_nan = true};
static const struct ir_fn fn_stablehlo_minimum = {"STABLEHLO_MINIMUM", 2, "mix(a, b, lessThan(b, a))", "min(a, b)",
                                                  .keeps_nan = true};
static const struct ir_fn fn_stablehlo_multiply = {"STABLEHLO_MULTIPLY", 2, "a * b", "a * b"};
/* By fewer than no bits, or by all and more: zero. */
static const struct ir_fn fn_stablehlo_shift_left = {"STABLEHLO_SHIFT_LEFT", 2, NULL,
                                                     "mix(a << (b & 31), ivec4(0), notEqual(b & 31, b))"};

const struct gl_kernel gl_stablehlo_add = ELEMENTWISE_QUANTIZED(fn_stablehlo_add, FLOAT_OR_INT, 1, 0);
const struct gl_kernel gl_stablehlo_and = ELEMENTWISE_QUANTIZED(fn_stablehlo_and, TAKES_INT | TAKES_BOOL, 1, 0);
const struct gl_kernel gl_stablehlo_maximum = ELEMENTWISE_QUANTIZED(fn_stablehlo_maximum, FLOAT_OR_INT, 1, 0);
const struct gl_kernel gl_stablehlo_minimum = ELEMENTWISE_QUANTIZED(fn_stablehlo_minimum, FLOAT_OR_INT, 1, 0);
const struct gl_kernel gl_stablehlo_multiply = ELEMENTWISE_QUANTIZED(fn_stablehlo_multiply, FLOAT_OR_INT, 1, 0);
const struct gl_kernel gl_stablehlo_shift_left = ELEMENTWISE_QUANTIZED(fn_stablehlo_shift_left, TAKES_INT, 1, 0);
