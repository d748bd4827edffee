/* SPDX-License-Identifier: Apache-2.0 */
/* bitwise.c - BITWISE_XOR and RIGHT_SHIFT of integers. */
#include "elementwise.h"

static const struct ir_fn fn_bitwise_xor = {"BITWISE_XOR", 2, NULL, "a ^ b"};
/* What is no shift counts as the nearest that is one, as on the CPU. */
static const struct ir_fn fn_right_shift = {"RIGHT_SHIFT", 2, NULL, "a >> clamp(b, ivec4(0), ivec4(31))"};

const struct gl_kernel gl_bitwise_xor = ELEMENTWISE(fn_bitwise_xor, TAKES_INT, 1);
const struct gl_kernel gl_right_shift = ELEMENTWISE(fn_right_shift, TAKES_INT, 1);
