/* SPDX-License-Identifier: Apache-2.0 */
/* pool_argmax.c - cases of MediaPipe's MaxPoolingWithArgmax2D and MaxUnpooling2D, for which LiteRT's interpreter has no
 * kernel to make golden outputs with. */
#include "bench/opcheck/opcheck.h"

#define OPTIONS(pad, k, s) .custom = (const int32_t[]){ PAD_##pad, s, s, k, k, ACT_NONE }, .n_custom = 24, .no_golden = true

const struct op_case max_pool_argmax_cases[] = {
    { "2x2 stride 2 (unknown to TFLite)", OPTIONS(SAME, 2, 2), .in = { F32(1, 4, 6, 3) },
      .out = { {TYPE_FLOAT32}, {TYPE_FLOAT32} } },
    { "3x3 stride 2, valid (unknown to TFLite)", OPTIONS(VALID, 3, 2), .in = { F32(2, 5, 7, 3) },
      .out = { {TYPE_FLOAT32}, {TYPE_FLOAT32} } },
    { "specials (unknown to TFLite)", OPTIONS(SAME, 3, 2), .in = { F32_SPECIAL(1, 5, 7, 3) },
      .out = { {TYPE_FLOAT32}, {TYPE_FLOAT32} } },
    { "short options", .custom = "\1\0\0\0", .n_custom = 4, .in = { F32(1, 4, 6, 3) },
      .out = { {TYPE_FLOAT32}, {TYPE_FLOAT32} }, .fails = "4 option bytes" },
    { "window 0", .custom = (const int32_t[]){ PAD_SAME, 2, 2, 0, 2, 0 }, .n_custom = 24, .in = { F32(1, 4, 6, 3) },
      .out = { {TYPE_FLOAT32}, {TYPE_FLOAT32} }, .fails = "not positive" },
    { 0 }
};

const struct op_case max_unpool_cases[] = {
    { "2x2 stride 2 (unknown to TFLite)", OPTIONS(SAME, 2, 2), .in = { F32(1, 2, 3, 3), F32_IN(0, 3.9, 1, 2, 3, 3) } },
    { "indices beyond the output (unknown to TFLite)", OPTIONS(SAME, 2, 2), .in = { F32(1, 2, 3, 3), F32_SPECIAL(1, 2, 3, 3) } },
    { "INT32 indices (unknown to TFLite)", OPTIONS(VALID, 2, 2),
      .in = { F32(2, 1, 2, 2), {TYPE_INT32, CASE_DIMS(2, 1, 2, 2), .fill = FILL_GIVEN,
                                .data = (const int32_t[]){ 0, 1, 14, 5, 2, 9, 6, 15 }} } },
    { "INT32 indices beyond the output", OPTIONS(VALID, 2, 2),
      .in = { F32(1, 1, 2, 2), {TYPE_INT32, CASE_DIMS(1, 1, 2, 2), .fill = FILL_GIVEN, .data = (const int32_t[]){ 0, 1, 16, 5 }} },
      .fails = "index 16" },
    { "shapes differ", OPTIONS(SAME, 2, 2), .in = { F32(1, 2, 3, 3), F32(1, 2, 3, 2) }, .fails = "one shape" },
    { 0 }
};
