/* softmax.c - cases of SOFTMAX, LOG_SOFTMAX and L2_NORMALIZATION. */
#include "../opcheck.h"

#define BETA(b) .opt = &(struct opt_softmax){ .beta = b }

const struct op_case softmax_cases[] = {
    { "rows of 10", BETA(1), .in = { F32_IN(-5, 5, 7, 10) } },
    { "rank 1", BETA(1), .in = { F32(13) } },
    { "rank 3", BETA(1), .in = { F32(2, 3, 5) } },
    { "rank 4, beta 0.5", BETA(.5f), .in = { F32_IN(-5, 5, 2, 3, 2, 5) } },
    { "large values, beta 2", BETA(2), .in = { F32_IN(-1000, 1000, 5, 9) } },
    { "rows of 1", BETA(1), .in = { F32(5, 1) } },
    { "specials", BETA(1), .in = { F32_SPECIAL(24, 4) } },
    { "scalar", BETA(1), .in = { F32_SCALAR }, .fails = "scalar" },
    { "large (fast against reference)", BETA(1), .no_golden = true, .in = { F32_IN(-9, 9, 5, 1001) } },
    { 0 }
};

const struct op_case log_softmax_cases[] = {
    { "rows of 10", .in = { F32_IN(-5, 5, 7, 10) } },
    { "rank 1", .in = { F32(13) } },
    { "rank 4", .in = { F32_IN(-5, 5, 2, 3, 2, 5) } },
    { "large values", .in = { F32_IN(-1000, 1000, 5, 9) } },
    { "specials", .in = { F32_SPECIAL(24, 4) } },
    { "scalar", .in = { F32_SCALAR }, .fails = "scalar" },
    { 0 }
};

const struct op_case l2_norm_cases[] = {
    { "rows of 10", .in = { F32(7, 10) } },
    { "rank 4", .in = { F32(2, 3, 2, 5) } },
    { "small values", .in = { F32_IN(-1e-7, 1e-7, 5, 9) }, .gpu_tol_fp16 = 1 /* they have one digit there */ },
    { "specials", .in = { F32_SPECIAL(24, 4) } },
    { "activation", .opt = &(struct opt_l2_norm){ .activation = ACT_RELU }, .in = { F32(7, 10) },
      .fails = "fused activation" },
    { 0 }
};
