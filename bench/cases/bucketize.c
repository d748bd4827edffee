/* SPDX-License-Identifier: Apache-2.0 */
/* bucketize.c - cases of BUCKETIZE. */
#include "bench/opcheck/opcheck.h"

#define BUCKETS .opt = &(struct opt_bucketize){ 4, (float[]){-1.5f, 0, 2, 2.5f} }, .out = { {TYPE_INT32} }

const struct op_case bucketize_cases[] = {
    { "float32", BUCKETS, .in = { F32_IN(-4, 4, 3, 5, 7) } },
    { "float32, specials", BUCKETS, .in = { F32_SPECIAL(67) } },
    { "float64", BUCKETS, .in = { {TYPE_FLOAT64, CASE_DIMS(3, 5), .lo = -4, .hi = 4} } },
    { "int32", BUCKETS, .in = { {TYPE_INT32, CASE_DIMS(3, 5), .lo = -4, .hi = 4} } },
    { "int32 extremes", BUCKETS, .in = { SPECIAL(INT32, 21) } },
    { "int64 extremes", BUCKETS, .in = { SPECIAL(INT64, 21) } },
    { "int64", BUCKETS, .in = { {TYPE_INT64, CASE_DIMS(3, 5), .lo = -4, .hi = 4} } },
    { "boundaries out of order", .opt = &(struct opt_bucketize){ 2, (float[]){2, 1} }, .out = { {TYPE_INT32} },
      .in = { F32(3) }, .fails = "boundary 1" },
    { 0 }
};
