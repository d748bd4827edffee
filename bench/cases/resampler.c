/* SPDX-License-Identifier: Apache-2.0 */
/* resampler.c - cases of Resampler. TensorFlow Lite has no kernel for it, so there are no golden outputs. */
#include "bench/opcheck/opcheck.h"

const struct op_case resampler_cases[] = {
    { "within and around", .no_golden = true, .in = { F32(2, 4, 5, 3), F32_IN(-2, 6, 2, 4, 5, 2) } },
    { "a smaller grid", .no_golden = true, .in = { F32(1, 4, 5, 3), F32_IN(0, 4, 1, 2, 3, 2) }, .out = { F32(1, 2, 3, 3) } },
    { "NaN and infinite points", .no_golden = true, .in = { F32(1, 4, 5, 1), F32_SPECIAL(1, 4, 5, 2) } },
    { "points of one coordinate", .fails = "expected [n,h,w,c]", .in = { F32(1, 4, 5, 1), F32(1, 4, 5, 1) } },
    { 0 }
};
