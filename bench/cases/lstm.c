/* SPDX-License-Identifier: Apache-2.0 */
/* lstm.c - cases of LSTM, UNIDIRECTIONAL_SEQUENCE_LSTM, BIDIRECTIONAL_SEQUENCE_LSTM. */
#include "bench/opcheck/opcheck.h"

/* A variable tensor: state. */
#define STATE(...) {TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .variable = true}

/* Weights of three or four gates: batch 2, 5 inputs, 7 cells, 3 or 7 outputs. */
#define GATES4(cols) CONST_F32(7, cols), CONST_F32(7, cols), CONST_F32(7, cols), CONST_F32(7, cols)
#define GATES3(cols) OMITTED, CONST_F32(7, cols), CONST_F32(7, cols), CONST_F32(7, cols)
#define BIAS4 CONST_F32(7), CONST_F32(7), CONST_F32(7), CONST_F32(7)
#define BIAS3 OMITTED, CONST_F32(7), CONST_F32(7), CONST_F32(7)
#define NONE3 OMITTED, OMITTED, OMITTED

/* The same with 8-bit weights. */
#define W8(...) CONST_QUANT(INT8, 0.01f, 0, __VA_ARGS__)
#define W8_4(cols) W8(7, cols), W8(7, cols), W8(7, cols), W8(7, cols)

/* And made at run time. */
#define MADE8(...) QUANT(INT8, 0.01f, 0, __VA_ARGS__)
#define MADE8_4(cols) MADE8(7, cols), MADE8(7, cols), MADE8(7, cols), MADE8(7, cols)

#define FULL &(struct opt_lstm){.activation = ACT_TANH}
#define CLIPPED &(struct opt_lstm){.activation = ACT_TANH, .cell_clip = 0.3f, .proj_clip = 0.2f}
#define BASIC &(struct opt_lstm){.activation = ACT_TANH, .kernel_type = LSTM_BASIC}

/* The same with 8-bit weights: hybrid, or all in integers with biases and states to match. */
#define W8_3(cols) OMITTED, W8(7, cols), W8(7, cols), W8(7, cols)
#define B32(...) {TYPE_INT32, CASE_DIMS(__VA_ARGS__), .constant = true, .lo = -9000, .hi = 9000, .scale = 1e-4f}
#define B32_4 B32(7), B32(7), B32(7), B32(7)
#define B32_3 OMITTED, B32(7), B32(7), B32(7)
#define X8(...) QUANT(INT8, 0.02f, -5, __VA_ARGS__)
#define H8(...) {TYPE_INT8, CASE_DIMS(__VA_ARGS__), .variable = true, .scale = 0.008f, .zero_point = 3}
#define C16(...) {TYPE_INT16, CASE_DIMS(__VA_ARGS__), .variable = true, .scale = 0x1p-11f}
#define Y8(...) QUANT(INT8, 0.008f, 3, __VA_ARGS__)
#define P16(scale_) CONST_QUANT(INT16, scale_, 0, 7)
#define P16_3 P16(1e-4f), P16(1e-4f), P16(1e-4f)
#define N16_4 P16(3e-5f), P16(3e-5f), P16(3e-5f), P16(3e-5f)

#define MIDS { QUANT(INT16, 2e-4f, 0, 1), QUANT(INT16, 2e-4f, 0, 1), QUANT(INT16, 2e-4f, 0, 1), QUANT(INT16, 2e-4f, 0, 1), \
               QUANT(INT8, 0.0078f, 2, 1) }

/* LSTM's form with 8-bit sums: always coupled gates, layer normalization and a projection. */
#define C15(...) {TYPE_INT16, CASE_DIMS(__VA_ARGS__), .variable = true, .scale = 0x1p-15f}
#define NORM3 OMITTED, P16(3e-5f), P16(3e-5f), P16(3e-5f)

#define SUMS8_OF(w_, n_, x_, y_) OMITTED, w_(n_, x_), w_(n_, x_), w_(n_, x_), OMITTED, w_(n_, y_), w_(n_, y_), w_(n_, y_), NONE3, \
    OMITTED, B32(n_), B32(n_), B32(n_), w_(y_, n_), B32(y_)
#define SUMS8(n_, x_, y_) SUMS8_OF(W8, n_, x_, y_)
#define STATES8(batch_, n_, y_) H8(batch_, y_), C15(batch_, n_), OMITTED, P16_OF(3e-5f, n_), P16_OF(3e-5f, n_), P16_OF(3e-5f, n_)

#define MIDS8 { QUANT(INT16, 4e-4f, 0, 1), QUANT(INT8, 0.031f, 4, 1), QUANT(INT8, 0.012f, -3, 1), \
                QUANT(INT16, 4e-4f, 0, 1), QUANT(INT8, 0.029f, 7, 1), QUANT(INT8, 0.013f, -2, 1), \
                QUANT(INT16, 5e-4f, 0, 1), QUANT(INT8, 0.027f, -9, 1), QUANT(INT8, 0.014f, 1, 1), \
                QUANT(INT16, 6e-4f, 0, 1), QUANT(INT8, 0.033f, 5, 1), QUANT(INT8, 0.011f, 8, 1) }
#define U8(...) {TYPE_UINT8, CASE_DIMS(__VA_ARGS__), .scale = 0x1p-7f, .zero_point = 128}
#define S16(...) {TYPE_INT16, CASE_DIMS(__VA_ARGS__), .scale = 0x1p-11f}

/* The GPU does not quantize what 8-bit weights are multiplied by. */
#define WIDE .gpu_tol = .1, .gpu_tol_fp16 = .15,
#define CONST_F32_SMALL(...) {TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .constant = true, .lo = -.2, .hi = .2}
/* Matrices each of which has a scale of its own. */
#define W8S(scale_, ...) CONST_QUANT(INT8, scale_, 0, __VA_ARGS__)
#define GATES4_S(s0, s1, s2, s3, n, cols) W8S(s0, n, cols), W8S(s1, n, cols), W8S(s2, n, cols), W8S(s3, n, cols)
#define P16_OF(scale_, n) CONST_QUANT(INT16, scale_, 0, n)
#define MIDS_OF(s0, s1, s2, s3, s4) { QUANT(INT16, s0, 0, 1), QUANT(INT16, s1, 0, 1), QUANT(INT16, s2, 0, 1), QUANT(INT16, s3, 0, 1), \
                                      QUANT(INT8, s4, -9, 1) }
#define C16_OF(scale_, ...) {TYPE_INT16, CASE_DIMS(__VA_ARGS__), .variable = true, .scale = scale_}
#define GATES4_OF(kind, n, cols) kind(n, cols), kind(n, cols), kind(n, cols), kind(n, cols)
#define BIAS4_OF(kind, n) kind(n), kind(n), kind(n), kind(n)

#define U8_W(...) CONST_QUANT(UINT8, 0.01f, 0, __VA_ARGS__)
#define B1024(n) {TYPE_INT32, CASE_DIMS(n), .constant = true, .lo = 1024, .hi = 1024, .scale = 1e-4f}
#define N512(n) {TYPE_INT16, CASE_DIMS(n), .constant = true, .lo = 512, .hi = 512, .scale = 0x1p-8f}
#define B_LARGE(n) {TYPE_INT32, CASE_DIMS(n), .constant = true, .lo = 60000, .hi = 80000, .scale = 1e-4f}

/* Weights that are much the same, and that are all the same. */
#define W8_NEAR(...) {TYPE_INT8, CASE_DIMS(__VA_ARGS__), .constant = true, .lo = 100, .hi = 102, .scale = .01f}
#define W8_SAME(...) {TYPE_INT8, CASE_DIMS(__VA_ARGS__), .constant = true, .lo = 40, .hi = 40, .scale = .01f}

const struct op_case lstm_cases[] = {
    /* TFLite takes empty weights for omitted ones. */
    { "full", .skip_golden = "empty", .opt = FULL, .runs = 3, .in = { F32(2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7) } },
    { "no activation", .opt = &(struct opt_lstm){.activation = ACT_NONE}, .runs = 2, .in = { F32(2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED,
      OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "relu", .opt = &(struct opt_lstm){.activation = ACT_RELU}, .runs = 2, .in = { F32(2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED,
      OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "relu6", .opt = &(struct opt_lstm){.activation = ACT_RELU6}, .runs = 2, .in = { F32(2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED,
      OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "coupled gates", .opt = FULL, .runs = 2, .in = { F32(2, 5), GATES3(5), GATES3(7), NONE3, BIAS3, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7) } },
    { "peepholes", .opt = FULL, .runs = 3, .in = { F32(2, 5), GATES4(5), GATES4(7), CONST_F32(7), CONST_F32(7), CONST_F32(7),
      BIAS4, OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "projection", .opt = FULL, .runs = 3, .in = { F32(2, 5), GATES4(5), GATES4(3), NONE3, BIAS4, CONST_F32(3, 7), CONST_F32(3),
      STATE(2, 3), STATE(2, 7) } },
    { "everything, clipped", .opt = CLIPPED, .runs = 3, .in = { F32(2, 5), GATES4(5), GATES4(3), CONST_F32(7), CONST_F32(7),
      CONST_F32(7), BIAS4, CONST_F32(3, 7), OMITTED, STATE(2, 3), STATE(2, 7), BIAS4 } },
    { "no projection for fewer outputs", .opt = FULL, .fails = "need a projection", .in = { F32(2, 5), GATES4(5), GATES4(3),
      NONE3, BIAS4, OMITTED, OMITTED, STATE(2, 3), STATE(2, 7) } },
    { "wrong input width", .opt = FULL, .fails = "expected [batch,5]", .in = { F32(2, 4), GATES4(5), GATES4(7), NONE3, BIAS4,
      OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "basic", .opt = BASIC, .version = 2, .in = { F32(3, 6), F32(3, 5), CONST_F32(20, 11), CONST_F32(20), F32(3, 5) },
      .out = { F32(3, 5), F32(3, 5), F32(3, 11), F32(3, 20) } },
    { "basic, a multiple of four", .opt = BASIC, .version = 2, .in = { F32(1, 7), F32(1, 8), CONST_F32(32, 15), CONST_F32(32),
      F32(1, 8) }, .out = { F32(1, 8), F32(1, 8), F32(1, 15), F32(1, 32) } },
    { "basic, carried over", .opt = BASIC, .version = 2, .runs = 3, .in = { F32(1, 7), STATE(1, 8), CONST_F32(32, 15),
      CONST_F32(32), STATE(1, 8) }, .out = { F32(1, 8), F32(1, 8), F32(1, 15), F32(1, 32) } },
    { "hybrid", .opt = FULL, .version = 3, .runs = 3, .in = { F32(2, 5), W8_4(5), W8_4(7), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7) } },
    { "hybrid, everything, asymmetric", .opt = &(struct opt_lstm){.activation = ACT_TANH, .cell_clip = 3, .proj_clip = 2,
      .asymmetric_quantize_inputs = true}, .version = 4, .runs = 3, .in = { F32_IN(-1, 3, 2, 5), W8_4(5), W8_4(3), W8(7), W8(7),
      W8(7), BIAS4, W8(3, 7), CONST_F32(3), STATE(2, 3), STATE(2, 7), BIAS4 } },
    { "hybrid, coupled gates", .opt = FULL, .version = 3, .runs = 2, .in = { F32(2, 5), W8_3(5), W8_3(7), NONE3, BIAS3, OMITTED,
      OMITTED, STATE(2, 7), STATE(2, 7) } },
    /* TFLite takes their bytes for INT8's. */
    { "hybrid, UINT8 weights", .opt = FULL, .version = 3, .runs = 3, .in = { F32(2, 5), GATES4_OF(U8_W, 7, 5), GATES4_OF(U8_W, 7, 7), NONE3,
      BIAS4, OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "hybrid, the forget gate made at run time, coupled", WIDE .opt = CLIPPED, .version = 2, .runs = 3, .in = { F32(2, 5), OMITTED,
      MADE8(7, 5), W8(7, 5), W8(7, 5), OMITTED, W8(7, 3), MADE8(7, 3), W8(7, 3), OMITTED, MADE8(7), W8(7), BIAS3, MADE8(3, 7),
      F32(3), STATE(2, 3), STATE(2, 7) } },
    { "INT8", .opt = FULL, .version = 2, .runs = 3, .in = { X8(2, 5), W8_4(5), W8_4(7), NONE3, B32_4, OMITTED, OMITTED,
      H8(2, 7), C16(2, 7) }, .mid = MIDS, .out = { Y8(2, 7) } },
    { "INT8, projection", .opt = FULL, .version = 2, .runs = 3, .in = { X8(2, 5), W8_4(5), W8_4(3), NONE3, B32_4, W8(3, 7),
      B32(3), H8(2, 3), C16(2, 7) }, .mid = MIDS, .out = { Y8(2, 3) } },
    /* TFLite ends in weights that are not constant. */
    { "INT8, coupled gates, peepholes", .skip_golden = "at run time", .opt = FULL, .version = 2, .runs = 3, .in = { X8(2, 5), W8_3(5), W8_3(7), OMITTED,
      P16(1e-4f), P16(1e-4f), B32_3, OMITTED, OMITTED, H8(2, 7), C16(2, 7) }, .mid = MIDS, .out = { Y8(2, 7) } },
    { "INT8, layer normalization", .skip_golden = "at run time", .opt = FULL, .version = 2, .runs = 3, .in = { X8(3, 5), W8_4(5), W8_4(7), NONE3, B32_4,
      OMITTED, OMITTED, H8(3, 7), C16(3, 7), N16_4 }, .mid = MIDS, .out = { Y8(3, 7) } },
    { "INT8, everything, clipped", .opt = &(struct opt_lstm){.activation = ACT_TANH, .cell_clip = 0.5f, .proj_clip = 0.3f},
      .version = 2, .runs = 4, .in = { X8(2, 5), W8_4(5), W8_4(3), P16_3, B32_4, W8(3, 7), B32(3), H8(2, 3), C16(2, 7), N16_4 },
      .mid = MIDS, .out = { Y8(2, 3) } },
    { "hybrid, scales of their own, peepholes, projection", .opt = CLIPPED, .version = 3, .runs = 3, .in = { F32_IN(-1, 3, 2, 9),
      GATES4_S(.01f, .004f, .007f, .013f, 11, 9), GATES4_S(.012f, .009f, .005f, .016f, 11, 6), W8S(.011f, 11), W8S(.006f, 11),
      W8S(.003f, 11), BIAS4_OF(CONST_F32, 11), W8S(.008f, 6, 11), CONST_F32(6), STATE(2, 6), STATE(2, 11) } },
    /* Beyond a slice and a vector of the shaders, at the limits of sums, states and clips. */
    { "INT8, scales of their own, peepholes and a projection, saturating", .opt = FULL, .version = 2, .runs = 4,
      .in = { QUANT(INT8, .07f, -5, 3, 9), GATES4_S(.03f, .014f, .02f, .04f, 9, 9), GATES4_S(.05f, .01f, .03f, .02f, 9, 5),
              P16_OF(9e-4f, 9), P16_OF(2e-4f, 9), P16_OF(5e-4f, 9), BIAS4_OF(B32, 9), W8S(.02f, 5, 9), B32(5), H8(3, 5),
              C16_OF(0x1p-9f, 3, 9) }, .mid = MIDS, .out = { Y8(3, 5) } },
    { "INT8, peepholes and a projection, a fine cell state", .opt = FULL, .version = 2, .runs = 4,
      .in = { QUANT(INT8, .04f, 17, 2, 6), GATES4_S(.01f, .004f, .007f, .013f, 13, 6), GATES4_S(.012f, .009f, .005f, .016f, 13, 5),
              P16_OF(3e-4f, 13), P16_OF(2e-4f, 13), P16_OF(5e-4f, 13), BIAS4_OF(B32, 13), W8S(.008f, 5, 13), B32(5), H8(2, 5),
              C16_OF(0x1p-15f, 2, 13) }, .mid = MIDS_OF(2e-4f, 3e-4f, 4e-4f, 5e-4f, .004f), .out = { Y8(2, 5) } },
    { "INT8, norms with scales of their own, 21 cells, clipped low",
      .opt = &(struct opt_lstm){.activation = ACT_TANH, .cell_clip = 0.06f}, .version = 2, .runs = 3,
      .in = { QUANT(INT8, .04f, 17, 2, 6), GATES4_S(.01f, .004f, .007f, .013f, 21, 6), GATES4_S(.012f, .009f, .005f, .016f, 21, 21),
              NONE3, BIAS4_OF(B32, 21), OMITTED, OMITTED, H8(2, 21), C16_OF(0x1p-12f, 2, 21), P16_OF(3e-5f, 21), P16_OF(9e-5f, 21),
              P16_OF(5e-5f, 21), P16_OF(7e-5f, 21) }, .mid = MIDS_OF(2e-3f, 3e-3f, 4e-3f, 5e-3f, .004f), .out = { Y8(2, 21) } },
    { "INT8, norms of sums at their limits", .opt = FULL, .version = 2, .runs = 2,
      .in = { QUANT(INT8, .04f, 17, 2, 6), GATES4_S(.01f, .004f, .007f, .013f, 21, 6), GATES4_S(.012f, .009f, .005f, .016f, 21, 21),
              NONE3, BIAS4_OF(B32, 21), OMITTED, OMITTED, H8(2, 21), C16(2, 21), P16_OF(2e-4f, 21), P16_OF(9e-5f, 21),
              P16_OF(5e-3f, 21), P16_OF(7e-5f, 21) }, .mid = MIDS_OF(4e-6f, 3e-5f, 2e-5f, 2e-5f, .004f),
      .out = { Y8(2, 21) } },
    { "INT8, norms of sums of a step or none", .opt = FULL, .version = 2, .runs = 2,
      .in = { QUANT(INT8, .04f, 17, 2, 6), GATES4_S(.01f, .004f, .007f, .013f, 21, 6), GATES4_S(.012f, .009f, .005f, .016f, 21, 4),
              P16_OF(1e-5f, 21), P16_OF(1e-5f, 21), P16_OF(1e-5f, 21), BIAS4_OF(B32, 21), W8S(.02f, 4, 21), B32(4),
              H8(2, 4), C16(2, 21), P16_OF(2e-3f, 21), P16_OF(9e-5f, 21),
              P16_OF(1e-2f, 21), P16_OF(7e-5f, 21) }, .mid = MIDS_OF(20, .02f, 25, .03f, .004f), .out = { Y8(2, 4) } },
    /* Norms of sums that are large and hardly differ: a variance that is what is left of two large numbers, or less than none. */
    { "INT8, norms of sums that hardly differ, 16 cells", .opt = FULL, .version = 2, .runs = 2,
      .in = { QUANT(INT8, .04f, 17, 2, 6), GATES4_OF(W8_NEAR, 16, 6), GATES4_OF(W8_NEAR, 16, 16), NONE3, BIAS4_OF(B32, 16), OMITTED,
              OMITTED, H8(2, 16), C16(2, 16), P16_OF(2e-3f, 16), P16_OF(9e-4f, 16), P16_OF(5e-3f, 16), P16_OF(7e-3f, 16) },
      .mid = MIDS_OF(1e-4f, 1e-4f, 1e-4f, 1e-4f, .004f), .out = { Y8(2, 16) } },
    { "INT8, norms of sums that hardly differ, 21 cells", .opt = FULL, .version = 2, .runs = 2,
      .in = { QUANT(INT8, .04f, 17, 2, 6), GATES4_OF(W8_NEAR, 21, 6), GATES4_OF(W8_NEAR, 21, 21), NONE3, BIAS4_OF(B32, 21), OMITTED,
              OMITTED, H8(2, 21), C16(2, 21), P16_OF(2e-3f, 21), P16_OF(9e-4f, 21), P16_OF(5e-3f, 21), P16_OF(7e-3f, 21) },
      .mid = MIDS_OF(1e-4f, 1e-4f, 1e-4f, 1e-4f, .004f), .out = { Y8(2, 21) } },
    /* A norm of 512 makes halves of all odd numbers, which round away from zero. */
    { "INT8, norms that are halves", .opt = FULL, .version = 2, .runs = 2,
      .in = { QUANT(INT8, .04f, 17, 2, 6), GATES4_S(.01f, .004f, .007f, .013f, 21, 6), GATES4_S(.012f, .009f, .005f, .016f, 21, 21),
              NONE3, BIAS4_OF(B1024, 21), OMITTED, OMITTED, H8(2, 21), C16(2, 21), BIAS4_OF(N512, 21) },
      .mid = MIDS_OF(2e-3f, 3e-3f, 4e-3f, 5e-3f, .004f), .out = { Y8(2, 21) } },
    /* A forget gate so near to one that what it leaves is a few steps of 2^-15. */
    { "INT8, coupled gates that keep nearly all", .opt = FULL, .version = 2, .runs = 3, .in = { X8(2, 5), W8_3(5), W8_3(7), NONE3,
      OMITTED, B_LARGE(7), B32(7), B32(7), OMITTED, OMITTED, {TYPE_INT8, CASE_DIMS(2, 7), .variable = true, .scale = 1e-5f,
      .zero_point = 3}, C15(2, 7) }, .mid = MIDS_OF(2e-4f, 2e-4f, 2e-4f, 2e-4f, 1e-5f), .out = { QUANT(INT8, 1e-5f, 3, 2, 7) } },
    /* Beyond the lanes of the fast kernels and a thread's rows. */
    { "large (fast against reference)", .opt = FULL, .runs = 2, .no_golden = true, .in = { F32(3, 517), GATES4_OF(CONST_F32, 67, 517),
      GATES4_OF(CONST_F32, 67, 67), NONE3, BIAS4_OF(CONST_F32, 67), OMITTED, OMITTED, STATE(3, 67), STATE(3, 67) } },
    { "hybrid, large (fast against reference)", WIDE .opt = FULL, .version = 3, .runs = 2, .no_golden = true, .in = { F32(3, 517),
      GATES4_OF(W8, 67, 517), GATES4_OF(W8, 67, 67), NONE3, BIAS4_OF(CONST_F32, 67), OMITTED, OMITTED, STATE(3, 67), STATE(3, 67) } },
    { "INT8, large (fast against reference)", .opt = FULL, .version = 2, .runs = 2, .no_golden = true, .in = { X8(3, 517),
      GATES4_OF(W8, 67, 517), GATES4_OF(W8, 67, 67), NONE3, BIAS4_OF(B32, 67), OMITTED, OMITTED, H8(3, 67), C16(3, 67) },
      .mid = MIDS, .out = { Y8(3, 67) } },
    { "INT8, a cell scale that is no power of two", .opt = FULL, .version = 2, .fails = "expected a power of two", .in = { X8(2, 5),
      W8_4(5), W8_4(7), NONE3, B32_4, OMITTED, OMITTED, H8(2, 7), {TYPE_INT16, CASE_DIMS(2, 7), .variable = true, .scale = 3e-4f} },
      .mid = MIDS, .out = { Y8(2, 7) } },
    { "INT8, no hidden scale", .opt = FULL, .version = 2, .fails = "intermediate tensor 4", .in = { X8(2, 5), W8_4(5), W8_4(7),
      NONE3, B32_4, OMITTED, OMITTED, H8(2, 7), C16(2, 7) }, .out = { Y8(2, 7) } },
    { "8-bit sums", .opt = FULL, .version = 2, .runs = 3, .in = { X8(2, 5), SUMS8(7, 5, 3), STATES8(2, 7, 3) }, .mid = MIDS8,
      .out = { Y8(2, 3) } },
    { "8-bit sums, clipped, saturating", .opt = &(struct opt_lstm){.activation = ACT_TANH, .cell_clip = 0.5f, .proj_clip = 0.3f},
      .version = 2, .runs = 4, .in = { X8(3, 16), SUMS8(7, 16, 5), STATES8(3, 7, 5) }, .mid = MIDS8, .out = { Y8(3, 5) } },
    { "8-bit sums, 67 cells", .opt = FULL, .version = 2, .runs = 3, .in = { X8(3, 33), SUMS8(67, 33, 9), STATES8(3, 67, 9) },
      .mid = MIDS8, .out = { Y8(3, 9) } },
    /* Sums that hardly differ, and that are all the same: what floats leave of their variance is 0 or to either side of it. */
    { "8-bit sums that hardly differ", .opt = FULL, .version = 2, .runs = 3, .in = { X8(9, 6), SUMS8_OF(W8_NEAR, 21, 6, 4),
      STATES8(9, 21, 4) }, .mid = MIDS8, .out = { Y8(9, 4) } },
    { "8-bit sums, all the same", .opt = FULL, .version = 2, .runs = 3, .in = { X8(17, 6), SUMS8_OF(W8_SAME, 7, 6, 4),
      STATES8(17, 7, 4) }, .mid = MIDS8, .out = { Y8(17, 4) } },
    { "8-bit sums that hardly differ, 509 cells", .opt = FULL, .version = 2, .runs = 3, .in = { X8(64, 1),
      SUMS8_OF(W8_NEAR, 509, 1, 4), STATES8(64, 509, 4) }, .mid = MIDS8, .out = { Y8(64, 4) } },
    { "8-bit sums, norms beyond 32 bits", .opt = FULL, .version = 2, .runs = 3, .in = { X8(6, 5), SUMS8(7, 5, 4), H8(6, 4), C15(6, 7),
      OMITTED, P16_OF(90, 7), P16_OF(90, 7), P16_OF(90, 7) }, .mid = MIDS8, .out = { Y8(6, 4) } },
    { "8-bit sums, an input gate", .opt = FULL, .version = 2, .fails = "input gate", .in = { X8(2, 5), W8_4(5), W8_4(3), NONE3,
      B32_3, W8(3, 7), B32(3), STATES8(2, 7, 3) }, .mid = MIDS8, .out = { Y8(2, 3) } },
    { "8-bit sums without a projection", .opt = FULL, .version = 2, .fails = "no projection", .in = { X8(2, 5), W8_3(5), W8_3(7),
      NONE3, B32_3, OMITTED, OMITTED, STATES8(2, 7, 7) }, .mid = MIDS8, .out = { Y8(2, 7) } },
    { "8-bit sums without layer normalization", .opt = FULL, .version = 2, .fails = "lacks layer normalization", .in = {
      X8(2, 5), W8_3(5), W8_3(3), NONE3, B32_3, W8(3, 7), B32(3), H8(2, 3), C15(2, 7) }, .mid = MIDS8, .out = { Y8(2, 3) } },
    { "8-bit sums with peepholes", .opt = FULL, .version = 2, .fails = "peepholes", .in = { X8(2, 5), W8_3(5), W8_3(3), OMITTED,
      P16(1e-4f), P16(1e-4f), B32_3, W8(3, 7), B32(3), STATES8(2, 7, 3) }, .mid = MIDS8, .out = { Y8(2, 3) } },
    { "8-bit sums, another cell scale", .opt = FULL, .version = 2, .fails = "expected 2^-15", .in = { X8(2, 5), SUMS8(7, 5, 3),
      H8(2, 3), C16(2, 7), NORM3 }, .mid = MIDS8, .out = { Y8(2, 3) } },
    { "basic, UINT8", .opt = BASIC, .version = 2, .in = { U8(3, 6), U8(3, 5), CONST_QUANT(UINT8, 0.01f, 120, 20, 11),
      {TYPE_INT32, CASE_DIMS(20), .constant = true, .lo = -20000, .hi = 20000, .scale = 0.01f / 128}, S16(3, 5) },
      .out = { U8(3, 5), S16(3, 5), U8(3, 11), S16(3, 20) } },
    { "basic, UINT8, carried over", .opt = BASIC, .version = 2, .runs = 3, .in = { U8(3, 6), {TYPE_UINT8, CASE_DIMS(3, 5),
      .variable = true, .scale = 0x1p-7f, .zero_point = 128}, CONST_QUANT(UINT8, 0.01f, 120, 20, 11), {TYPE_INT32, CASE_DIMS(20),
      .constant = true, .lo = -20000, .hi = 20000, .scale = 0.01f / 128}, C16(3, 5) },
      .out = { U8(3, 5), S16(3, 5), U8(3, 11), S16(3, 20) } },
    { "basic, UINT8, saturating", .opt = BASIC, .version = 2, .in = { U8(2, 16), U8(2, 8), CONST_QUANT(UINT8, 0.3f, 7, 32, 24),
      {TYPE_INT32, CASE_DIMS(32), .constant = true, .lo = -20000, .hi = 20000, .scale = 0.3f / 128}, S16(2, 8) },
      .out = { U8(2, 8), S16(2, 8), U8(2, 24), S16(2, 32) } },
    { "basic, UINT8, states at their limits", .opt = BASIC, .version = 2, .in = { U8(2, 16), U8(2, 8),
      CONST_QUANT(UINT8, 0.3f, 7, 32, 24), {TYPE_INT32, CASE_DIMS(32), .constant = true, .lo = 20000, .hi = 900000, .scale = 0.3f / 128},
      {TYPE_INT16, CASE_DIMS(2, 8), .lo = 32600, .hi = 32767, .scale = 0x1p-11f} },
      .out = { U8(2, 8), S16(2, 8), U8(2, 24), S16(2, 32) } },
    { "basic, UINT8, a zero point of 100", .opt = BASIC, .version = 2, .fails = "expected 128", .in = {
      QUANT(UINT8, 0x1p-7f, 100, 1, 1), U8(1, 1), CONST_QUANT(UINT8, 0.3f, 7, 4, 2), B32(4), S16(1, 1) },
      .out = { U8(1, 1), S16(1, 1), U8(1, 2), S16(1, 4) } },
    { "basic, wrong weights", .opt = BASIC, .version = 2, .fails = "expected FLOAT32[20,11]", .in = { F32(3, 6), F32(3, 5),
      CONST_F32(20, 12), CONST_F32(20), F32(3, 5) }, .out = { F32(3, 5), F32(3, 5), F32(3, 11), F32(3, 20) } },
    { 0 }
};

#define TIME_MAJOR &(struct opt_unidirectional_sequence_lstm){.activation = ACT_TANH, .time_major = true}
#define BATCH_MAJOR &(struct opt_unidirectional_sequence_lstm){.activation = ACT_TANH}

#define DIAGONAL(...) \
    &(struct opt_unidirectional_sequence_lstm){.activation = ACT_TANH, .diagonal_recurrent_tensors = true, __VA_ARGS__}

const struct op_case unidirectional_sequence_lstm_cases[] = {
    /* TFLite takes empty weights for omitted ones. */
    { "time major", .skip_golden = "empty", .opt = TIME_MAJOR, .runs = 2, .in = { F32(4, 2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7) } },
    { "batch major", .opt = BATCH_MAJOR, .runs = 2, .in = { F32(2, 4, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7) } },
    { "coupled gates, peepholes, projection", .opt = BATCH_MAJOR, .in = { F32(2, 3, 5), GATES3(5), GATES3(3), OMITTED,
      CONST_F32(7), CONST_F32(7), BIAS3, CONST_F32(3, 7), CONST_F32(3), STATE(2, 3), STATE(2, 7) } },
    { "layer normalization", .opt = TIME_MAJOR, .in = { F32(3, 2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7), BIAS4 } },
    { "everything, clipped, batch major", .opt = &(struct opt_unidirectional_sequence_lstm){.activation = ACT_TANH, .cell_clip = 0.3f,
      .proj_clip = 0.2f}, .runs = 2, .in = { F32(2, 4, 5), GATES4(5), GATES4(3), CONST_F32(7), CONST_F32(7), CONST_F32(7), BIAS4,
      CONST_F32(3, 7), CONST_F32(3), STATE(2, 3), STATE(2, 7), BIAS4 } },
    { "coupled gates, peepholes, layer normalization", .opt = TIME_MAJOR, .runs = 2, .in = { F32(4, 2, 5), GATES3(5), GATES3(7),
      OMITTED, CONST_F32(7), CONST_F32(7), BIAS3, OMITTED, OMITTED, STATE(2, 7), STATE(2, 7), BIAS3 } },
    { "no activation, projection", .opt = &(struct opt_unidirectional_sequence_lstm){.activation = ACT_NONE, .time_major = true},
      .runs = 2, .in = { F32(3, 2, 5), GATES4(5), GATES4(3), NONE3, BIAS4, CONST_F32(3, 7), OMITTED, STATE(2, 3), STATE(2, 7) } },
    { "many cells (fast against reference)", .opt = BATCH_MAJOR, .runs = 2, .no_golden = true, .in = { F32(3, 5, 19),
      GATES4_OF(CONST_F32, 133, 19), GATES4_OF(CONST_F32, 133, 70), CONST_F32(133), CONST_F32(133), CONST_F32(133),
      BIAS4_OF(CONST_F32, 133), CONST_F32(70, 133), CONST_F32(70), STATE(3, 70), STATE(3, 133), BIAS4_OF(CONST_F32, 133) } },
    /* More than the 65,535 rounds in which some devices end a loop. */
    { "long (fast against reference)", .opt = TIME_MAJOR, .no_golden = true, .in = { F32(3500, 1, 3), GATES4_OF(CONST_F32, 67, 3),
      GATES4_OF(CONST_F32_SMALL, 67, 67), NONE3, BIAS4_OF(CONST_F32, 67), OMITTED, OMITTED, STATE(1, 67), STATE(1, 67) } },
    { "hybrid, batch major", .opt = BATCH_MAJOR, .version = 2, .runs = 2, .in = { F32(2, 4, 5), W8_4(5), W8_4(7), NONE3, BIAS4,
      OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "hybrid, time major, asymmetric", .opt = &(struct opt_unidirectional_sequence_lstm){.activation = ACT_TANH,
      .time_major = true, .asymmetric_quantize_inputs = true}, .version = 3, .runs = 2, .in = { F32(4, 2, 5), W8_4(5), W8_4(3),
      NONE3, BIAS4, W8(3, 7), OMITTED, STATE(2, 3), STATE(2, 7) } },
    { "INT8, time major", .opt = TIME_MAJOR, .version = 3, .runs = 2, .in = { X8(4, 2, 5), W8_4(5), W8_4(7), NONE3, B32_4,
      OMITTED, OMITTED, H8(2, 7), C16(2, 7) }, .mid = MIDS, .out = { Y8(4, 2, 7) } },
    { "INT8, batch major, projection", .opt = BATCH_MAJOR, .version = 3, .runs = 2, .in = { X8(2, 4, 5), W8_4(5), W8_4(3), NONE3,
      B32_4, W8(3, 7), OMITTED, H8(2, 3), C16(2, 7) }, .mid = MIDS, .out = { Y8(2, 4, 3) } },
    /* The state grows by one each time, up to where tanh is looked up no further. */
    { "INT8, forty times, saturating", .opt = TIME_MAJOR, .version = 3, .in = { {TYPE_INT8, CASE_DIMS(40, 1, 5), .lo = 90, .hi = 127,
      .scale = 0.2f, .zero_point = -5}, GATES4_OF(W8_NEAR, 4, 5), GATES4_OF(W8, 4, 4), NONE3, BIAS4_OF(B32, 4), OMITTED, OMITTED,
      H8(1, 4), C16_OF(0x1p-9f, 1, 4) }, .mid = MIDS, .out = { Y8(40, 1, 4) } },
    { "diagonal recurrent weights, time major", .opt = DIAGONAL(.time_major = true), .version = 4, .runs = 2, .in = {
      F32(4, 2, 5), GATES4(5), BIAS4, NONE3, BIAS4, OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "diagonal recurrent weights, coupled gates, batch major, clipped", .opt = DIAGONAL(.cell_clip = 0.3f), .version = 4,
      .runs = 2, .in = { F32(2, 3, 5), GATES3(5), BIAS3, OMITTED, CONST_F32(7), CONST_F32(7), BIAS3, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7) } },
    { "diagonal recurrent weights, hybrid", .opt = DIAGONAL(.time_major = true), .version = 4, .runs = 3, .in = {
      F32(4, 2, 5), W8_4(5), BIAS4, NONE3, BIAS4, OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "diagonal recurrent weights, hybrid, asymmetric", .opt = DIAGONAL(.asymmetric_quantize_inputs = true), .version = 4,
      .runs = 3, .in = { F32(2, 3, 5), W8_4(5), BIAS4, NONE3, BIAS4, OMITTED, OMITTED, STATE(2, 7),
      STATE(2, 7) } },
    { "diagonal recurrent weights of 8 bits", .opt = DIAGONAL(.time_major = true), .version = 4, .fails = "type INT8",
      .in = { F32(4, 2, 5), W8_4(5), W8(7), W8(7), W8(7), W8(7), NONE3, BIAS4, OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "a diagonal of another length", .opt = DIAGONAL(.time_major = true), .version = 4, .fails = "6 recurrent weights for 7 cells",
      .in = { F32(4, 2, 5), GATES4(5), CONST_F32(6), CONST_F32(6), CONST_F32(6), CONST_F32(6), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 6), STATE(2, 7) } },
    { "matrices where diagonals are called for", .opt = DIAGONAL(.time_major = true), .version = 4, .fails = "another rank",
      .in = { F32(4, 2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { "rank 2", .opt = TIME_MAJOR, .fails = "expected [time,batch,5]", .in = { F32(2, 5), GATES4(5), GATES4(7), NONE3, BIAS4,
      OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { 0 }
};

#define BOTH(major, merge) \
    &(struct opt_bidirectional_sequence_lstm){.activation = ACT_TANH, .merge_outputs = merge, .time_major = major}
#define NO_PROJECTION OMITTED, OMITTED
#define CELL_OF(cols) GATES4(cols), GATES4(7), NONE3, BIAS4, NO_PROJECTION
#define COUPLED_CELL(cols) GATES3(cols), GATES3(3), OMITTED, CONST_F32(7), CONST_F32(7), BIAS3, CONST_F32(3, 7), CONST_F32(3)
#define CELL8_OF(cols) W8_4(cols), W8_4(7), NONE3, BIAS4, NO_PROJECTION
#define STATES STATE(2, 7), STATE(2, 7), STATE(2, 7), STATE(2, 7)
#define STATES1 STATE(1, 7), STATE(1, 7), STATE(1, 7), STATE(1, 7)

const struct op_case bidirectional_sequence_lstm_cases[] = {
    /* TFLite takes empty weights for omitted ones. */
    { "time major, crossed", .skip_golden = "empty", .opt = BOTH(true, false), .runs = 2, .in = { F32(4, 2, 5), CELL_OF(5), CELL_OF(5), STATES,
      F32(4, 2, 3), GATES4(3), GATES4(3) }, .out = { F32(4, 2, 7), F32(4, 2, 7) } },
    { "batch major, crossed", .opt = BOTH(false, false), .runs = 2, .in = { F32(2, 4, 5), CELL_OF(5), CELL_OF(5), STATES,
      F32(2, 4, 3), GATES4(3), GATES4(3) }, .out = { F32(2, 4, 7), F32(2, 4, 7) } },
    { "batch major, merged (TFLite writes beyond the state)", .opt = BOTH(false, true), .runs = 2, .no_golden = true, .in = {
      F32(2, 4, 5), CELL_OF(5), CELL_OF(5), STATES }, .n_in = 48, .out = { F32(2, 4, 14) } },
    { "batch major, merged, one batch", .opt = BOTH(false, true), .runs = 2, .in = { F32(1, 4, 5), CELL_OF(5), CELL_OF(5), STATES1 },
      .n_in = 48, .out = { F32(1, 4, 14) } },
    { "stacked: the auxiliary input goes backwards", .opt = BOTH(true, true), .runs = 2, .in = { F32(4, 2, 5), CELL_OF(5),
      CELL_OF(5), STATES, F32(4, 2, 5) }, .n_in = 48, .out = { F32(4, 2, 14) } },
    { "coupled gates, peepholes, projection", .opt = BOTH(true, true), .runs = 2, .in = { F32(3, 2, 5), COUPLED_CELL(5),
      COUPLED_CELL(5), STATE(2, 3), STATE(2, 7), STATE(2, 3), STATE(2, 7), F32(3, 2, 4), GATES3(4), GATES3(4) },
      .out = { F32(3, 2, 6) } },
    { "hybrid", .opt = BOTH(true, false), .version = 2, .runs = 2, .in = { F32(4, 2, 5), CELL8_OF(5), CELL8_OF(5), STATES,
      F32(4, 2, 3), W8_4(3), W8_4(3) }, .out = { F32(4, 2, 7), F32(4, 2, 7) } },
    { "hybrid, asymmetric, merged", .opt = &(struct opt_bidirectional_sequence_lstm){.activation = ACT_TANH, .merge_outputs = true,
      .asymmetric_quantize_inputs = true}, .version = 3, .runs = 2, .in = { F32(1, 4, 5), CELL8_OF(5), CELL8_OF(5), STATES1,
      F32(1, 4, 3), W8_4(3), W8_4(3) }, .out = { F32(1, 4, 14) } },
    { "hybrid, weights made at run time", .gpu_tol = .1, .gpu_tol_fp16 = .15, .opt = BOTH(true, false), .version = 2, .runs = 2,
      .in = { F32(4, 2, 5), CELL8_OF(5), MADE8_4(5), MADE8_4(7), NONE3, F32(7), CONST_F32(7), F32(7), F32(7), NO_PROJECTION, STATES,
      F32(4, 2, 3), MADE8_4(3), W8_4(3) }, .out = { F32(4, 2, 7), F32(4, 2, 7) } },
    { "auxiliary input of another length", .opt = BOTH(true, false), .fails = "expected [4,2,", .in = { F32(4, 2, 5), CELL_OF(5),
      CELL_OF(5), STATES, F32(3, 2, 3), GATES4(3), GATES4(3) }, .out = { F32(4, 2, 7), F32(4, 2, 7) } },
    { 0 }
};
