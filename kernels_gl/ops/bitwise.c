/* SPDX-License-Identifier: Apache-2.0 */
/* bitwise.c - BITWISE_XOR and RIGHT_SHIFT of integers. */
#include "kernels_gl/common/elementwise.h"

static const struct ir_fn fn_bitwise_xor = {"BITWISE_XOR", NULL, "a ^ b", .arity = 2};
/* What is no shift counts as the nearest that is one, as on the CPU. */
static const struct ir_fn fn_right_shift = {"RIGHT_SHIFT", NULL, "a >> clamp(b, ivec4(0), ivec4(31))", .arity = 2};

static const struct ir_fn fn_right_shift_unsigned = {"RIGHT_SHIFT", NULL, "ivec4(uvec4(a) >> min(uvec4(b), uvec4(31u)))",
                                                     .arity = 2};

static enum status shift_lower(struct ir *ir, const struct node *n, struct err *err)
{
    return elementwise_map(ir, n, n->out[0]->type == TYPE_UINT32 ? &fn_right_shift_unsigned : &fn_right_shift, NULL, ACT_NONE, err);
}

const struct gl_kernel gl_bitwise_xor = ELEMENTWISE(fn_bitwise_xor, TAKES_INT32, 1);
const struct gl_kernel gl_right_shift = {.max_version = 1,
                                         .in_types = TAKES_INT32,
                                         .out_types = TAKES_INT32,
                                         .accept = elementwise_accept,
                                         .lower = shift_lower,
                                         .arg = &fn_right_shift};
