/* SPDX-License-Identifier: Apache-2.0 */
/* floor_div.c - FLOOR_DIV and FLOOR_MOD of floats. */
#include "elementwise.h"

static const struct ir_fn fn_floor_div = {"FLOOR_DIV", 2, "floor_quotient(a, b)", NULL, .helper = floor_div_comp};
static const struct ir_fn fn_floor_mod = {"FLOOR_MOD", 2, "a - b * floor_quotient(a, b)", NULL, .helper = floor_div_comp};

const struct gl_kernel gl_floor_div = ELEMENTWISE_QUANTIZED(fn_floor_div, TAKES_FLOAT, 3, 0);
const struct gl_kernel gl_floor_mod = ELEMENTWISE_QUANTIZED(fn_floor_mod, TAKES_FLOAT, 2, 0);
