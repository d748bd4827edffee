/* SPDX-License-Identifier: Apache-2.0 */
/* lsh_projection.c - cases of LSH_PROJECTION. */
#include "bench/opcheck/opcheck.h"

#define PROJECT(how) .opt = &(struct opt_lsh_projection){ how }, .out = { {TYPE_INT32} }

const struct op_case lsh_projection_cases[] = {
    { "dense", PROJECT(LSH_DENSE), .in = { F32(3, 2), TENSOR(INT32, 5) } },
    { "dense, weighted", PROJECT(LSH_DENSE), .in = { F32(3, 2), TENSOR(INT32, 5), F32_IN(0, 1, 5) } },
    { "sparse", PROJECT(LSH_SPARSE), .in = { F32(3, 5), TENSOR(INT32, 5) } },
    { "sparse, weighted rows", PROJECT(LSH_SPARSE), .in = { F32(2, 7), TENSOR(INT64, 3, 3), F32_IN(0, 1, 3) } },
    { "rows of 1 byte", PROJECT(LSH_SPARSE), .in = { F32(3, 9), TENSOR(INT8, 3) } },
    { "rows of 40 bytes", PROJECT(LSH_SPARSE), .in = { F32(3, 9), TENSOR(INT32, 3, 10) } },
    { "rows of 60 bytes", PROJECT(LSH_SPARSE), .in = { F32(3, 9), TENSOR(INT32, 3, 15) } },
    { "rows of 200 bytes", PROJECT(LSH_SPARSE), .in = { F32(3, 9), TENSOR(INT32, 3, 50) } },
    { "rows of 252 bytes", PROJECT(LSH_SPARSE), .in = { F32(3, 9), TENSOR(INT32, 3, 63) } },
    { "unknown", PROJECT(LSH_UNKNOWN), .in = { F32(3, 2), TENSOR(INT32, 5) }, .fails = "type 0 is unknown" },
    { "33 bits", PROJECT(LSH_SPARSE), .in = { F32(3, 33), TENSOR(INT32, 5) }, .fails = "more than 32 bits" },
    { 0 }
};
