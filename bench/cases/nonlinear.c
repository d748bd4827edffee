/* nonlinear.c - cases of the activations that are ops of their own. */
#include "elementwise.h"

#define ACTIVATION_CASES(opt_)                                                                                                 \
    { "odd sizes", .opt = opt_, .in = { F32_IN(-8, 8, 1, 5, 7, 3) } },                                                         \
    { "specials", .opt = opt_, .in = { F32_SPECIAL(67) } },                                                                    \
    { "rank 5", .opt = opt_, .in = { F32_IN(-20, 20, 2, 1, 3, 2, 5) } },                                                       \
    { "empty", .opt = opt_, .in = { F32(0, 3) } },                                                                             \
    { "int64", .opt = opt_, .in = { TENSOR(INT64, 2) }, .fails = "INT64" }

const struct op_case relu_cases[] = { ACTIVATION_CASES(NULL), { 0 } };
const struct op_case relu6_cases[] = { ACTIVATION_CASES(NULL), { 0 } };
const struct op_case relu_n1_to_1_cases[] = { ACTIVATION_CASES(NULL), { 0 } };
const struct op_case elu_cases[] = { ACTIVATION_CASES(NULL), { 0 } };
const struct op_case tanh_cases[] = { ACTIVATION_CASES(NULL), { 0 } };
const struct op_case logistic_cases[] = { ACTIVATION_CASES(NULL), { 0 } };
const struct op_case hard_swish_cases[] = { ACTIVATION_CASES(NULL), { 0 } };

const struct op_case leaky_relu_cases[] = {
    ACTIVATION_CASES((&(struct opt_leaky_relu){ 0.1f })),
    { "alpha above 1", .opt = &(struct opt_leaky_relu){ 1.5f }, .in = { F32(2, 3, 5) } },
    { 0 }
};

const struct op_case gelu_cases[] = {
    ACTIVATION_CASES(NULL),
    { "approximate", .opt = &(struct opt_gelu){ true }, .in = { F32_IN(-8, 8, 1, 5, 7, 3) } },
    { "approximate, specials", .opt = &(struct opt_gelu){ true }, .in = { F32_SPECIAL(67) } },
    { 0 }
};

const struct op_case prelu_cases[] = {
    { "one slope per channel", .in = { F32_IN(-8, 8, 1, 5, 7, 3), CONST_F32(1, 1, 3) } },
    { "one slope", .in = { F32_IN(-8, 8, 1, 5, 7, 3), CONST_F32(1) } },
    { "one slope per element", .in = { F32_IN(-8, 8, 2, 3, 5), F32(2, 3, 5) } },
    { "specials", .in = { F32_SPECIAL(67), F32(67) } },
    { "slopes larger than the input", .in = { F32(1, 3), F32(2, 3) }, .fails = "slopes" },
    { 0 }
};
