/* unary.c - cases of ABS NEG EXP LOG SQRT RSQRT SQUARE FLOOR. */
#include "elementwise.h"

#define MAP_CASES(lo_, hi_)                                                                                                    \
    { "odd sizes", .in = { F32_IN(lo_, hi_, 1, 5, 7, 3) } },                                                                   \
    { "specials", .in = { F32_SPECIAL(67) } },                                                                                 \
    { "scalar", .in = { {TYPE_FLOAT32, .rank = 0, .lo = (lo_), .hi = (hi_)} } },                                               \
    { "empty", .in = { F32(0, 3) } },                                                                                          \
    { "strings", .in = { TENSOR(STRING, 2) }, .no_golden = true, .fails = "STRING" }

const struct op_case abs_cases[] = {
    MAP_CASES(-5, 5),
    { "int32", .in = { {TYPE_INT32, CASE_DIMS(2, 3, 7), .lo = -99, .hi = 99} } },
    { 0 }
};

const struct op_case neg_cases[] = {
    MAP_CASES(-5, 5),
    { "int32", .in = { {TYPE_INT32, CASE_DIMS(2, 3, 7), .lo = -99, .hi = 99} } },
    { "int64", .in = { {TYPE_INT64, CASE_DIMS(2, 3, 7), .lo = -99, .hi = 99} } },
    { 0 }
};

const struct op_case exp_cases[] = { MAP_CASES(-5, 5), { 0 } };
const struct op_case log_cases[] = { MAP_CASES(0.01, 5), { 0 } };
const struct op_case sqrt_cases[] = { MAP_CASES(0, 5), { 0 } };
const struct op_case rsqrt_cases[] = { MAP_CASES(0.01, 5), { 0 } };
const struct op_case square_cases[] = { MAP_CASES(-5, 5), { 0 } };
const struct op_case floor_cases[] = { MAP_CASES(-5, 5), { 0 } };
