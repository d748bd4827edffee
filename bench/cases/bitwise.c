/* SPDX-License-Identifier: Apache-2.0 */
/* bitwise.c - cases of BITWISE_XOR, RIGHT_SHIFT. */
#include "bench/opcheck/opcheck.h"

#define SIGNED(type_, ...)  {TYPE_##type_, CASE_DIMS(__VA_ARGS__), .lo = -100, .hi = 100}

#define BITWISE_CASES(lo_, hi_)                                                                                                \
    { "int8", .in = { TENSOR(INT8, 3, 7), {TYPE_INT8, CASE_DIMS(3, 7), .lo = (lo_), .hi = (hi_)} } },                          \
    { "uint8", .in = { TENSOR(UINT8, 3, 7), {TYPE_UINT8, CASE_DIMS(3, 7), .lo = 0, .hi = (hi_)} } },                           \
    { "int16", .in = { TENSOR(INT16, 3, 7), {TYPE_INT16, CASE_DIMS(3, 7), .lo = (lo_), .hi = (hi_)} } },                       \
    { "uint16", .in = { TENSOR(UINT16, 3, 7), {TYPE_UINT16, CASE_DIMS(3, 7), .lo = 0, .hi = (hi_)} } },                        \
    { "int32", .in = { SIGNED(INT32, 3, 7), {TYPE_INT32, CASE_DIMS(3, 7), .lo = (lo_), .hi = (hi_)} } },                       \
    { "int32 extremes", .in = { SPECIAL(INT32, 21), {TYPE_INT32, CASE_DIMS(21), .lo = (lo_), .hi = (hi_)} } },                 \
    { "both sides repeat", .in = { SIGNED(INT32, 3, 1, 4), {TYPE_INT32, CASE_DIMS(2, 1), .lo = (lo_), .hi = (hi_)} } },        \
    { "a scalar on the left", .in = { SIGNED(INT32, 1), {TYPE_INT32, CASE_DIMS(2, 5), .lo = (lo_), .hi = (hi_)} } },           \
    { "mismatch", .in = { SIGNED(INT32, 2), {TYPE_INT32, CASE_DIMS(3), .lo = (lo_), .hi = (hi_)} }, .fails = "broadcast" },    \
    { "uint32 broadcast", .in = { TENSOR(UINT32, 3, 7), {TYPE_UINT32, CASE_DIMS(7), .lo = 0, .hi = (hi_)} } },                 \
    { "float32", .in = { F32(3), F32(3) }, .fails = "FLOAT32" }

const struct op_case bitwise_xor_cases[] = { BITWISE_CASES(-99, 99), { 0 } };

const struct op_case right_shift_cases[] = {
    BITWISE_CASES(0, 7),
    { "by fewer bits than none and more than there are", .in = { SPECIAL(INT32, 21), {TYPE_INT32, CASE_DIMS(21), .lo = -50, .hi = 50} } },
    { "by any number", .in = { SPECIAL(INT32, 21), SPECIAL(INT32, 21) } },
    { 0 }
};
