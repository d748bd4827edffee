/* SPDX-License-Identifier: Apache-2.0 */
/* mfcc.c - cases of Mfcc. The options are named after what they say. */
#include "bench/opcheck/opcheck.h"

static const char speech[] =
    "dct_coefficient_count=13 filterbank_channel_count=40 lower_frequency_limit=20 upper_frequency_limit=4000";
static const char few[] =
    "dct_coefficient_count=6 filterbank_channel_count=6 lower_frequency_limit=100 upper_frequency_limit=3000";
static const char narrow[] =
    "dct_coefficient_count=3 filterbank_channel_count=9 lower_frequency_limit=600 upper_frequency_limit=900";
static const char reals[] =
    "dct_coefficient_count=4 filterbank_channel_count=6 lower_frequency_limit=100.5 "
    "upper_frequency_limit=3000.9";
static const char too_many[] =
    "dct_coefficient_count=5 filterbank_channel_count=4 lower_frequency_limit=20 upper_frequency_limit=4000";
static const char upside_down[] =
    "dct_coefficient_count=4 filterbank_channel_count=4 lower_frequency_limit=4000 upper_frequency_limit=20";
static const char no_channels[] =
    "dct_coefficient_count=0 filterbank_channel_count=0 lower_frequency_limit=20 upper_frequency_limit=4000";

#define OPTIONS(text) .flex = text

const struct op_case mfcc_cases[] = {
    { "as speech models have it", OPTIONS(speech), .in = { F32_IN(0, 9, 1, 1, 257), I32S(16000) }, .out = { F32(1, 1, 13) } },
    { "two channels, three windows", OPTIONS(few), .in = { F32_IN(0, 9, 2, 3, 33), I32S(8000) }, .out = { F32(2, 3, 6) } },
    { "bands between the frequencies", OPTIONS(narrow), .in = { F32_IN(0, 9, 1, 2, 17), I32S(8000) }, .out = { F32(1, 2, 3) } },
    { "limits with a fraction", OPTIONS(reals), .in = { F32_IN(0, 9, 1, 2, 33), I32S(8000) }, .out = { F32(1, 2, 4) } },
    { "silence", OPTIONS(few), .in = { { TYPE_FLOAT32, CASE_DIMS(1, 1, 5), .fill = FILL_GIVEN, .data = (const float[5]){0} },
      I32S(8000) }, .out = { F32(1, 1, 6) } },
    { "sample rate known only while running", OPTIONS(few),
      .in = { F32_IN(0, 9, 1, 2, 33), { TYPE_INT32, .rank = 0, .fill = FILL_GIVEN, .data = (const int32_t[]){11025} } },
      .out = { F32(1, 2, 6) } },
    { "no windows", OPTIONS(few), .in = { F32(1, 0, 33), I32S(8000) }, .out = { F32(1, 0, 6) } },
    { "frequencies beyond the spectrum give zeros", OPTIONS(few),
      .in = { F32_IN(0, 9, 1, 1, 33), I32S(4000) }, .out = { F32(1, 1, 6) } },
    { "sample rate 1", OPTIONS(few), .in = { F32(1, 1, 33), I32S(1) }, .out = { F32(1, 1, 6) } },
    { "sample rate 0", OPTIONS(few), .fails = "sample rate 0", .in = { F32(1, 1, 33), I32S(0) }, .out = { F32(1, 1, 6) } },
    { "two sample rates", OPTIONS(few), .fails = "expected one number", .in = { F32(1, 1, 33), I32S(1, 2) },
      .out = { F32(1, 1, 6) } },
    { "more coefficients than bands", OPTIONS(too_many), .fails = "5 coefficients of 4 bands",
      .in = { F32(1, 1, 33), I32S(8000) }, .out = { F32(1, 1, 5) } },
    { "no bands", OPTIONS(no_channels), .fails = "0 coefficients of 0 bands", .in = { F32(1, 1, 33), I32S(8000) },
      .out = { F32(1, 1, 0) } },
    { "limits upside down", OPTIONS(upside_down), .fails = "frequencies from 4000 to 20 Hz",
      .in = { F32(1, 1, 33), I32S(8000) }, .out = { F32(1, 1, 4) } },
    { "one frequency", OPTIONS(few), .fails = "2 or more frequencies", .in = { F32(1, 1, 1), I32S(8000) },
      .out = { F32(1, 1, 6) } },
    { "INT32 spectrum", OPTIONS(few), .fails = "no CPU kernel", .in = { TENSOR(INT32, 1, 1, 33), I32S(8000) },
      .out = { F32(1, 1, 6) } },
    { 0 }
};
