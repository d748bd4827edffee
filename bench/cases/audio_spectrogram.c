/* SPDX-License-Identifier: Apache-2.0 */
/* audio_spectrogram.c - cases of AudioSpectrogram. The options are named after what they say. */
#include "bench/opcheck/opcheck.h"

static const char squared[] = "magnitude_squared=true stride=4 window_size=8";
static const char odd_window[] = "magnitude_squared=false stride=3 window_size=11";
static const char with_gaps[] = "magnitude_squared=false stride=7 window_size=4";
static const char window_of_one[] = "magnitude_squared=false stride=1 window_size=1";
static const char no_stride[] = "magnitude_squared=false stride=0 window_size=4";
static const char huge_window[] = "magnitude_squared=false stride=1 window_size=2000000000";

#define OPTIONS(text) .flex = text

const struct op_case audio_spectrogram_cases[] = {
    /* One NaN or infinity spreads over a window, through which numbers depends on the order of the butterflies. */
    { "squared, windows of a power of two", .skip_golden = "special values", OPTIONS(squared), .in = { F32(32, 1) }, .out = { F32(1, 7, 5) } },
    { "two channels, an odd window", OPTIONS(odd_window), .in = { F32(30, 2) }, .out = { F32(2, 7, 9) } },
    { "samples between the windows", OPTIONS(with_gaps), .in = { F32(30, 3) }, .out = { F32(3, 4, 3) } },
    { "large samples", OPTIONS(odd_window), .in = { F32_IN(-32768, 32767, 14, 1) }, .out = { F32(1, 2, 9) } },
    { "exactly one window", OPTIONS(squared), .in = { F32(8, 1) }, .out = { F32(1, 1, 5) } },
    { "too few samples for one window", OPTIONS(squared), .in = { F32(7, 2) }, .out = { F32(2, 0, 5) } },
    { "no map", .custom = "no FlexBuffer", .n_custom = 13, .fails = "not a FlexBuffers map", .in = { F32(8, 1) },
      .out = { F32(1, 1, 5) } },
    { "windows of one sample", OPTIONS(window_of_one), .fails = "windows of 1 samples", .in = { F32(8, 1) },
      .out = { F32(1, 8, 1) } },
    { "windows beyond any size", OPTIONS(huge_window), .fails = "windows of 2000000000 samples", .in = { F32(8, 1) },
      .out = { F32(1, 0, 1) } },
    { "stride 0", OPTIONS(no_stride), .fails = "stride 0", .in = { F32(8, 1) }, .out = { F32(1, 1, 3) } },
    { "sound without channels", OPTIONS(squared), .fails = "expected [samples,channels]", .in = { F32(8) },
      .out = { F32(1, 1, 5) } },
    { "INT16 samples", OPTIONS(squared), .fails = "no CPU kernel", .in = { TENSOR(INT16, 8, 1) }, .out = { F32(1, 1, 5) } },
    { 0 }
};
