/* SPDX-License-Identifier: Apache-2.0 */
/* l2_norm.c - cases of L2_NORMALIZATION. */
#include "bench/opcheck/opcheck.h"

const struct op_case l2_norm_cases[] = {
    { "rows of 10", .in = { F32(7, 10) } },
    { "rank 4", .in = { F32(2, 3, 2, 5) } },
    { "rank 5", .in = { F32(2, 3, 1, 2, 5) } },
    { "small values", .in = { F32_IN(-1e-7, 1e-7, 5, 9) }, .gpu_tol_fp16 = .35 /* half a step of the smallest halves is .3 of the largest */ },
    { "specials", .in = { F32_SPECIAL(24, 4) } },
    { "int8", .version = 2, .in = { QUANT(INT8, .1f, 3, 7, 9) }, .out = { QUANT(INT8, 1.f / 128, 0) } },
    { "int8, rows of 1", .version = 2, .in = { QUANT(INT8, .1f, -100, 17, 1) }, .out = { QUANT(INT8, 1.f / 128, 0) } },
    { "uint8", .in = { QUANT(UINT8, .1f, 130, 7, 9) }, .out = { QUANT(UINT8, 1.f / 128, 128) } },
    { "int8 to another scale", .version = 2, .in = { QUANT(INT8, .1f, 3, 7, 9) }, .out = { QUANT(INT8, .1f, 0) },
      .fails = "1/128" },
    { "activation", .opt = &(struct opt_l2_norm){ .activation = ACT_RELU }, .in = { F32(7, 10) },
      .fails = "fused activation" },
    { "long rows (for the GPU)", .no_golden = true, .in = { F32(2, 131) } },
    { 0 }
};
