/* fully_connected.c - cases of FULLY_CONNECTED. */
#include "../opcheck.h"

#define FC(act, ...) .opt = &(struct opt_fully_connected){ .activation = ACT_##act, __VA_ARGS__ }

const struct op_case fully_connected_cases[] = {
    { "one row", FC(NONE), .in = { F32(1, 13), CONST_F32(7, 13), CONST_F32(7) } },
    { "nine rows, RELU", FC(RELU), .in = { F32(9, 5), CONST_F32(18, 5), CONST_F32(18) } },
    { "RELU6", FC(RELU6), .in = { F32_IN(-9, 9, 3, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "RELU_N1_TO_1", FC(RELU_N1_TO_1), .in = { F32_IN(-9, 9, 3, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "no bias", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6) } },
    { "bias omitted", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6), OMITTED } },
    { "input flattened", FC(NONE), .in = { F32(2, 3, 2, 3), CONST_F32(5, 6), CONST_F32(5) } },
    { "rank 1", FC(NONE), .in = { F32(6), CONST_F32(5, 6), CONST_F32(5) } },
    { "keep_num_dims", FC(NONE, .keep_num_dims = true), .version = 5, .in = { F32(2, 3, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "weights at run time", FC(NONE), .in = { F32(2, 6), F32(5, 6), F32(5) } },
    { "specials", FC(NONE), .in = { F32_SPECIAL(8, 6), CONST_F32(5, 6), CONST_F32(5) } },
    { "specials, RELU", FC(RELU), .in = { F32_SPECIAL(8, 3), CONST_F32(5, 3), CONST_F32(5) } },
    { "depth does not divide", FC(NONE), .in = { F32(2, 7), CONST_F32(5, 6), CONST_F32(5) }, .fails = "rows of 6" },
    { "keep_num_dims with another depth", FC(NONE, .keep_num_dims = true), .version = 5,
      .in = { F32(2, 6, 3), CONST_F32(5, 6), CONST_F32(5) }, .fails = "depth is 6" },
    { "short bias", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6), CONST_F32(4) }, .fails = "4 bias values for 5 units" },
    { "filter of rank 3", FC(NONE), .in = { F32(2, 6), CONST_F32(5, 6, 1), CONST_F32(5) }, .fails = "[units, depth]" },
    { "deep", FC(NONE), .in = { F32(2, 1101), CONST_F32(67, 1101), CONST_F32(67) } },
    { "large (fast against reference)", FC(RELU), .no_golden = true,
      .in = { F32(21, 1101), CONST_F32(67, 1101), CONST_F32(67) } },
    { 0 }
};
