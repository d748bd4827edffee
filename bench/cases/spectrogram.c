/* spectrogram.c - cases of AudioSpectrogram. Each FlexBuffer is named after what it says. */
#include "../opcheck.h"

static const uint8_t squared[] = {
    119, 105, 110, 100, 111, 119, 95, 115, 105, 122, 101, 0, 115, 116, 114, 105, 100, 101, 0, 109, 97, 103, 110, 105,
    116, 117, 100, 101, 95, 115, 113, 117, 97, 114, 101, 100, 0, 3, 19, 27, 40, 3, 1, 3, 1, 4, 8, 104, 4, 4, 6, 36, 1
};

static const uint8_t odd_window[] = {
    119, 105, 110, 100, 111, 119, 95, 115, 105, 122, 101, 0, 115, 116, 114, 105, 100, 101, 0, 109, 97, 103, 110, 105,
    116, 117, 100, 101, 95, 115, 113, 117, 97, 114, 101, 100, 0, 3, 19, 27, 40, 3, 1, 3, 0, 3, 11, 104, 4, 4, 6, 36, 1
};

static const uint8_t with_gaps[] = {
    119, 105, 110, 100, 111, 119, 95, 115, 105, 122, 101, 0, 115, 116, 114, 105, 100, 101, 0, 109, 97, 103, 110, 105,
    116, 117, 100, 101, 95, 115, 113, 117, 97, 114, 101, 100, 0, 3, 19, 27, 40, 3, 1, 3, 0, 7, 4, 104, 4, 4, 6, 36, 1
};

static const uint8_t window_of_one[] = {
    119, 105, 110, 100, 111, 119, 95, 115, 105, 122, 101, 0, 115, 116, 114, 105, 100, 101, 0, 109, 97, 103, 110, 105,
    116, 117, 100, 101, 95, 115, 113, 117, 97, 114, 101, 100, 0, 3, 19, 27, 40, 3, 1, 3, 0, 1, 1, 104, 4, 4, 6, 36, 1
};

static const uint8_t no_stride[] = {
    119, 105, 110, 100, 111, 119, 95, 115, 105, 122, 101, 0, 115, 116, 114, 105, 100, 101, 0, 109, 97, 103, 110, 105,
    116, 117, 100, 101, 95, 115, 113, 117, 97, 114, 101, 100, 0, 3, 19, 27, 40, 3, 1, 3, 0, 0, 4, 104, 4, 4, 6, 36, 1
};

static const uint8_t huge_window[] = {
    119, 105, 110, 100, 111, 119, 95, 115, 105, 122, 101, 0, 115, 116, 114, 105, 100, 101, 0, 109, 97, 103, 110, 105,
    116, 117, 100, 101, 95, 115, 113, 117, 97, 114, 101, 100, 0, 3, 19, 27, 40, 0, 0, 0, 6, 0, 0, 0, 1, 0, 0, 0, 3, 0,
    0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 148, 53, 119, 106, 6, 6, 15, 38, 1
};

#define OPTIONS(bytes) .custom = bytes, .n_custom = sizeof bytes

const struct op_case audio_spectrogram_cases[] = {
    /* One NaN or infinity spreads over a window, through which numbers depends on the order of the butterflies. */
    { "squared, windows of a power of two", .apart = "special values", OPTIONS(squared), .in = { F32(32, 1) }, .out = { F32(1, 7, 5) } },
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
