/* SPDX-License-Identifier: Apache-2.0 */
/* stablehlo_elementwise.c - cases of STABLEHLO_ADD MULTIPLY MAXIMUM MINIMUM AND SHIFT_LEFT. */
#include "bench/cases/elementwise.h"

#define PAIR(type_) { #type_, .in = { TENSOR(type_, 3, 7), TENSOR(type_, 3, 7) } }

#define INT_CASES                                                                                                              \
    PAIR(INT8), PAIR(UINT8), PAIR(INT16), PAIR(INT32), PAIR(INT64),                                                            \
    { "shapes differ", .in = { TENSOR(INT32, 3), TENSOR(INT32, 1) }, .fails = "differ" }

#define EXTREME(type_) { #type_ " of all bits", .in = { SPECIAL(type_, 2, 1, 3, 1, 7), SPECIAL(type_, 2, 1, 3, 1, 7) } }

#define ALL_CASES INT_CASES, EXTREME(INT64), EXTREME(UINT32), EXTREME(UINT64), PAIR(BOOL), PAIR(FLOAT32), PAIR(FLOAT64), { "specials", .in = { F32_SPECIAL(64), F32_SPECIAL(64) } }

const struct op_case stablehlo_add_cases[] = { ALL_CASES, { 0 } };
const struct op_case stablehlo_multiply_cases[] = { ALL_CASES, { 0 } };
const struct op_case stablehlo_maximum_cases[] = { ALL_CASES, PAIR(FLOAT16), { 0 } };
const struct op_case stablehlo_minimum_cases[] = { ALL_CASES, PAIR(FLOAT16), { 0 } };
const struct op_case stablehlo_and_cases[] = { INT_CASES, EXTREME(INT64), EXTREME(UINT32), EXTREME(UINT64), PAIR(BOOL), { 0 } };

/* TFLite does not hold the shapes against each other. */
#define SHIFT(type_) { #type_, .skip_golden = "empty", .in = { TENSOR(type_, 3, 7), {TYPE_##type_, CASE_DIMS(3, 7), .hi = 7} } }

const struct op_case stablehlo_shift_left_cases[] = {
    SHIFT(INT8), SHIFT(INT16), SHIFT(INT32),
    { "extremes", .in = { {TYPE_INT32, CASE_DIMS(3, 7), .fill = FILL_SPECIAL}, {TYPE_INT32, CASE_DIMS(3, 7), .hi = 31} } },
    { "beyond the width (undefined in TFLite)", .no_golden = true,
      .in = { TENSOR(INT32, 3, 7), {TYPE_INT32, CASE_DIMS(3, 7), .fill = FILL_SPECIAL} } },
    { "empty", .in = { TENSOR(INT32, 0, 7), TENSOR(INT32, 0, 7) } },
    { "float32", .in = { F32(3), F32(3) }, .fails = "FLOAT32" },
    { 0 }
};
