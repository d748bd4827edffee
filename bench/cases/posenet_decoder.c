/* SPDX-License-Identifier: Apache-2.0 */
/* posenet_decoder.c - cases of Coral's PosenetDecoderOp. TensorFlow Lite has no kernel for it, so there are no golden outputs. */
#include "bench/opcheck/opcheck.h"

static const char twenty[] = "max_detections=20 nms_radius=10.0 score_threshold=0.2 stride=16";
static const char two[] = "max_detections=2 nms_radius=20.0 score_threshold=0.05 stride=8";
static const char none_at_all[] = "max_detections=0 nms_radius=10.0 score_threshold=0.2 stride=16";
static const char stride_0[] = "max_detections=20 nms_radius=10.0 score_threshold=0.2 stride=0";

#define OPTIONS(text) .flex = text
#define NO_KERNEL .no_golden = true
#define POSES .out = { {TYPE_FLOAT32}, {TYPE_FLOAT32}, {TYPE_FLOAT32}, {TYPE_FLOAT32} }
#define MAPS(h, w) F32_IN(-4, 4, 1, h, w, 17), F32_IN(-20, 20, 1, h, w, 34), F32_IN(-60, 60, 1, h, w, 64)

const struct op_case posenet_decoder_cases[] = {
    { "floats (unknown to TFLite)", OPTIONS(twenty), NO_KERNEL, POSES, .in = { MAPS(9, 7) } },
    { "at most two poses (unknown to TFLite)", OPTIONS(two), NO_KERNEL, POSES, .in = { MAPS(11, 5) } },
    { "uint8, many equal scores (unknown to TFLite)", OPTIONS(twenty), NO_KERNEL, POSES,
      .in = { QUANT(UINT8, .09f, 200, 1, 9, 7, 17), QUANT(UINT8, .7f, 126, 1, 9, 7, 34), QUANT(UINT8, 1.5f, 130, 1, 9, 7, 64) } },
    { "one cell (unknown to TFLite)", OPTIONS(twenty), NO_KERNEL, POSES, .in = { MAPS(1, 1) } },
    { "nobody there (unknown to TFLite)", OPTIONS(twenty), NO_KERNEL, POSES,
      .in = { F32_IN(-9, -5, 1, 3, 3, 17), F32(1, 3, 3, 34), F32(1, 3, 3, 64) } },
    { "specials (unknown to TFLite)", OPTIONS(twenty), NO_KERNEL, POSES,
      .in = { F32_SPECIAL(1, 5, 5, 17), F32_SPECIAL(1, 5, 5, 34), F32_SPECIAL(1, 5, 5, 64) } },
    { "channels that do not fit", OPTIONS(twenty), POSES, .in = { F32(1, 3, 3, 17), F32(1, 3, 3, 17), F32(1, 3, 3, 64) },
      .fails = "expected [1,height,width,34]" },
    { "maps of other sizes", OPTIONS(twenty), POSES, .in = { F32(1, 3, 3, 17), F32(1, 3, 3, 34), F32(1, 3, 2, 64) },
      .fails = "the heatmaps FLOAT32[1,3,3,17]" },
    { "no poses wanted", OPTIONS(none_at_all), POSES, .in = { MAPS(3, 3) }, .fails = "at most 0 poses" },
    { "stride 0", OPTIONS(stride_0), POSES, .in = { MAPS(3, 3) }, .fails = "stride of 0" },
    { "int8", OPTIONS(twenty), POSES, .fails = "type INT8",
      .in = { QUANT(INT8, .09f, 0, 1, 3, 3, 17), QUANT(INT8, .7f, 0, 1, 3, 3, 34), QUANT(INT8, 1.5f, 0, 1, 3, 3, 64) } },
    { 0 }
};
