/* SPDX-License-Identifier: Apache-2.0 */
/* bitcast.c - cases of BITCAST. */
#include "bench/opcheck/opcheck.h"

#define TO(type_) { {TYPE_##type_} }

const struct op_case bitcast_cases[] = {
    { "float32 to int32", .in = { F32(3, 5) }, .out = TO(INT32) },
    { "float32 to int8", .in = { F32(3, 5) }, .out = TO(INT8) },
    { "int16 to int64", .in = { TENSOR(INT16, 3, 5, 4) }, .out = TO(INT64) },
    { "int64 to int16", .in = { SPECIAL(INT64, 21) }, .out = TO(INT16) },
    { "float64 to uint8", .in = { TENSOR(FLOAT64, 3, 5) }, .out = TO(UINT8) },
    { "uint8 to float64", .in = { TENSOR(UINT8, 3, 5, 8) }, .out = TO(FLOAT64) },
    { "int8 to float16", .in = { {TYPE_INT8, CASE_DIMS(7, 2), .lo = -100, .hi = 100} }, .out = TO(FLOAT16) },
    { "complex64 to uint32", .in = { TENSOR(COMPLEX64, 7) }, .out = TO(UINT32) },
    { "quantized int8 to uint16", .in = { QUANT(INT8, .5f, -3, 7, 2) }, .out = TO(UINT16) },
    { "bfloat16 to int16", .in = { TENSOR(BFLOAT16, 3, 5) }, .out = TO(INT16) },
    { "int4 to uint4", .in = { TENSOR(INT4, 3, 5) }, .out = TO(UINT4) },
    { "int4 to int8", .in = { TENSOR(INT4, 3, 2) }, .out = TO(INT8), .no_golden = true, .fails = "INT4 to INT8" },
    { "last dimension does not fit", .in = { TENSOR(INT16, 3, 5) }, .out = TO(INT64), .fails = "must be 4" },
    { "scalar to a larger type", .in = { {TYPE_INT16, .rank = 0} }, .out = TO(INT64), .no_golden = true, .fails = "must be 4" },
    { 0 }
};
