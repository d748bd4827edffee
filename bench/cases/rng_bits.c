/* SPDX-License-Identifier: Apache-2.0 */
/* rng_bits.c - cases of STABLEHLO_RNG_BIT_GENERATOR. */
#include "bench/opcheck/opcheck.h"

#define ALGORITHM(a) .opt = &(struct opt_stablehlo_rng_bit_generator){ RNG_##a }
#define STATE(n, ...) \
    { {TYPE_UINT64, .rank = 1, .dim = {n}, .fill = FILL_GIVEN, .data = (const uint64_t[]){__VA_ARGS__}} }
#define OUT(n, type, ...) { TENSOR(UINT64, n), TENSOR(type, __VA_ARGS__) }

const struct op_case rng_bits_cases[] = {
    { "Philox", ALGORITHM(PHILOX), .in = STATE(3, 0x123456789abcdef0, 7, 0xfedcba9876543210), .out = OUT(3, INT32, 3, 4) },
    { "Philox, two numbers", ALGORITHM(PHILOX), .in = STATE(2, 0x123456789abcdef0, 7), .out = OUT(2, UINT32, 2, 5) },
    { "Philox, counter at its end", ALGORITHM(PHILOX), .in = STATE(3, 1, UINT64_MAX - 1, 5), .out = OUT(3, INT64, 7) },
    { "Philox, half of the counter at its end", ALGORITHM(PHILOX), .in = STATE(3, 1, UINT32_MAX, 5), .out = OUT(3, UINT64, 7) },
    { "default", ALGORITHM(DEFAULT), .in = STATE(3, 1, 2, 3), .out = OUT(3, INT32, 5) },
    { "Threefry", ALGORITHM(THREEFRY), .in = STATE(2, 0x123456789abcdef0, 7), .out = OUT(2, INT32, 3, 3) },
    { "Threefry, counter at its end", ALGORITHM(THREEFRY), .in = STATE(2, 1, UINT64_MAX - 1), .out = OUT(2, UINT64, 5) },
    { "Threefry, INT64", ALGORITHM(THREEFRY), .in = STATE(2, UINT64_MAX, UINT32_MAX), .out = OUT(2, INT64, 2, 2) },
    { "no bits", ALGORITHM(PHILOX), .in = STATE(3, 1, 2, 3), .out = OUT(3, INT32, 0) },
    { "Threefry, three numbers", ALGORITHM(THREEFRY), .fails = "expected 2 numbers", .in = STATE(3, 1, 2, 3),
      .out = OUT(3, INT32, 4) },
    { "one number", ALGORITHM(PHILOX), .fails = "expected 2 or 3 numbers", .in = STATE(1, 1), .out = OUT(1, INT32, 4) },
    { "float bits", ALGORITHM(PHILOX), .fails = "no CPU kernel", .in = STATE(2, 1, 2), .out = OUT(2, FLOAT32, 4) },
    { 0 }
};
