/* SPDX-License-Identifier: Apache-2.0 */
/* rnn.c - cases of RNN, UNIDIRECTIONAL_SEQUENCE_RNN and BIDIRECTIONAL_SEQUENCE_RNN. */
#include "bench/opcheck/opcheck.h"

#define STATE(...) {TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .variable = true}
#define W8(...) CONST_QUANT(INT8, 0.01f, 0, __VA_ARGS__)

#define CONST_F32_SMALL(...) {TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .constant = true, .lo = -.1, .hi = .1}

/* The GPU does not quantize what 8-bit weights are multiplied by; errors go on from step to step. */
#define WIDE .gpu_tol = .3, .gpu_tol_fp16 = .3,

/* Weights, recurrent weights, bias. */
#define CELL(units, inputs) CONST_F32(units, inputs), CONST_F32(units, units), CONST_F32(units)
#define CELL8(units, inputs) W8(units, inputs), W8(units, units), CONST_F32(units)

/* The same, made at run time. */
#define MADE8(...) QUANT(INT8, 0.01f, 0, __VA_ARGS__)
#define MADE_U8(...) QUANT(UINT8, 0.01f, 0, __VA_ARGS__)
#define MADE_CELL8(units, inputs) MADE8(units, inputs), MADE8(units, units), F32(units)

#define RNN(act) &(struct opt_rnn){.activation = act}
#define RNN_ASYMMETRIC &(struct opt_rnn){.activation = ACT_TANH, .asymmetric_quantize_inputs = true}

const struct op_case rnn_cases[] = {
    { "relu", .opt = RNN(ACT_RELU), .runs = 3, .in = { F32(2, 5), CELL(7, 5), STATE(2, 7) } },
    { "tanh", .opt = RNN(ACT_TANH), .runs = 3, .in = { F32(3, 5), CELL(4, 5), STATE(3, 4) } },
    { "relu 6", .opt = RNN(ACT_RELU6), .runs = 2, .in = { F32_IN(-9, 9, 1, 9), CELL(3, 9), STATE(1, 3) } },
    { "no activation", .opt = RNN(ACT_NONE), .runs = 2, .in = { F32(1, 17), CELL(3, 17), STATE(1, 3) } },
    { "sign bit", .opt = RNN(ACT_SIGN_BIT), .runs = 2, .in = { F32(2, 5), CELL(6, 5), STATE(2, 6) } },
    { "relu -1 to 1", .opt = RNN(ACT_RELU_N1_TO_1), .runs = 2, .in = { F32(2, 5), CELL(6, 5), STATE(2, 6) } },
    { "hybrid", .opt = RNN(ACT_TANH), .version = 2, .runs = 3, .in = { F32(2, 5), CELL8(7, 5), STATE(2, 7) } },
    { "hybrid, asymmetric", .opt = RNN_ASYMMETRIC, .version = 3, .runs = 3, .in = { F32_IN(-1, 3, 3, 6), CELL8(8, 6), STATE(3, 8) } },
    { "hybrid, zeros", .opt = RNN(ACT_TANH), .version = 2, .runs = 2, .in = { F32_IN(0, 1e-30, 2, 5), CELL8(4, 5), STATE(2, 4) } },
    /* TFLite takes their bytes for INT8's. */
    { "hybrid, UINT8 weights", .opt = RNN(ACT_TANH), .version = 2, .runs = 3, .in = { F32(2, 5), CONST_QUANT(UINT8, 0.01f, 0, 7, 5),
      CONST_QUANT(UINT8, 0.01f, 0, 7, 7), CONST_F32(7), STATE(2, 7) } },
    { "hybrid, weights made at run time", WIDE .opt = RNN(ACT_TANH), .version = 2, .runs = 3, .in = { F32(2, 5), MADE_CELL8(7, 5),
      STATE(2, 7) } },
    { "hybrid, asymmetric, some weights made at run time", WIDE .opt = RNN_ASYMMETRIC, .version = 3, .runs = 3, .in = {
      F32_IN(-1, 3, 3, 6), W8(9, 6), MADE8(9, 9), CONST_F32(9), STATE(3, 9) } },
    { "hybrid, UINT8 weights made at run time", WIDE .opt = RNN(ACT_TANH), .version = 2, .runs = 3, .in = { F32(2, 5), MADE_U8(7, 5),
      MADE_U8(7, 7), F32(7), STATE(2, 7) } },
    { "large (fast against reference)", .opt = RNN(ACT_NONE), .runs = 2, .no_golden = true,
      .in = { F32(3, 517), CELL(131, 517), STATE(3, 131) } },
    { "hybrid, large (fast against reference)", WIDE .opt = RNN(ACT_TANH), .version = 2, .runs = 2, .no_golden = true,
      .in = { F32(3, 517), CELL8(131, 517), STATE(3, 131) } },
    { "hybrid, asymmetric, large (fast against reference)", WIDE .opt = RNN_ASYMMETRIC, .version = 3, .runs = 2, .no_golden = true,
      .in = { F32_IN(-1, 3, 3, 517), CELL8(131, 517), STATE(3, 131) } },
    { "state is no variable", .opt = RNN(ACT_TANH), .fails = "must be a variable", .in = { F32(2, 5), CELL(7, 5), F32(2, 7) } },
    { "state of another batch", .opt = RNN(ACT_TANH), .fails = "expected FLOAT32[2,7]", .in = { F32(2, 5), CELL(7, 5), STATE(3, 7) } },
    { "weights of another width", .opt = RNN(ACT_TANH), .fails = "expected [units,5]", .in = { F32(2, 5), CELL(7, 6), STATE(2, 7) } },
    { "bias too short", .opt = RNN(ACT_TANH), .fails = "expected [7]", .in = { F32(2, 5), CONST_F32(7, 5), CONST_F32(7, 7),
      CONST_F32(6), STATE(2, 7) } },
    { "mixed weights", .opt = RNN(ACT_TANH), .fails = "others have 8 bits", .in = { F32(2, 5), CONST_F32(7, 5), W8(7, 7),
      CONST_F32(7), STATE(2, 7) } },
    { 0 }
};

#define SEQUENCE(major) &(struct opt_sequence_rnn){.time_major = major, .activation = ACT_TANH}

const struct op_case unidirectional_sequence_rnn_cases[] = {
    { "time major", .opt = SEQUENCE(true), .runs = 2, .in = { F32(4, 2, 5), CELL(7, 5), STATE(2, 7) } },
    { "batch major", .opt = SEQUENCE(false), .runs = 2, .in = { F32(2, 4, 5), CELL(7, 5), STATE(2, 7) } },
    { "many units (fast against reference)", .opt = SEQUENCE(false), .runs = 2, .no_golden = true, .in = { F32(3, 5, 19),
      CONST_F32(541, 19), CONST_F32_SMALL(541, 541), CONST_F32(541), STATE(3, 541) } },
    /* More than the 65,535 rounds in which some devices end a loop. */
    { "long (fast against reference)", .opt = SEQUENCE(true), .no_golden = true, .in = { F32(9000, 1, 2), CONST_F32(5, 2),
      CONST_F32_SMALL(5, 5), CONST_F32(5), STATE(1, 5) } },
    { "one step", .opt = SEQUENCE(true), .in = { F32(1, 1, 1), CELL(1, 1), STATE(1, 1) } },
    { "hybrid, time major", WIDE .opt = SEQUENCE(true), .version = 2, .runs = 2, .in = { F32(4, 2, 5), CELL8(7, 5), STATE(2, 7) } },
    { "hybrid, batch major, asymmetric", .opt = &(struct opt_sequence_rnn){.activation = ACT_RELU, .asymmetric_quantize_inputs = true},
      .version = 3, .runs = 2, .in = { F32(2, 4, 5), CELL8(7, 5), STATE(2, 7) } },
    { "hybrid, weights made at run time", WIDE .opt = SEQUENCE(false), .version = 2, .runs = 2, .in = { F32(2, 4, 5), MADE_CELL8(7, 5),
      STATE(2, 7) } },
    { "rank 2", .opt = SEQUENCE(true), .fails = "expected rank 3", .in = { F32(2, 5), CELL(7, 5), STATE(2, 7) } },
    { 0 }
};

#define BOTH(major, merge) &(struct opt_bidirectional_sequence_rnn){.time_major = major, .activation = ACT_TANH, .merge_outputs = merge}
/* Forward 6 units, backward 3. */
#define CELLS CELL(6, 5), STATE(2, 6), CELL(3, 5), STATE(2, 3)
#define CELLS8 CELL8(6, 5), STATE(2, 6), CELL8(3, 5), STATE(2, 3)

const struct op_case bidirectional_sequence_rnn_cases[] = {
    /* TFLite does not look at the auxiliary input where there are no steps. */
    { "time major", .skip_golden = "empty", .opt = BOTH(true, false), .runs = 2, .in = { F32(4, 2, 5), CELLS, F32(4, 2, 5) }, .n_in = 12,
      .out = { F32(4, 2, 6), F32(4, 2, 3) } },
    { "batch major, merged, crossed", .opt = BOTH(false, true), .runs = 2, .in = { F32(2, 4, 5), CELLS, F32(2, 4, 5),
      CONST_F32(6, 5), CONST_F32(3, 5) }, .out = { F32(2, 4, 9) } },
    { "time major, merged, crossed", .opt = BOTH(true, true), .runs = 2, .in = { F32(4, 2, 5), CELLS, F32(4, 2, 5),
      CONST_F32(6, 5), CONST_F32(3, 5) }, .out = { F32(4, 2, 9) } },
    { "long, merged (fast against reference)", .opt = BOTH(false, true), .no_golden = true, .in = { F32(2, 9000, 2), CONST_F32(6, 2),
      CONST_F32_SMALL(6, 6), CONST_F32(6), STATE(2, 6), CONST_F32(3, 2), CONST_F32_SMALL(3, 3), CONST_F32(3), STATE(2, 3) },
      .n_in = 12, .out = { F32(2, 9000, 9) } },
    { "hybrid, batch major", .opt = BOTH(false, false), .version = 2, .runs = 2, .in = { F32(2, 4, 5), CELLS8, F32(2, 4, 5),
      W8(6, 5), W8(3, 5) }, .out = { F32(2, 4, 6), F32(2, 4, 3) } },
    { "hybrid, asymmetric", .opt = &(struct opt_bidirectional_sequence_rnn){.time_major = true, .activation = ACT_TANH,
      .asymmetric_quantize_inputs = true}, .version = 3, .runs = 2, .in = { F32(4, 2, 5), CELLS8, F32(4, 2, 5) }, .n_in = 12,
      .out = { F32(4, 2, 6), F32(4, 2, 3) } },
    { "hybrid, weights made at run time", WIDE .opt = BOTH(false, true), .version = 2, .runs = 2, .in = { F32(2, 4, 5),
      MADE_CELL8(6, 5), STATE(2, 6), MADE_CELL8(3, 5), STATE(2, 3), F32(2, 4, 5), MADE8(6, 5), W8(3, 5) },
      .out = { F32(2, 4, 9) } },
    { "batch major, no auxiliary input", .opt = BOTH(false, true), .runs = 2, .in = { F32(2, 4, 5), CELLS }, .n_in = 12,
      .out = { F32(2, 4, 9) } },
    { "auxiliary weights of one direction", .opt = BOTH(true, true), .fails = "in one direction are omitted", .in = {
      F32(4, 2, 5), CELLS, F32(4, 2, 5), CONST_F32(6, 5) }, .n_in = 12, .out = { F32(4, 2, 9) } },
    { "auxiliary input of another length", .opt = BOTH(true, false), .fails = "not of the input's shape", .in = { F32(4, 2, 5),
      CELLS, F32(3, 2, 5) }, .n_in = 12, .out = { F32(4, 2, 6), F32(4, 2, 3) } },
    { "9 inputs", .opt = BOTH(true, false), .fails = "expected 12", .in = { F32(4, 2, 5), CELLS },
      .out = { F32(4, 2, 6), F32(4, 2, 3) } },
    { 0 }
};
