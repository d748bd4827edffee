/* SPDX-License-Identifier: Apache-2.0 */
/* unary.c - functions of one element: ABS to SQUARE, and LOGICAL_NOT. */
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/int64/int64.h"

static const struct ir_fn fn_abs = {"ABS", "abs(a)", "abs(a)", .arity = 1};
static const struct ir_fn fn_ceil = {"CEIL", "ceil(a)", NULL, .arity = 1};
static const struct ir_fn fn_cos = {"COS", "cos(a)", NULL, .arity = 1};
static const struct ir_fn fn_exp = {"EXP", "exp(a)", NULL, .arity = 1};
static const struct ir_fn fn_floor = {"FLOOR", "floor(a)", NULL, .arity = 1};
static const struct ir_fn fn_log = {"LOG", "log(a)", NULL, .arity = 1};
static const struct ir_fn fn_neg = {"NEG", "-a", "-a", .arity = 1};
static const struct ir_fn fn_round = {"ROUND", "roundEven(a)", NULL, .arity = 1};
static const struct ir_fn fn_rsqrt = {"RSQRT", "inversesqrt(a)", NULL, .arity = 1};
static const struct ir_fn fn_sign = {"SIGN", "mix(sign(a), a, isnan(a))", "sign(a)", .arity = 1};
static const struct ir_fn fn_sin = {"SIN", "sin(a)", NULL, .arity = 1};
const struct ir_fn fn_sqrt = {"SQRT", "sqrt(a)", NULL, .arity = 1};
const struct ir_fn fn_square = {"SQUARE", "a * a", "a * a", .arity = 1};
/* Bools are 0 or 1. */
static const struct ir_fn fn_logical_not = {"LOGICAL_NOT", "vec4(1.0) - a", NULL, .arity = 1};

const struct gl_kernel gl_abs = ELEMENTWISE(fn_abs, FLOAT_OR_INT, 5);
const struct gl_kernel gl_ceil = ELEMENTWISE(fn_ceil, TAKES_FLOAT, 1);
const struct gl_kernel gl_cos = ELEMENTWISE(fn_cos, TAKES_FLOAT, 2);
const struct gl_kernel gl_exp = ELEMENTWISE(fn_exp, TAKES_FLOAT, 2);
const struct gl_kernel gl_floor = ELEMENTWISE(fn_floor, TAKES_FLOAT, 1);
const struct gl_kernel gl_log = ELEMENTWISE(fn_log, TAKES_FLOAT, 2);
const struct gl_kernel gl_neg = ELEMENTWISE_INT64(fn_neg, FLOAT_OR_INT, 2, 0, &int64_neg);
const struct gl_kernel gl_round = ELEMENTWISE(fn_round, TAKES_FLOAT, 1);
const struct gl_kernel gl_rsqrt = ELEMENTWISE(fn_rsqrt, TAKES_FLOAT, 3);
const struct gl_kernel gl_sign = ELEMENTWISE(fn_sign, FLOAT_OR_INT, 2);
const struct gl_kernel gl_sin = ELEMENTWISE(fn_sin, TAKES_FLOAT, 2);
const struct gl_kernel gl_sqrt = ELEMENTWISE(fn_sqrt, TAKES_FLOAT, 2);
const struct gl_kernel gl_square = ELEMENTWISE(fn_square, FLOAT_OR_INT, 2);
const struct gl_kernel gl_logical_not = ELEMENTWISE(fn_logical_not, TAKES_BOOL, 1);
