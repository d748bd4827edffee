/* SPDX-License-Identifier: Apache-2.0 */
/* hadamard.c - cases of aeq.hadamard_rotation. */
#include "bench/opcheck/opcheck.h"

static const char rotate_4[] = "hadamard_size=4 random_binary_vector=1,1,1,1";
static const char rotate_16[] = "hadamard_size=16 random_binary_vector=1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1,1,-1";

static const char rotate_64[] =
    "hadamard_size=64 "
    "random_binary_vector=1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,"
    "1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1";
static const char rotate_1[] = "hadamard_size=1 random_binary_vector=1", rotate_2[] = "hadamard_size=2 random_binary_vector=1,1";
static const char rotate_4096[] = "hadamard_size=4096";
static const char rotate_6[] = "hadamard_size=6 random_binary_vector=1,1,1,1,1,1";

#define OPTIONS(text) .flex = text

const struct op_case hadamard_rotation_cases[] = {
    /* TFLite leaves the output the shape that the file gives it. */
    { "two pieces a row", OPTIONS(rotate_4), .in = { F32(3, 8) }, .out = { F32(3, 8) }, .skip_golden = "empty" },
    { "one piece of 16", OPTIONS(rotate_16), .in = { F32(3, 16) }, .out = { F32(3, 16) } },
    { "rank 3, pieces of 64", OPTIONS(rotate_64), .in = { F32(2, 3, 128) }, .out = { F32(2, 3, 128) } },
    { "specials", OPTIONS(rotate_4), .in = { F32_SPECIAL(5, 8) }, .out = { F32(5, 8) } },
    { "pieces of one", OPTIONS(rotate_1), .in = { F32(3, 7) }, .out = { F32(3, 7) } },
    { "pieces of two, odd many", OPTIONS(rotate_2), .in = { F32(1, 3, 6) }, .out = { F32(1, 3, 6) } },
    { "large, more pieces than a device covers along one axis", OPTIONS(rotate_4), .no_golden = true, .in = { F32(1, 7, 40000) },
      .out = { F32(1, 7, 40000) } },
    { "one piece of 4096 (the package wants the vector)", OPTIONS(rotate_4096), .no_golden = true, .in = { F32(1, 4096) },
      .out = { F32(1, 4096) } },
    { "rows that the size does not divide", OPTIONS(rotate_16), .in = { F32(3, 24) }, .fails = "size 16 for rows of 24" },
    { "size 6", OPTIONS(rotate_6), .in = { F32(3, 12) }, .fails = "power of two" },
    { "rank 4", OPTIONS(rotate_4), .in = { F32(1, 2, 3, 8) }, .fails = "rank 2 or 3" },
    { "integers", OPTIONS(rotate_4), .in = { TENSOR(INT32, 3, 8) }, .fails = "type INT32" },
    { 0 }
};
