/* SPDX-License-Identifier: Apache-2.0 */
/* floor_div.c - FLOOR_DIV and FLOOR_MOD. */
#include "kernels_gl/common/elementwise.h"
#include "kernels_gl/int64/int64.h"

static const struct ir_fn fn_floor_div = {"FLOOR_DIV", "floor_quotient(a, b)", "floor_quotient(a, b)", .arity = 2,
                                          .helper = floor_div_comp};
static const struct ir_fn fn_floor_mod = {"FLOOR_MOD", "floor_rest(a, b)", "a - b * floor_quotient(a, b)", .arity = 2,
                                          .helper = floor_div_comp};

static bool accept(const struct gl_limits *lim, const struct node *n, struct reason *why)
{
    return elementwise_accept(lim, n, why) && elementwise_divisor_fits(n, n->builtin == BUILTIN_FLOOR_DIV, why);
}

#define FLOOR(function, version, words)                                                                                            \
    {                                                                                                                              \
        .max_version = version, .in_types = FLOAT_OR_INT, .out_types = FLOAT_OR_INT, .accept = accept, .lower = elementwise_lower, \
        .arg = &(function), .int64 = (words)                                                                                       \
    }

const struct gl_kernel gl_floor_div = FLOOR(fn_floor_div, 3, NULL);
const struct gl_kernel gl_floor_mod = FLOOR(fn_floor_mod, 2, &int64_floor_mod);
