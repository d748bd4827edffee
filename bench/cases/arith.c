/* arith.c - cases of ADD, SUB, MUL, DIV. */
#include "elementwise.h"

#define AWAY_FROM_0(...) F32_IN(0.5, 2, __VA_ARGS__)

#define ACTIVATION_CASES(opt_t)                                                                                                \
    { "relu", .opt = &(struct opt_t){ .activation = ACT_RELU }, .in = { F32_IN(-9, 9, 2, 3, 5), F32_IN(-3, 3, 5) } },          \
    { "relu6", .opt = &(struct opt_t){ .activation = ACT_RELU6 }, .in = { F32_IN(-9, 9, 2, 3, 5), F32_IN(-3, 3, 2, 3, 5) } },  \
    { "relu n1 to 1", .opt = &(struct opt_t){ .activation = ACT_RELU_N1_TO_1 },                                                \
      .in = { F32_IN(-9, 9, 2, 3, 5), F32_IN(-3, 3, 2, 1, 5) } },                                                              \
    { "tanh is not fused", .opt = &(struct opt_t){ .activation = ACT_TANH }, .in = { F32(2), F32(2) },                         \
      .fails = "not a clamp" },                                                                                                \
    { "constant on the right", .in = { F32(2, 3, 5), CONST_F32(5) } },                                                         \
    { "specials", .in = { F32_SPECIAL(64), F32_SPECIAL(64) } },                                                                \
    { "specials, relu6", .opt = &(struct opt_t){ .activation = ACT_RELU6 }, .in = { F32_SPECIAL(64), F32(64) } },              \
    { "types differ", .in = { F32(2, 3), TENSOR(INT32, 2, 3) }, .fails = "types" }

#define INT_CASES(opt_t)                                                                                                       \
    { "int32", .in = { TENSOR(INT32, 2, 3, 5), TENSOR(INT32, 2, 3, 5) } },                                                     \
    { "int32 broadcast, relu6", .opt = &(struct opt_t){ .activation = ACT_RELU6 },                                             \
      .in = { TENSOR(INT32, 2, 3, 5), {TYPE_INT32, CASE_DIMS(3, 1), .lo = -5, .hi = 5} } },                                    \
    { "int64", .in = { TENSOR(INT64, 2, 3, 5), TENSOR(INT64, 5) } }

const struct op_case add_cases[] = {
    BROADCAST_CASES(NULL, F32, F32),
    ACTIVATION_CASES(opt_add),
    INT_CASES(opt_add),
    { "rank 6", .in = { F32(2, 1, 2, 1, 3, 2), F32(1, 3, 1, 2, 1, 2) } },
    { "scalar", .in = { F32(3, 5), F32_SCALAR } },
    { 0 }
};

const struct op_case sub_cases[] = {
    BROADCAST_CASES(NULL, F32, F32),
    ACTIVATION_CASES(opt_sub),
    INT_CASES(opt_sub),
    { "rank 5", .in = { F32(2, 1, 2, 1, 3), F32(1, 3, 1, 2, 1) } },
    { 0 }
};

const struct op_case mul_cases[] = {
    BROADCAST_CASES(NULL, F32, F32),
    ACTIVATION_CASES(opt_mul),
    INT_CASES(opt_mul),
    { "rank 6", .in = { F32(2, 1, 2, 1, 3, 2), F32(1, 3, 1, 2, 1, 2) } },
    { "uint32", .in = { TENSOR(UINT32, 2, 3, 5), TENSOR(UINT32, 3, 1) } },
    { "int16 without scale", .in = { TENSOR(INT16, 2, 3, 5), TENSOR(INT16, 2, 3, 5) } },
    { 0 }
};

const struct op_case div_cases[] = {
    BROADCAST_CASES(NULL, F32, AWAY_FROM_0),
    ACTIVATION_CASES(opt_div),
    { "rank 5", .in = { F32(2, 1, 2, 1, 3), AWAY_FROM_0(1, 3, 1, 2, 1) } },
    { "int32", .in = { {TYPE_INT32, CASE_DIMS(2, 3, 5), .lo = -99, .hi = 99}, {TYPE_INT32, CASE_DIMS(5), .lo = 1, .hi = 9} } },
    { "int32 by zero", .in = { TENSOR(INT32, 4), {TYPE_INT32, CASE_DIMS(4), .fill = FILL_GIVEN, .data = (int32_t[]){1, 2, 0, 3}} },
      .fails = "division by zero at element 2" },
    { "int32 extremes", .no_golden = true,
      .in = { {TYPE_INT32, CASE_DIMS(3), .fill = FILL_SPECIAL}, {TYPE_INT32, CASE_DIMS(1), .lo = -1, .hi = -1} } },
    { 0 }
};
