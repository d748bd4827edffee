/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - cases of Table. */
#include "bench/opcheck/opcheck.h"

#define NOT_IN_PACKAGE .no_golden = true

const struct op_case table_cases[] = {
    { "int8 (not in the package)", NOT_IN_PACKAGE, .in = { QUANT(INT8, .1f, 3, 3, 17), CONST(INT8, 256) },
      .out = { QUANT(INT8, .2f, 1) } },
    { "int16 (not in the package)", NOT_IN_PACKAGE, .in = { QUANT(INT16, .001f, 0, 3, 17), CONST(INT16, 513) },
      .out = { QUANT(INT16, .002f, 0) } },
    { "a short table", .in = { QUANT(INT16, .001f, 0, 3, 17), CONST(INT16, 512) }, .out = { QUANT(INT16, .002f, 0) },
      .fails = "expected INT16[513]" },
    { "a table of another type", .in = { QUANT(INT8, .1f, 3, 3, 17), CONST(UINT8, 256) }, .out = { QUANT(INT8, .2f, 1) },
      .fails = "expected INT8[256]" },
    { "floats", .in = { F32(3, 17), CONST_F32(256) }, .fails = "type FLOAT32" },
    { 0 }
};
