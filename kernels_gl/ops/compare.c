/* SPDX-License-Identifier: Apache-2.0 */
/* compare.c - comparisons, LOGICAL_AND, LOGICAL_OR: operands of one type, a bool as result. */
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/int64/int64.h"

const struct ir_fn fn_equal = {"EQUAL", "vec4(equal(a, b))", "vec4(equal(a, b))", .arity = 2};
static const struct ir_fn fn_greater = {"GREATER", "vec4(greaterThan(a, b))", "vec4(greaterThan(a, b))", .arity = 2};
static const struct ir_fn fn_greater_equal = {"GREATER_EQUAL", "vec4(greaterThanEqual(a, b))", "vec4(greaterThanEqual(a, b))",
                                              .arity = 2};
static const struct ir_fn fn_less = {"LESS", "vec4(lessThan(a, b))", "vec4(lessThan(a, b))", .arity = 2};
static const struct ir_fn fn_less_equal = {"LESS_EQUAL", "vec4(lessThanEqual(a, b))", "vec4(lessThanEqual(a, b))", .arity = 2};
static const struct ir_fn fn_not_equal = {"NOT_EQUAL", "vec4(notEqual(a, b))", "vec4(notEqual(a, b))", .arity = 2};
/* Bools are 0 or 1. */
static const struct ir_fn fn_logical_and = {"LOGICAL_AND", "a * b", NULL, .arity = 2};
static const struct ir_fn fn_logical_or = {"LOGICAL_OR", "max(a, b)", NULL, .arity = 2};

static bool compare_accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    const struct ir_fn *fn = n->op->gl->arg;

    if (ir_type_of(n->in[0]) != ir_type_of(n->in[fn->arity - 1]))
        return reason_set(why, REASON_UNSUPPORTED_INPUT_TYPE, "operands of types %s and %s", type_name(n->in[0]->type),
                          type_name(n->in[1]->type));
    return gl_operands_fit(lim, n, why);
}

#define COMPARE(function, types, version, words)                                                                                   \
    {                                                                                                                              \
        .max_version = version, .in_types = types, .out_types = TAKES_BOOL, .accept = compare_accept, .lower = elementwise_lower,  \
        .arg = &(function), .int64 = (words)                                                                                       \
    }

const struct gl_kernel gl_equal = COMPARE(fn_equal, TAKES_ANY, 5, &int64_equal);
const struct gl_kernel gl_greater = COMPARE(fn_greater, FLOAT_OR_INT, 2, &int64_greater);
const struct gl_kernel gl_greater_equal = COMPARE(fn_greater_equal, FLOAT_OR_INT, 3, &int64_greater_equal);
const struct gl_kernel gl_less = COMPARE(fn_less, FLOAT_OR_INT, 3, &int64_less);
const struct gl_kernel gl_less_equal = COMPARE(fn_less_equal, FLOAT_OR_INT, 2, &int64_less_equal);
const struct gl_kernel gl_not_equal = COMPARE(fn_not_equal, TAKES_ANY, 4, &int64_not_equal);
const struct gl_kernel gl_logical_and = COMPARE(fn_logical_and, TAKES_BOOL, 1, NULL);
const struct gl_kernel gl_logical_or = COMPARE(fn_logical_or, TAKES_BOOL, 1, NULL);
