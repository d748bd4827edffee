/* SPDX-License-Identifier: Apache-2.0 */
/* rfft2d.c - cases of RFFT2D. */
#include "bench/opcheck/opcheck.h"

#define COMPLEX(...) .out = { TENSOR(COMPLEX64, __VA_ARGS__) }

const struct op_case rfft2d_cases[] = {
    /* One NaN or infinity spreads over a plane, through which numbers depends on the order of the butterflies. */
    { "whole planes", .skip_golden = "special values", .in = { F32(2, 4, 8), I32S(4, 8) }, COMPLEX(2, 4, 5) },
    { "one plane, tall", .in = { F32(16, 2), I32S(16, 2) }, COMPLEX(16, 2) },
    { "cropped", .in = { F32(2, 1, 5, 11), I32S(4, 8) }, COMPLEX(2, 1, 4, 5) },
    { "zeros after rows and columns", .in = { F32(3, 3, 5), I32S(8, 16) }, COMPLEX(3, 8, 9) },
    { "one row, as speech models have it", .in = { F32(3, 1, 30), I32S(1, 32) }, COMPLEX(3, 1, 17) },
    { "one column, where TensorFlow Lite reads beyond its rows", .no_golden = true, .in = { F32(4, 3), I32S(4, 1) },
      COMPLEX(4, 1) },
    { "large values", .in = { F32_IN(-1e6, 1e6, 4, 4), I32S(4, 4) }, COMPLEX(4, 3) },
    { "frames of speech (too large for text)", .no_golden = true, .in = { F32(31, 1, 400), I32S(1, 512) }, COMPLEX(31, 1, 257) },
    { "images (too large for text)", .no_golden = true, .in = { F32(3, 61, 70), I32S(64, 128) }, COMPLEX(3, 64, 65) },
    { "longer than a matrix may be (too large for text)", .no_golden = true, .in = { F32(1, 4000), I32S(1, 4096) },
      COMPLEX(1, 2049) },
    { "no planes", .in = { F32(0, 4, 4), I32S(4, 4) }, COMPLEX(0, 4, 3) },
    { "lengths known only while running",
      .in = { F32(3, 5), { TYPE_INT32, .rank = 1, .dim = {2}, .fill = FILL_GIVEN, .data = (const int32_t[]){4, 8} } },
      COMPLEX(4, 5) },
    { "not a power of two", .fails = "4x6 points, expected powers of two", .in = { F32(4, 6), I32S(4, 6) }, COMPLEX(4, 4) },
    { "length 0", .fails = "0x4 points", .in = { F32(4, 4), I32S(0, 4) }, COMPLEX(4, 3) },
    { "negative length", .fails = "-2147483648x4 points", .in = { F32(4, 4), I32S(INT32_MIN, 4) }, COMPLEX(4, 3) },
    { "one length", .fails = "expected [...,rows,cols] and [2]", .in = { F32(4, 4), I32S(4) }, COMPLEX(4, 3) },
    { "a line", .fails = "expected [...,rows,cols] and [2]", .in = { F32(8), I32S(1, 8) }, COMPLEX(1, 5) },
    { "INT32 planes", .fails = "no CPU kernel", .in = { TENSOR(INT32, 4, 4), I32S(4, 4) }, COMPLEX(4, 3) },
    { 0 }
};
