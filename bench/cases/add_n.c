/* SPDX-License-Identifier: Apache-2.0 */
/* add_n.c - cases of ADD_N. */
#include "bench/opcheck/opcheck.h"

const struct op_case add_n_cases[] = {
    { "three float32", .in = { F32(3, 5, 7), F32(3, 5, 7), F32(3, 5, 7) } },
    { "three float32, rank 5", .in = { F32(2, 3, 1, 2, 5), F32(2, 3, 1, 2, 5), F32(2, 3, 1, 2, 5) } },
    { "one float32 (TFLite wants two)", .no_golden = true, .in = { F32(3, 5) } },
    { "four int32", .in = { TENSOR(INT32, 3, 5), TENSOR(INT32, 3, 5), TENSOR(INT32, 3, 5), TENSOR(INT32, 3, 5) } },
    { "shapes differ", .in = { F32(3, 5), F32(5) }, .fails = "inputs 0 and 1 differ" },
    { "int64", .in = { TENSOR(INT64, 3), TENSOR(INT64, 3) }, .fails = "INT64" },
    { 0 }
};
