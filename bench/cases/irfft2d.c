/* SPDX-License-Identifier: Apache-2.0 */
/* irfft2d.c - cases of IRFFT2D. */
#include "bench/opcheck/opcheck.h"

#define REAL {{TYPE_FLOAT32}}
#define NOT_IN_PACKAGE .no_golden = true

const struct op_case irfft2d_cases[] = {
    { "8x8 (not in the package)", NOT_IN_PACKAGE, .in = { TENSOR(COMPLEX64, 8, 5), I32S(8, 8) }, .out = REAL },
    { "two planes, cropped and filled up (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(COMPLEX64, 2, 5, 3), I32S(4, 16) }, .out = REAL },
    { "one column (not in the package)", NOT_IN_PACKAGE,
      .in = { TENSOR(COMPLEX64, 8, 1), I32S(8, 1) }, .out = REAL },
    { "one row (not in the package)", NOT_IN_PACKAGE, .in = { TENSOR(COMPLEX64, 1, 9), I32S(1, 16) }, .out = REAL },
    { "two by two (not in the package)", NOT_IN_PACKAGE, .in = { TENSOR(COMPLEX64, 2, 2), I32S(2, 2) }, .out = REAL },
    { "frames of speech (too large for text)", .no_golden = true, .in = { TENSOR(COMPLEX64, 31, 1, 257), I32S(1, 512) },
      .out = REAL },
    { "images (too large for text)", .no_golden = true, .in = { TENSOR(COMPLEX64, 3, 64, 65), I32S(64, 128) }, .out = REAL },
    { "six rows", .in = { TENSOR(COMPLEX64, 6, 5), I32S(6, 8) }, .out = REAL, .fails = "powers of two" },
    { "reals", .in = { F32(8, 5), I32S(8, 8) }, .out = REAL, .fails = "type FLOAT32" },
    { "rank 1", .in = { TENSOR(COMPLEX64, 5), I32S(1, 8) }, .out = REAL, .fails = "expected [...,rows,cols]" },
    { 0 }
};
