/* SPDX-License-Identifier: Apache-2.0 */
/* unique.c - cases of UNIQUE. */
#include "bench/opcheck/opcheck.h"

#define NUMBERED(type_) .opt = &(struct opt_unique){ TYPE_INT32 }, .out = { {TYPE_##type_}, {TYPE_INT32} }

const struct op_case unique_cases[] = {
    { "int32", NUMBERED(INT32), .in = { TENSOR(INT32, 33) } },
    { "int32, int64 numbers", .opt = &(struct opt_unique){ TYPE_INT64 }, .in = { TENSOR(INT32, 17) },
      .out = { {TYPE_INT32}, {TYPE_INT64} } },
    { "int64", NUMBERED(INT64), .in = { TENSOR(INT64, 17) } },
    { "ends of int8", NUMBERED(INT8), .in = { SPECIAL(INT8, 12) } },
    { "ends of int16", NUMBERED(INT16), .in = { SPECIAL(INT16, 12) } },
    { "ends of uint8", NUMBERED(UINT8), .in = { SPECIAL(UINT8, 12) } },
    { "int8", NUMBERED(INT8), .in = { {TYPE_INT8, CASE_DIMS(17), .lo = -3, .hi = 3} } },
    { "uint8", NUMBERED(UINT8), .in = { {TYPE_UINT8, CASE_DIMS(17), .lo = 0, .hi = 7} } },
    { "int16", NUMBERED(INT16), .in = { {TYPE_INT16, CASE_DIMS(17), .lo = -3, .hi = 3} } },
    { "float32", NUMBERED(FLOAT32), .in = { {TYPE_FLOAT32, CASE_DIMS(7), .fill = FILL_GIVEN,
                                            .data = (const float[]){1, 0, 1, -0.0f, 2.5f, 0, 1}} } },
    { "NaN, whose place in TFLite is left to chance", NUMBERED(FLOAT32), .no_golden = true, .in = { F32_SPECIAL(24) } },
    { "one", NUMBERED(INT32), .in = { TENSOR(INT32, 1) } },
    { "none", NUMBERED(INT32), .in = { TENSOR(INT32, 0) }, .no_golden = true },
    { "matrix", NUMBERED(INT32), .in = { TENSOR(INT32, 2, 2) }, .fails = "rank 2" },
    { 0 }
};
