/* lstm.c - cases of LSTM and UNIDIRECTIONAL_SEQUENCE_LSTM. */
#include "../opcheck.h"

#define STATE(...) {TYPE_FLOAT32, CASE_DIMS(__VA_ARGS__), .variable = true}

#define FULL &(struct opt_lstm){.activation = ACT_TANH}
#define CLIPPED &(struct opt_lstm){.activation = ACT_TANH, .cell_clip = 0.3f, .proj_clip = 0.2f}
#define BASIC &(struct opt_lstm){.activation = ACT_TANH, .kernel_type = LSTM_BASIC}

/* Weights of three or four gates: batch 2, 5 inputs, 7 cells, 3 or 7 outputs. */
#define GATES4(cols) CONST_F32(7, cols), CONST_F32(7, cols), CONST_F32(7, cols), CONST_F32(7, cols)
#define GATES3(cols) OMITTED, CONST_F32(7, cols), CONST_F32(7, cols), CONST_F32(7, cols)
#define BIAS4 CONST_F32(7), CONST_F32(7), CONST_F32(7), CONST_F32(7)
#define BIAS3 OMITTED, CONST_F32(7), CONST_F32(7), CONST_F32(7)
#define NONE3 OMITTED, OMITTED, OMITTED

const struct op_case lstm_cases[] = {
    { "full", .opt = FULL, .runs = 3, .in = { F32(2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7) } },
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
    { "basic, wrong weights", .opt = BASIC, .version = 2, .fails = "expected FLOAT32[20,11]", .in = { F32(3, 6), F32(3, 5),
      CONST_F32(20, 12), CONST_F32(20), F32(3, 5) }, .out = { F32(3, 5), F32(3, 5), F32(3, 11), F32(3, 20) } },
    { 0 }
};

#define TIME_MAJOR &(struct opt_unidirectional_sequence_lstm){.activation = ACT_TANH, .time_major = true}
#define BATCH_MAJOR &(struct opt_unidirectional_sequence_lstm){.activation = ACT_TANH}

const struct op_case unidirectional_sequence_lstm_cases[] = {
    { "time major", .opt = TIME_MAJOR, .runs = 2, .in = { F32(4, 2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7) } },
    { "batch major", .opt = BATCH_MAJOR, .runs = 2, .in = { F32(2, 4, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7) } },
    { "coupled gates, peepholes, projection", .opt = BATCH_MAJOR, .in = { F32(2, 3, 5), GATES3(5), GATES3(3), OMITTED,
      CONST_F32(7), CONST_F32(7), BIAS3, CONST_F32(3, 7), CONST_F32(3), STATE(2, 3), STATE(2, 7) } },
    { "layer normalization", .opt = TIME_MAJOR, .in = { F32(3, 2, 5), GATES4(5), GATES4(7), NONE3, BIAS4, OMITTED, OMITTED,
      STATE(2, 7), STATE(2, 7), BIAS4 } },
    { "rank 2", .opt = TIME_MAJOR, .fails = "expected [time,batch,5]", .in = { F32(2, 5), GATES4(5), GATES4(7), NONE3, BIAS4,
      OMITTED, OMITTED, STATE(2, 7), STATE(2, 7) } },
    { 0 }
};
