/* SPDX-License-Identifier: Apache-2.0 */
/* batch_matmul.c - cases of BATCH_MATMUL. */
#include "../opcheck.h"

#define BMM(x, y) .opt = &(struct opt_batch_matmul){ .adj_x = x, .adj_y = y }

static const float scales[] = { .02f, .013f, .0371f, .005f, .029f, .017f, .011f };

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
    { "int8", BMM(0, 0), .version = 2, .in = { QUANT(INT8, .05f, 3, 2, 4, 5), QUANT(INT8, .1f, -7, 2, 5, 7) },
      .out = { QUANT(INT8, .3f, 5) } },
    { "int8, adj_x and adj_y, constant", BMM(1, 1), .version = 2,
      .in = { QUANT(INT8, .05f, 3, 2, 5, 4), CONST_QUANT(INT8, .1f, -7, 2, 7, 5) }, .out = { QUANT(INT8, .3f, 5) } },
    { "int8 broadcast", BMM(0, 0), .version = 2, .in = { QUANT(INT8, .05f, 3, 2, 1, 2, 5), QUANT(INT8, .1f, -7, 3, 5, 4) },
      .out = { QUANT(INT8, .3f, 5) } },
    { "int8 to int32: zero points do not count", BMM(0, 1), .version = 3,
      .in = { QUANT(INT8, .05f, 3, 3, 5), QUANT(INT8, .1f, -7, 7, 5) }, .out = { {TYPE_INT32} } },
    { "int16", BMM(0, 0), .version = 2, .in = { QUANT(INT16, .0005f, 0, 2, 3, 5), QUANT(INT16, .0003f, 0, 2, 5, 4) },
      .out = { QUANT(INT16, .01f, 0) } },
    { "int16 times int8", BMM(1, 0), .version = 4, .in = { QUANT(INT16, .0005f, 0, 2, 5, 3), QUANT(INT8, .03f, 0, 2, 5, 4) },
      .out = { QUANT(INT16, .01f, 0) } },
    { "hybrid", BMM(0, 0), .in = { F32(2, 3, 5), CONST_QUANT(INT8, .02f, 0, 5, 7) } },
    { "hybrid, asymmetric", .opt = &(struct opt_batch_matmul){ .asymmetric_quantize_inputs = true }, .version = 4,
      .in = { F32_IN(-1, 4, 2, 3, 5), CONST_QUANT(INT8, .02f, 0, 2, 5, 7) } },
    { "hybrid, adj_x and adj_y", BMM(1, 1), .in = { F32(2, 5, 3), CONST_QUANT(INT8, .02f, 0, 2, 7, 5) } },
    { "hybrid, a scale per column", BMM(0, 1), .version = 4,
      .in = { F32(2, 3, 5), {TYPE_INT8, CASE_DIMS(7, 5), .constant = true, .scales = scales, .channel_dim = 0} } },
    { "float times int16", BMM(0, 0), .in = { F32(3, 5), QUANT(INT16, .1f, 0, 5, 7) }, .fails = "INT16" },
    { "inner dimensions differ", BMM(0, 0), .in = { F32(3, 5), F32(4, 7) }, .fails = "inner dimensions 5 and 4" },
    { "leading dimensions differ", BMM(0, 0), .in = { F32(2, 3, 5), F32(3, 5, 7) }, .fails = "broadcast" },
    { "a vector", BMM(0, 0), .in = { F32(5), F32(5, 7) }, .fails = "no matrices" },
    { "large (fast against reference)", BMM(0, 0), .no_golden = true, .in = { F32(3, 37, 67), F32(3, 67, 45) } },
    { "large, adj_x and adj_y (fast against reference)", BMM(1, 1), .no_golden = true,
      .in = { F32(2, 67, 37), CONST_F32(2, 45, 67) } },
    { 0 }
};
