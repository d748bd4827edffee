/* SPDX-License-Identifier: Apache-2.0 */
/* bitcast.c - cases of BITCAST. */
#include "../opcheck.h"

#define TO(type_) { {TYPE_##type_} }

const struct op_case bitcast_cases[] = {
    { "float32 to int32", .in = { F32(3, 5) }, .out = TO(INT32) },
    { "float32 to int8", .in = { F32(3, 5) }, .out = TO(INT8) },
    { "int16 to int64", .in = { TENSOR(INT16, 3, 5, 4) }, .out = TO(INT64) },
    { "bfloat16 to int16", .in = { TENSOR(BFLOAT16, 3, 5) }, .out = TO(INT16) },
    { "int4 to uint4", .in = { TENSOR(INT4, 3, 5) }, .out = TO(UINT4) },
    { "int4 to int8", .in = { TENSOR(INT4, 3, 2) }, .out = TO(INT8), .no_golden = true, .fails = "INT4 to INT8" },
    { "last dimension does not fit", .in = { TENSOR(INT16, 3, 5) }, .out = TO(INT64), .fails = "must be 4" },
    { "scalar to a larger type", .in = { {TYPE_INT16, .rank = 0} }, .out = TO(INT64), .no_golden = true, .fails = "must be 4" },
    { 0 }
};
