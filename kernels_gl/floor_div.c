/* SPDX-License-Identifier: Apache-2.0 */
/* floor_div.c - FLOOR_DIV and FLOOR_MOD. */
#include "elementwise.h"

static const struct ir_fn fn_floor_div = {"FLOOR_DIV", 2, "floor_quotient(a, b)", "floor_quotient(a, b)", .helper = floor_div_comp};
static const struct ir_fn fn_floor_mod = {"FLOOR_MOD", 2, "a - b * floor_multiple(a, b)", "a - b * floor_quotient(a, b)",
                                          .helper = floor_div_comp};

const struct gl_kernel gl_floor_div = ELEMENTWISE_QUANTIZED(fn_floor_div, FLOAT_OR_INT, 3, 0);
const struct gl_kernel gl_floor_mod = ELEMENTWISE_QUANTIZED(fn_floor_mod, FLOAT_OR_INT, 2, 0);
