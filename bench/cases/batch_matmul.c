/* batch_matmul.c - cases of BATCH_MATMUL. */
#include "../opcheck.h"

#define BMM(x, y) .opt = &(struct opt_batch_matmul){ .adj_x = x, .adj_y = y }

const struct op_case batch_matmul_cases[] = {
    { "matrices", BMM(0, 0), .in = { F32(3, 5), F32(5, 7) } },
    { "constant right side", BMM(0, 0), .in = { F32(4, 5), CONST_F32(5, 18) } },
    { "batches", BMM(0, 0), .in = { F32(3, 2, 5), F32(3, 5, 4) } },
    { "adj_x", BMM(1, 0), .in = { F32(2, 5, 3), F32(2, 5, 4) } },
    { "adj_y", BMM(0, 1), .in = { F32(2, 3, 5), F32(2, 4, 5) } },
    { "adj_x and adj_y, constant", BMM(1, 1), .in = { F32(2, 5, 3), CONST_F32(2, 4, 5) } },
    { "right side broadcast", BMM(0, 0), .in = { F32(2, 3, 2, 5), F32(5, 4) } },
    { "left side broadcast", BMM(0, 0), .in = { F32(2, 5), F32(3, 5, 4) } },
    { "both broadcast", BMM(0, 1), .in = { F32(2, 1, 2, 3), F32(1, 3, 4, 3) } },
    { "rank 5", BMM(0, 0), .in = { F32(2, 1, 2, 2, 3), F32(2, 1, 3, 2) } },
    { "a vector times a matrix", BMM(0, 0), .in = { F32(1, 9), F32(9, 11) } },
    { "specials", BMM(0, 0), .in = { F32_SPECIAL(8, 6), F32(6, 3) } },
    { "inner dimensions differ", BMM(0, 0), .in = { F32(3, 5), F32(4, 7) }, .fails = "inner dimensions 5 and 4" },
    { "leading dimensions differ", BMM(0, 0), .in = { F32(2, 3, 5), F32(3, 5, 7) }, .fails = "broadcast" },
    { "a vector", BMM(0, 0), .in = { F32(5), F32(5, 7) }, .fails = "no matrices" },
    { "large (fast against reference)", BMM(0, 0), .no_golden = true, .in = { F32(3, 37, 67), F32(3, 67, 45) } },
    { "large, adj_x and adj_y (fast against reference)", BMM(1, 1), .no_golden = true,
      .in = { F32(2, 67, 37), CONST_F32(2, 45, 67) } },
    { 0 }
};
