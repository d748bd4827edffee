/* SPDX-License-Identifier: Apache-2.0 */
/* random.c - cases of RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL and MULTINOMIAL. */
#include "bench/opcheck/opcheck.h"

#define SEEDS(a, b) &(struct opt_random){.seed = a, .seed2 = b}

const struct op_case random_uniform_cases[] = {
    { "two seeds", .opt = SEEDS(7, 12), .in = { I32S(3, 5) }, .out = { F32(3, 5) } },
    { "third run", .opt = SEEDS(1234567, -3), .runs = 3, .in = { I32S(2, 3, 4) }, .out = { F32(2, 3, 4) } },
    { "third run, shape at run time", .opt = SEEDS(3, 4), .runs = 3, .in = { TENSOR(INT32, 2) }, .out = { F32(3, 5) } },
    { "one seed, one number", .opt = SEEDS(0, 1), .in = { I32S(1) }, .out = { F32(1) } },
    { "nothing", .opt = SEEDS(1, 1), .in = { I32S(0, 3) }, .out = { F32(0, 3) } },
    { "without seeds (TFLite draws its own)", .opt = SEEDS(0, 0), .no_golden = true, .in = { I32S(4) }, .out = { F32(4) } },
    { "shape of rank 2", .opt = SEEDS(1, 1), .fails = "expected INT32[rank]", .in = { CONST(INT32, 1, 1) }, .out = { F32(1) } },
    { 0 }
};

const struct op_case random_standard_normal_cases[] = {
    { "two seeds", .opt = SEEDS(7, 12), .in = { I32S(4, 5) }, .out = { F32(4, 5) } },
    { "third run, not a multiple of four", .opt = SEEDS(99, 3), .runs = 3, .in = { I32S(2, 3) }, .out = { F32(2, 3) } },
    { "negative size", .opt = SEEDS(1, 1), .fails = "negative", .in = { I32S(-2) }, .out = { F32(1) } },
    { 0 }
};

const struct op_case multinomial_cases[] = {
    { "INT64", .opt = SEEDS(7, 12), .in = { F32_IN(-2, 2, 3, 5), I32_SCALAR(9) }, .out = { TENSOR(INT64, 3, 9) } },
    { "INT32, third run", .opt = SEEDS(5, 6), .runs = 3, .in = { F32_IN(-2, 2, 2, 7), I32_SCALAR(5) }, .out = { TENSOR(INT32, 2, 5) } },
    { "NaN and infinite logits", .opt = SEEDS(7, 12), .in = { F32_SPECIAL(2, 9), I32_SCALAR(9) }, .out = { TENSOR(INT64, 2, 9) } },
    { "no samples (TFLite refuses an empty tensor)", .opt = SEEDS(7, 12), .no_golden = true, .in = { F32(2, 9), I32_SCALAR(0) }, .out = { TENSOR(INT64, 2, 0) } },
    { "no classes", .opt = SEEDS(7, 12), .fails = "expected [batch,classes]", .in = { F32(2, 0), I32_SCALAR(3) },
      .out = { TENSOR(INT64, 2, 3) } },
    { 0 }
};
