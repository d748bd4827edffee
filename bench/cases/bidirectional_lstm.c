/* SPDX-License-Identifier: Apache-2.0 */
/* bidirectional_lstm.c - cases of BIDIRECTIONAL_SEQUENCE_LSTM. */
#include "bench/cases/lstm.h"

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
